// A calendar object or card, kept as text and as a tree: a message never changes, so what a query has read is not read
// again.

import { MAX_KEPT_OBJECT_BYTES } from '../../limits/dav.ts';
import { parseObject } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { BoundedMap } from '../../system/bounded-map.ts';

/** what one takes beside its text and its tree */
const ENTRY_BYTES = 300;
/** text, tree of lines, and the markup that reports keep with it */
const BYTES_PER_CHARACTER = 10;

/** Of a message; another one has the number when these differ, after a room server was put back to a backup. */
interface ObjectOf {
  euid: string;
  time: number;
}

export class KeptObject {
  readonly text: string;
  readonly #euid: string;
  readonly #time: number;
  /** null: not looked at yet */
  #object: Component | undefined | null = null;

  constructor({ euid, time }: ObjectOf, text: string) {
    this.text = text;
    this.#euid = euid;
    this.#time = time;
  }

  /** undefined where the text is no object */
  get object(): Component | undefined {
    if (this.#object === null) this.#object = parseObject(this.text).object;
    return this.#object;
  }

  isOf({ euid, time }: ObjectOf): boolean {
    return this.#euid === euid && this.#time === time;
  }
}

/** By message number. */
export function newKeptObjects(maxBytes = MAX_KEPT_OBJECT_BYTES): BoundedMap<number, KeptObject> {
  return new BoundedMap(maxBytes, keptObjectBytes);
}

/** What it takes in memory, or may take once it is read. */
export function keptObjectBytes({ text }: KeptObject): number {
  return ENTRY_BYTES + BYTES_PER_CHARACTER * text.length;
}

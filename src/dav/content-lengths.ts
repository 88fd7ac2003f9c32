// Lengths of messages that nobody wrote down: those that were not PUT under a name. Clients take a missing length for 0,
// so it is learnt once, from the list of parts or by reading the content as GET would, and kept: two round trips
// for as many messages as are told at once.

import type { RoomRef } from '../client/connection/goto.ts';
import type { Identity } from '../client/connection/identity.ts';
import { lengthsOf, type Measured } from '../client/content-lengths.ts';
import { type MessageHead, readHeads } from '../client/messages.ts';
import type { App } from '../gateway/app.ts';
import { contentForm } from '../gateway/message/content.ts';
import type { StoredFacts } from '../gateway/message/stored-facts.ts';
import { type BodyLines, BodyText } from '../gateway/message/text.ts';
import { MAX_MEASURED_BYTES } from '../limits/dav.ts';
import { type HeaderField, headerValue } from '../mime/headers.ts';
import { accountName, nameKey } from '../protocol/names.ts';

export type StoredHeaders = ReadonlyMap<number, readonly HeaderField[]>;

const NONE_READ: StoredHeaders = new Map();

export class Measuring {
  readonly #app: App;
  readonly #identity: Identity;
  readonly #room: RoomRef;
  #left: number;

  constructor(app: App, identity: Identity, room: RoomRef, maxBytes = MAX_MEASURED_BYTES) {
    this.#app = app;
    this.#identity = identity;
    this.#room = room;
    this.#left = maxBytes;
  }

  /**
   * Puts in the sizes that are missing, until `maxBytes` have been read. What another request learns is not read again.
   * `stored`: header fields that this one has read.
   */
  async complete(facts: ReadonlyMap<number, StoredFacts>, stored: StoredHeaders = NONE_READ): Promise<void> {
    const key = `length/${accountName(this.#identity.user)}/${nameKey(this.#room.name)}`;
    const missing = () => [...facts].filter(([, { size }]) => size === undefined);
    if (missing().length > 0) await this.#app.serialQueue.run(key, () => this.#measure(missing(), stored));
  }

  async #measure(missing: readonly [number, StoredFacts][], stored: StoredHeaders): Promise<void> {
    if (missing.length === 0 || this.#left <= 0) return;
    const numbers = missing.map(([msgnum]) => msgnum);
    const heads = await readHeads(this.#app.pool, this.#identity, this.#room, numbers, stored);
    const unread: (Measured & { known: StoredFacts })[] = [];
    for (const [i, [msgnum, known]] of missing.entries()) {
      const head = heads[i];
      if (!head) continue;
      const { lines } = contentForm(head);
      known.size = lines ? lines.length : lengthFromParts(head);
      if (known.size === undefined) unread.push({ msgnum, known, ...counted(lines) });
    }
    if (unread.length === 0) return;
    const { lengths, left } = await lengthsOf(this.#app.pool, this.#identity, this.#room, unread, this.#left);
    this.#left = left;
    for (const [i, { known }] of unread.entries()) known.size = lengths[i];
  }
}

/** What of a content counts: GET and this go through the same (gateway/message-text.ts). */
function counted(lines: BodyLines | undefined): Pick<Measured, 'form' | 'counter'> {
  if (!lines) return { form: 'part', counter: () => (piece) => piece.length };
  return {
    form: 'text',
    counter() {
      const body = new BodyText(lines.ending);
      return (piece) => body.push(piece).length; // a listing ends in LF: no CR is held behind it
    },
  };
}

/** The list of parts tells the encoded length, which is the true one where nothing is encoded. */
function lengthFromParts(head: Pick<MessageHead, 'parts' | 'headers'>): number | undefined {
  const encoding = headerValue(head.headers, 'content-transfer-encoding')?.trim() || '7bit';
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) return undefined;
  return head.parts.find((part) => part.partnum === '1')?.length;
}

// Parses the calendar object, card or note that a message consists of: once for its UID, its facts and the search
// index, and in steps, because a large object takes long.

import { MAX_OBJECT_BYTES } from '../limits/backend.ts';
import { MAX_ENCODED_SHARE } from '../limits/mime.ts';
import type { Steps } from '../system/steps.ts';
import { decodedPieces, decoderFor } from './coding/transfer.ts';
import { objectSource } from './object-source.ts';
import { parseObject } from './objects/components.ts';
import { type Component, parseComponents } from './objects/content-lines.ts';
import { isCalendar, isCard, type ObjectFacts, objectText, wholeObjectFacts } from './objects/properties.ts';
import { isLeaf } from './part.ts';
import type { MimePart } from './walk.ts';

export interface PostedObject {
  /** the only part of the message */
  part: MimePart;
  /** as parseComponents */
  components: readonly Component[];
  /** of a complete VCALENDAR or VCARD */
  facts: ObjectFacts | undefined;
  /** readable text, see objectText */
  text: string;
}

/** The single part of a message that consists of such an object, unless it is too large. */
export function objectPartOf(structure: MimePart): MimePart | undefined {
  const isObject = isLeaf(structure) && (isCalendar(structure.type) || isCard(structure.type));
  return isObject && isObjectSized(structure) ? structure : undefined;
}

/** At most MAX_OBJECT_BYTES decoded, and not inflated by its transfer encoding. False if the length is unknown. */
export function isObjectSized({ decodedLength, encodedLength }: MimePart): boolean {
  // A longer encoding consists of soft breaks only.
  return (
    decodedLength >= 0 && decodedLength <= MAX_OBJECT_BYTES && encodedLength <= MAX_ENCODED_SHARE * MAX_OBJECT_BYTES
  );
}

/** `part`: see objectPartOf. `encoded`: its bytes. */
export function* readPosted(part: MimePart, encoded: Iterable<Buffer>): Steps<PostedObject> {
  const pieces: Buffer[] = [];
  for (const piece of decodedPieces(encoded, decoderFor(part.encoding))) {
    pieces.push(piece);
    yield;
  }
  const source = objectSource(Buffer.concat(pieces), part.charset);
  const { object } = parseObject(source);
  yield;
  // Without faults, the strict parser returns the same as parseComponents.
  const components = object ? [object] : parseComponents(source);
  yield;
  const facts = yield* wholeObjectFacts(object);
  yield;
  return { part, components, facts, text: objectText(part.type, source, components) };
}

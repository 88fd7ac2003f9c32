// What is read of the calendar object, card or note that a message consists of: once, for its UID, its facts and the
// index, and in steps, for a large one takes long.

import { MAX_OBJECT_BYTES } from '../limits/backend.ts';
import { MAX_ENCODED_SHARE } from '../limits/mime.ts';
import type { Steps } from '../system/steps.ts';
import { decodeText } from './coding/charset.ts';
import { decodedPieces, decoderFor } from './coding/transfer.ts';
import { parseObject } from './objects/components.ts';
import { type Component, parseComponents } from './objects/content-lines.ts';
import { isCalendar, isCard, type ObjectFacts, objectText, wholeObjectFacts } from './objects/properties.ts';
import { isLeaf } from './part.ts';
import type { MimePart } from './walk.ts';

export interface PostedObject {
  /** of the message: the only one */
  part: MimePart;
  /** as parseComponents */
  components: readonly Component[];
  /** of a whole VCALENDAR or VCARD */
  facts: ObjectFacts | undefined;
  /** for people, see objectText */
  text: string;
}

/** The part of a message that consists of such an object; undefined where it does not, or is too large for one. */
export function objectPartOf(structure: MimePart): MimePart | undefined {
  const isObject = isLeaf(structure) && (isCalendar(structure.type) || isCard(structure.type));
  return isObject && isObjectSized(structure) ? structure : undefined;
}

/**
 * At most MAX_OBJECT_BYTES as it was sent, however long it has become in its transfer encoding; false where that is not
 * known.
 */
export function isObjectSized({ decodedLength, encodedLength }: MimePart): boolean {
  // what is longer than any encoding makes it is nothing but soft breaks
  return (
    decodedLength >= 0 && decodedLength <= MAX_OBJECT_BYTES && encodedLength <= MAX_ENCODED_SHARE * MAX_OBJECT_BYTES
  );
}

/** `part`: as objectPartOf; `encoded`: its bytes. */
export function* readPosted(part: MimePart, encoded: Iterable<Buffer>): Steps<PostedObject> {
  const pieces: Buffer[] = [];
  for (const piece of decodedPieces(encoded, decoderFor(part.encoding)!)) {
    pieces.push(piece);
    yield;
  }
  const source = decodeText(Buffer.concat(pieces), part.charset);
  const { object } = parseObject(source);
  yield;
  // of what has no fault, the strict reading is that of parseComponents
  const components = object ? [object] : parseComponents(source);
  yield;
  const facts = yield* wholeObjectFacts(object);
  yield;
  return { part, components, facts, text: objectText(part.type, source, components) };
}

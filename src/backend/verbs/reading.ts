// MSG0 and MSG2 read one message of the current room, DLAT one of its parts (protocol sections 12 and 13).

import { splitFields, toInt } from '../../protocol/fields.ts';
import { headerLines } from '../content/message-header.ts';
import { textForListing } from '../content/message-text.ts';
import { openSection, readableMessage, START, textListing } from '../content/readable-message.ts';
import { internetMessage, type Mode } from '../content/rfc822.ts';
import { binaryStart, LISTING_END, whole } from '../session/reply.ts';
import type { Verb } from '../session/session.ts';
import { held } from '../store/body-chunks.ts';
import { asField, decodedPart, partLines } from '../store/message-part.ts';
import { structureOf } from '../store/messages.ts';

/** `MSG0 n|mode`: header lines, part list, text. */
export const msg0: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const mode = modeOf(fields[1]);
  let head = START;
  if (mode !== 2) head += `type=${row.format}\n${headerLines(session, row)}`;
  if (mode === 3) return `${head}${LISTING_END}`;
  const structure = structureOf(session.store, row.id);
  if (structure) head += partLines(structure);
  if (mode === 1) return `${head}${LISTING_END}`;
  return textListing(session, row, `${head}text\n`, textForListing(session.store, row, structure), row.size);
};

/** `MSG2 n|mode`: the message in Internet form. */
export const msg2: Verb = (session, args) => {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const mode = modeOf(fields[1]);
  const structure = mode === 3 ? undefined : structureOf(session.store, row.id);
  const shownBytes = mode === 0 || mode === 2 ? row.size : 0;
  return textListing(session, row, START, internetMessage(session, row, structure, mode), shownBytes);
};

function modeOf(field: string | undefined): Mode {
  const mode = toInt(field);
  return mode === 1 || mode === 2 || mode === 3 ? mode : 0;
}

/** `DLAT n|part` → `600 LENGTH|-1|filename|type|charset` and exactly LENGTH bytes; 512, 550, 571. */
export const dlat: Verb = (session, args) => {
  const { row, part } = openSection(session, args);
  const fields = [-1, asField(part.filename), asField(part.type), asField(part.charset)];
  const content = exactly(part.decodedLength, decodedPart(session.store, row, part)!);
  const reply = prepend(Buffer.from(binaryStart(part.decodedLength, ...fields)), content);
  return whole(held(session.store, row.blob, reply), part.decodedLength);
};

function* prepend(first: Buffer, rest: Iterable<Buffer>): Generator<Buffer> {
  yield first;
  yield* rest;
}

/** Throws if the content does not have the announced length: the peer counts the bytes. */
function* exactly(length: number, source: Iterable<Buffer>): Generator<Buffer> {
  let left = length;
  for (const piece of source) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw new Error(`A part differs from its announced length by ${-left} bytes.`);
}

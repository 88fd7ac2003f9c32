// Parts of a stored format 4 message: finding one, its decoded bytes, its text, and the `part=` lines of a listing
// (protocol section 12).

import { MAX_ENCODED_SHARE, MIN_DECODED_BYTES } from '../../limits/mime.ts';
import { decodeHtml, decodeText } from '../../mime/coding/charset.ts';
import { decodedPieces, decoderFor } from '../../mime/coding/transfer.ts';
import { objectSource } from '../../mime/object-source.ts';
import { contentParts, isLeaf, isMessage } from '../../mime/part.ts';
import { isObjectSized, type PostedObject } from '../../mime/posted-object.ts';
import type { MimePart } from '../../mime/walk.ts';
import { type BodyChunks, readBlob } from './bodies.ts';
import type { Store } from './store.ts';

/** Where a body is stored: what the functions below need of a message row. */
export interface StoredBody {
  blob: number;
  /** where many parts are read one after the other */
  chunks?: BodyChunks | undefined;
  /** of a message that is being stored, where it consists of one */
  object?: PostedObject | undefined;
}

/** The MIME structure in a column `parts`; undefined for formats without. */
export function structureIn({ parts }: { parts: string | null }): MimePart | undefined {
  return parts ? (JSON.parse(parts) as MimePart) : undefined;
}

/** The part with this number or, else, with this Content-ID (any case, without brackets). */
export function findPart(root: MimePart, id: string): MimePart | undefined {
  if (id === '') return undefined;
  const wanted = id.toLowerCase();
  let byContentId: MimePart | undefined;
  for (const part of contentParts(root)) {
    if (part.number === id) return part;
    if (part.contentId.toLowerCase() === wanted) byContentId ??= part;
  }
  return byContentId;
}

/** The decoded content, piece by piece. */
export function decodedPart(store: Store, body: StoredBody, part: MimePart): Iterable<Buffer> {
  return decodedPieces(readBlob(store, body.blob, part.start, part.end, body.chunks), decoderFor(part.encoding));
}

/** At most the first `maxBytes` of the decoded content, of MAX_ENCODED_SHARE times as many that are stored. */
export function partBytes(store: Store, body: StoredBody, part: MimePart, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  let left = maxBytes;
  const end = Math.min(part.end, part.start + Math.max(maxBytes * MAX_ENCODED_SHARE, MIN_DECODED_BYTES));
  for (const piece of decodedPart(store, body, { ...part, end })) {
    pieces.push(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return Buffer.concat(pieces);
}

/** The same as a string. */
export function partText(store: Store, body: StoredBody, part: MimePart, maxBytes: number): string {
  return maxBytes <= 0 ? '' : textFrom(part, partBytes(store, body, part, maxBytes));
}

/** The decoded content of the part as a string. */
export function textFrom(part: MimePart, bytes: Buffer): string {
  return part.type === 'text/html' ? decodeHtml(bytes, part.charset) : decodeText(bytes, part.charset);
}

/** The text of a calendar object, card or note; undefined where it is too large for one (isObjectSized). */
export function objectPartText(store: Store, body: StoredBody, part: MimePart): string | undefined {
  return isObjectSized(part)
    ? objectSource(Buffer.concat([...decodedPart(store, body, part)]), part.charset)
    : undefined;
}

/** `pref=`, `part=` and `suff=` lines. What is inside multipart/alternative is not listed. */
export function partLines(part: MimePart): string {
  if (part.type === 'multipart/alternative' && !isLeaf(part)) return '';
  const line = `part=${[
    part.filename.length > part.name.length ? part.filename : part.name,
    part.filename,
    part.number,
    part.disposition,
    part.type,
    String(part.encodedLength),
    part.contentId,
    part.charset,
  ]
    .map(asField)
    .join('|')}\n`;
  if (isLeaf(part)) return line;
  const inner = part.children.map(partLines).join('');
  const prefix = isMessage(part) ? line : '';
  const bracket = `${part.number}|${asField(part.type)}\n`;
  return `${prefix}pref=${bracket}${inner}suff=${bracket}`;
}

/** A value inside a field list: there is no escape for a bar or a line end, so they are replaced. */
export function asField(value: string): string {
  return value.replace(/[|\r\n\0]/g, '_');
}

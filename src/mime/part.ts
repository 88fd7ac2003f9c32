// One part of a message as its header describes it (RFC 2045, RFC 2183). walk.ts adds its position.

import { MAX_BOUNDARY_BYTES } from '../limits/http.ts';
import { MAX_PART_FIELD_CHARACTERS } from '../limits/mime.ts';
import { decodedPieces, decoderFor, encodingName, isUnencoded } from './coding/transfer.ts';
import {
  decodeHeaderText,
  decodeName,
  type HeaderField,
  headerValue,
  isMediaType,
  parseParameters,
} from './headers.ts';
import { isMessageType } from './message-facts.ts';

export interface MimePart {
  /** numbered as in the line protocol: '' for an outermost multipart, '1', '1.2' */
  number: string;
  /** lower case, '' if missing */
  type: string;
  /** of Content-Type, keyed by lower-case name */
  params: Record<string, string>;
  charset: string;
  /** the longest of the name parameters and the file name */
  name: string;
  filename: string;
  /** lower case */
  disposition: string;
  /** without angle brackets */
  contentId: string;
  /** address by which a text may name the part (RFC 2557); absent if missing */
  contentLocation?: string;
  /** see encodingName */
  encoding: string;
  /** byte offsets in the message body; `end` excludes the line end that belongs to the delimiter */
  headerStart: number;
  start: number;
  end: number;
  encodedLength: number;
  decodedLength: number;
  children: MimePart[];
  /** of an embedded message; absent if it has none */
  subject?: string;
  /** `children` is what unpack.ts has found in the content */
  isUnpacked?: true;
}

/** A part without number and lengths, which the caller fills in. */
export function partOf(fields: readonly HeaderField[], headerStart: number, start: number): MimePart {
  const contentType = contentTypeOf(headerValue(fields, 'Content-Type') ?? '');
  const disposition = parseParameters(headerValue(fields, 'Content-Disposition') ?? '');
  const filename = disposition.params.get('filename') ?? '';
  const location = headerValue(fields, 'Content-Location')?.replaceAll(/\s/g, '');
  const names = [contentType.params.get('name') ?? '', disposition.params.get('name') ?? '', filename];
  return {
    number: '',
    type: contentType.type,
    params: Object.fromEntries(contentType.params),
    charset: contentType.params.get('charset')?.trim() ?? '',
    name: names.reduce((longest, name) => (name.length > longest.length ? name : longest)),
    filename,
    disposition: disposition.value.toLowerCase(),
    contentId: (headerValue(fields, 'Content-ID') ?? '').replace(/^<|>$/g, ''),
    encoding: encodingName(headerValue(fields, 'Content-Transfer-Encoding') ?? ''),
    headerStart,
    start,
    end: start,
    encodedLength: 0,
    decodedLength: 0,
    children: [],
    ...(location && { contentLocation: location }),
  };
}

/** The boundary of a well-formed multipart. Ignores its transfer encoding, which is invalid (RFC 2045 section 6.4). */
export function boundaryOf(part: MimePart): string | undefined {
  if (!part.type.startsWith('multipart/')) return undefined;
  const boundary = part.params.boundary?.trimEnd() ?? '';
  return boundary === '' || Buffer.byteLength(boundary) > MAX_BOUNDARY_BYTES ? undefined : boundary;
}

/** A media type as it is meant: `'text/html charset=utf-8'`, `'html'`, `'"text/html"'`. '' for no media type. */
function contentTypeOf(field: string): { type: string; params: ReadonlyMap<string, string> } {
  const { value, params } = parseParameters(field);
  const [, type, rest] = /^"?([^\s",]+)"?[\s,]*(.*)$/s.exec(value.toLowerCase()) ?? [];
  if (type === undefined) return { type: '', params };
  const more = rest === '' ? params : new Map([...parseParameters(`;${rest}`).params, ...params]);
  return { type: isMediaType(type) ? type : type === 'html' ? 'text/html' : '', params: more };
}

/** A message whose header and parts can be read in place, because it is not encoded. */
export function isEmbeddedMessage(part: MimePart): boolean {
  return isMessageType(part.type) && isUnencoded(part);
}

/** The decoded content. */
export function contentOf(source: Buffer, part: MimePart): Buffer {
  const encoded = source.subarray(part.start, part.end);
  return isUnencoded(part) ? encoded : Buffer.concat([...decodedPieces([encoded], decoderFor(part.encoding))]);
}

/** A text, a file, or a multipart that could not be parsed. */
export function isLeaf(part: MimePart): boolean {
  return part.children.length === 0;
}

/** An embedded message with readable parts: a file, and also what it contains. */
export function isMessage(part: MimePart): boolean {
  return !isLeaf(part) && !part.type.startsWith('multipart/');
}

/** Whether the text of a part is what unpack.ts has found in it: not that of a message, which is read by itself. */
export function isOpened(part: MimePart): boolean {
  return part.isUnpacked === true && !isMessageType(part.type);
}

/** Keeps the subject of an embedded message, whose header this is. */
export function addSubject(message: MimePart, header: readonly HeaderField[]): void {
  const subject = headerValue(header, 'Subject');
  if (subject !== undefined) message.subject = decodeHeaderText(subject).slice(0, MAX_PART_FIELD_CHARACTERS);
}

/** The name of its file; an embedded message without one is called by its subject. '' if there is none. */
export function namedFile({ filename, name, subject = '' }: MimePart): string {
  const title = decodeName(subject)
    .replaceAll(/[\\/\p{Cc}]+/gu, ' ')
    .trim();
  return filename || name || (title && `${title}.eml`);
}

/** All parts with content, in order. An embedded message precedes its own parts. */
export function* contentParts(part: MimePart): Generator<MimePart> {
  if (isLeaf(part) || isMessage(part)) yield part;
  for (const child of part.children) yield* contentParts(child);
}

/** The charset that the message names first, which mostly is that of raw 8-bit text in its header, too. */
export function charsetOf(root: MimePart): string | undefined {
  return contentParts(root).find(({ charset }) => charset !== '')?.charset;
}

/** The part that is a contact. */
export function cardPart(root: MimePart): MimePart | undefined {
  return contentParts(root).find(({ type }) => type === 'text/vcard' || type === 'text/x-vcard');
}

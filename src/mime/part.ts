// One part of a message as its header describes it (RFC 2045, RFC 2183); walk.ts adds where it lies.

import { MAX_BOUNDARY_BYTES } from '../limits/http.ts';
import { type HeaderField, headerValue, isMediaType, parseParameters } from './headers.ts';
import { isMessageType } from './message-facts.ts';

export interface MimePart {
  /** as the line protocol numbers parts: '' for an outermost multipart, '1', '1.2' */
  number: string;
  /** lower case, '' if there is none */
  type: string;
  /** of Content-Type, by lower case name */
  params: Record<string, string>;
  charset: string;
  /** the longest of the name parameters and the file name */
  name: string;
  filename: string;
  /** lower case */
  disposition: string;
  /** without angle brackets */
  contentId: string;
  /** lower case, '' if there is none */
  encoding: string;
  /** byte offsets in the message body: header, content as it is encoded, its end without the delimiter's line end */
  headerStart: number;
  start: number;
  end: number;
  encodedLength: number;
  /** -1 if the encoding is not known */
  decodedLength: number;
  children: MimePart[];
}

/** A part whose header lies at headerStart and whose content begins at start; number and lengths are not known yet. */
export function partOf(fields: readonly HeaderField[], headerStart: number, start: number): MimePart {
  const contentType = parseParameters(headerValue(fields, 'Content-Type') ?? '');
  const disposition = parseParameters(headerValue(fields, 'Content-Disposition') ?? '');
  const type = contentType.value.toLowerCase();
  const filename = disposition.params.get('filename') ?? '';
  const names = [contentType.params.get('name') ?? '', disposition.params.get('name') ?? '', filename];
  return {
    number: '',
    type: isMediaType(type) ? type : '',
    params: Object.fromEntries(contentType.params),
    charset: contentType.params.get('charset')?.trim() ?? '',
    name: names.reduce((longest, name) => (name.length > longest.length ? name : longest)),
    filename,
    disposition: disposition.value.toLowerCase(),
    contentId: (headerValue(fields, 'Content-ID') ?? '').replace(/^<|>$/g, ''),
    encoding: parseParameters(headerValue(fields, 'Content-Transfer-Encoding') ?? '').value.toLowerCase(),
    headerStart,
    start,
    end: start,
    encodedLength: 0,
    decodedLength: 0,
    children: [],
  };
}

/** The boundary of a multipart that can be taken apart; any encoding it claims is wrong (RFC 2045 section 6.4). */
export function boundaryOf(part: MimePart): string | undefined {
  if (!part.type.startsWith('multipart/')) return undefined;
  const boundary = part.params.boundary?.trimEnd() ?? '';
  return boundary === '' || Buffer.byteLength(boundary) > MAX_BOUNDARY_BYTES ? undefined : boundary;
}

/** A message whose header and parts lie open: not one that was encoded as a whole. */
export function isEmbeddedMessage(part: MimePart): boolean {
  return isMessageType(part.type) && ['', '7bit', '8bit', 'binary'].includes(part.encoding);
}

/** Nothing inside: text, a file, or a multipart that cannot be taken apart. */
export function isLeaf(part: MimePart): boolean {
  return part.children.length === 0;
}

/** A message inside a message whose parts lie open: it is a file as well as what it contains. */
export function isMessage(part: MimePart): boolean {
  return !isLeaf(part) && !part.type.startsWith('multipart/');
}

/** All parts with content, in order; an embedded message and then what is in it. */
export function* contentParts(part: MimePart): Generator<MimePart> {
  if (isLeaf(part) || isMessage(part)) yield part;
  for (const child of part.children) yield* contentParts(child);
}

/** The part of a message that is a contact. */
export function cardPart(root: MimePart): MimePart | undefined {
  return contentParts(root).find(({ type }) => type === 'text/vcard' || type === 'text/x-vcard');
}

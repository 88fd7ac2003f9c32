// Content that hides a message of its own: winmail.dat, signed S/MIME data (RFC 8551 section 3.5.2), uuencoded files in a
// text, encoded messages and multiparts. Each becomes a MIME entity, whose parts are read, listed and fetched like any
// others.

import { MAX_DER_DEPTH, MAX_UNPACKED_BYTES, MAX_UNPACKED_FILES, MAX_UNPACKED_PARTS } from '../limits/mime.ts';
import { decodeText } from './coding/charset.ts';
import { decodedPieces, dropCrBeforeLf, UU_BEGIN, uuDecoder } from './coding/transfer.ts';
import { type EntityFile, entityOf, multipartIn } from './entity.ts';
import { parseHeaders } from './headers.ts';
import { isMessageType } from './message-facts.ts';
import { addSubject, contentOf, contentParts, isLeaf, type MimePart } from './part.ts';
import { tnefEntity } from './tnef.ts';
import { walk } from './walk.ts';

const TNEF = /^application\/(?:vnd\.)?ms-tnef$/;
const PKCS7 = /^application\/(?:x-)?pkcs7-mime$/;

export const isTnef = ({ type, name }: Pick<MimePart, 'type' | 'name'>): boolean =>
  TNEF.test(type) || (type === 'application/octet-stream' && /^winmail\.dat$/i.test(name));

const isPkcs7 = ({ type, name }: Pick<MimePart, 'type' | 'name'>): boolean =>
  PKCS7.test(type) || (type === 'application/octet-stream' && /\.p7m$/i.test(name));

type Packed = Pick<MimePart, 'type' | 'name' | 'charset'> & { params?: MimePart['params'] };

/** Whether the content may hold a message of its own that its container does not show. */
export function mayHoldMessage(part: Packed): boolean {
  return isText(part) || isTnef(part) || isPkcs7(part) || isMessageType(part.type) || isMultipart(part);
}

const isText = ({ type }: Packed): boolean => type === '' || type === 'text/plain';
const isMultipart = ({ type }: Packed): boolean => type.startsWith('multipart/');

/** The MIME entity inside the decoded content of a part; undefined if there is none. */
export function unpack(part: Packed, content: Buffer): Buffer | undefined {
  if (isTnef(part)) return tnefEntity(content);
  if (isPkcs7(part)) return signedContent(content);
  if (isMultipart(part)) return multipartIn(part.type, part.params?.boundary, content);
  if (isMessageType(part.type)) return content;
  return isText(part) ? withoutFiles(content, part.charset) : undefined;
}

/**
 * A message with the entities inside its parts as their children: `source` is longer, and their positions are in its
 * new end. At most MAX_UNPACKED_PARTS, of MAX_UNPACKED_BYTES together.
 */
export function unpackParts(source: Buffer, root: MimePart): Buffer {
  const pieces = [source];
  let length = source.length;
  const found = [...contentParts(root)].map((part) => ({ part, bytes: source, at: 0 }));
  for (const { part, bytes, at } of found) {
    if (pieces.length > MAX_UNPACKED_PARTS) break;
    if (!isLeaf(part) || part.number === '' || !mayHoldMessage(part)) continue;
    const entity = unpack(part, contentOf(bytes, moved(part, -at)));
    if (!entity || length - source.length + entity.length > MAX_UNPACKED_BYTES) continue;
    const inner = walk(entity);
    if (isMessageType(part.type)) addSubject(part, parseHeaders(entity.subarray(0, inner.start)));
    part.children = [moved(inner, length)];
    part.isUnpacked = true;
    for (const each of contentParts(part.children[0]!)) found.push({ part: each, bytes: entity, at: length });
    pieces.push(entity);
    length += entity.length;
  }
  return pieces.length === 1 ? source : Buffer.concat(pieces);
}

function moved(part: MimePart, by: number): MimePart {
  const { headerStart, start, end, children } = part;
  return {
    ...part,
    headerStart: headerStart + by,
    start: start + by,
    end: end + by,
    children: children.map((child) => moved(child, by)),
  };
}

/** A text with uuencoded files: the rest of the text, and the files. */
function withoutFiles(content: Buffer, charset: string): Buffer | undefined {
  if (!content.includes('begin ')) return undefined;
  const lines = content.toString('latin1').split('\n');
  const files: EntityFile[] = [];
  const rest: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const name = UU_BEGIN.exec(lines[at]!)?.[1];
    const end = name === undefined || files.length === MAX_UNPACKED_FILES ? -1 : uuEnd(lines, at + 1);
    if (name === undefined || end < 0) {
      rest.push(lines[at]!);
      continue;
    }
    const encoded = Buffer.from(`${lines.slice(at, end).join('\n')}\n`, 'latin1');
    const data = Buffer.concat([...decodedPieces([encoded], uuDecoder())]);
    files.push({ name: decodeText(Buffer.from(name, 'latin1'), charset), type: '', contentId: '', data });
    at = end;
  }
  if (files.length === 0) return undefined;
  return entityOf({ type: 'text/plain', charset, data: Buffer.from(rest.join('\n'), 'latin1') }, files);
}

/** The line `end` after nothing but uuencoded lines, or -1. */
function uuEnd(lines: readonly string[], start: number): number {
  for (let at = start; at < lines.length; at++) {
    const line = lines[at]!.trimEnd();
    if (line === 'end') return at > start ? at : -1;
    if (line !== '' && !/^[ -`]+$/.test(line)) return -1;
    const size = line === '' ? 0 : (line.charCodeAt(0) - 32) & 63;
    if (line.length > 1 + Math.ceil(size / 3) * 4 + 2) return -1;
  }
  return -1;
}

const DER = { octets: 0x04, oid: 0x06, sequence: 0x30, explicit: 0xa0 };
/** 1.2.840.113549.1.7.2 */
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');

interface DerElement {
  tag: number;
  start: number;
  end: number;
  /** start of what follows */
  next: number;
}

/** The content that was signed (RFC 5652 section 5.1); undefined for anything else. */
function signedContent(der: Buffer): Buffer | undefined {
  const info = derChildren(der, { tag: 0, start: 0, end: der.length, next: 0 }, 1)[0];
  const [type, wrapped] = info?.tag === DER.sequence ? derChildren(der, info, 2) : [];
  if (type?.tag !== DER.oid || !der.subarray(type.start, type.end).equals(SIGNED_DATA) || !wrapped) return undefined;
  const signed = derChildren(der, wrapped, 1)[0];
  const encapsulated = signed && derChildren(der, signed, 3)[2];
  const explicit = encapsulated && derChildren(der, encapsulated, 2)[1];
  const octets = explicit?.tag === DER.explicit ? derChildren(der, explicit, 1)[0] : undefined;
  return octets && dropCrBeforeLf(Buffer.concat(octetsOf(der, octets)));
}

/** Of a string in pieces all of them. */
function octetsOf(der: Buffer, element: DerElement, depth = 0): Buffer[] {
  if (element.tag === DER.octets) return [der.subarray(element.start, element.end)];
  if ((element.tag & 0x20) === 0 || depth === MAX_DER_DEPTH) return [];
  return derChildren(der, element, Number.POSITIVE_INFINITY).flatMap((child) => octetsOf(der, child, depth + 1));
}

function derChildren(der: Buffer, { start, end }: DerElement, count: number): DerElement[] {
  const children: DerElement[] = [];
  for (let at = start; at < end && children.length < count; ) {
    const child = derElement(der, at, end, 0);
    if (!child || (child.tag === 0 && child.start === child.end)) break;
    children.push(child);
    at = child.next;
  }
  return children;
}

/** An element, also of indefinite length (X.690). One that is cut ends with the data. */
function derElement(der: Buffer, at: number, limit: number, depth: number): DerElement | undefined {
  if (at + 2 > limit) return undefined;
  const tag = der[at]!;
  const first = der[at + 1]!;
  if (first < 0x80) return { tag, start: at + 2, end: Math.min(at + 2 + first, limit), next: at + 2 + first };
  const start = at + 2 + (first & 0x7f);
  if (first !== 0x80) {
    if (first > 0x84 || start > limit) return undefined;
    const next = start + der.readUIntBE(at + 2, first & 0x7f);
    return { tag, start, end: Math.min(next, limit), next };
  }
  if (depth === MAX_DER_DEPTH) return undefined;
  for (let inner = start; ; ) {
    const child = derElement(der, inner, limit, depth + 1);
    if (!child) return { tag, start, end: limit, next: limit };
    if (child.tag === 0 && child.start === child.end) return { tag, start, end: inner, next: child.next };
    inner = child.next;
  }
}

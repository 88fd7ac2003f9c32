// Content that hides a message of its own: winmail.dat (TNEF, MS-OXTNEF), signed S/MIME data (RFC 8551 section 3.5.2) and
// uuencoded files in a text. Each becomes a MIME entity, whose parts are read, listed and fetched like any others.

import { MAX_DER_DEPTH, MAX_TNEF_PROPERTIES, MAX_UNPACKED_FILES, MAX_UNPACKED_PARTS } from '../limits/mime.ts';
import { decodeText } from './coding/charset.ts';
import { decodedPieces, dropCrBeforeLf, UU_BEGIN, uuDecoder } from './coding/transfer.ts';
import { formatContentDisposition, formatContentType, isMediaType } from './headers.ts';
import { contentOf, contentParts, isLeaf, type MimePart } from './part.ts';
import { decompressRtf, readRtf } from './rtf.ts';
import { walk } from './walk.ts';

interface File {
  name: string;
  /** '' if unknown */
  type: string;
  contentId: string;
  data: Buffer;
}

const TNEF = /^application\/(?:vnd\.)?ms-tnef$/;
const PKCS7 = /^application\/(?:x-)?pkcs7-mime$/;

export const isTnef = ({ type, name }: Pick<MimePart, 'type' | 'name'>): boolean =>
  TNEF.test(type) || (type === 'application/octet-stream' && /^winmail\.dat$/i.test(name));

const isPkcs7 = ({ type, name }: Pick<MimePart, 'type' | 'name'>): boolean =>
  PKCS7.test(type) || (type === 'application/octet-stream' && /\.p7m$/i.test(name));

/** The MIME entity inside the decoded content of a part; undefined if there is none. */
export function unpack(part: Pick<MimePart, 'type' | 'name' | 'charset'>, content: Buffer): Buffer | undefined {
  if (isTnef(part)) return tnefEntity(content);
  if (isPkcs7(part)) return signedContent(content);
  return part.type === 'text/plain' || part.type === '' ? withoutFiles(content, part.charset) : undefined;
}

/**
 * A message with the entities inside its parts as their children: `source` is longer, and their positions are in its
 * new end.
 */
export function unpackParts(source: Buffer, root: MimePart): Buffer {
  const pieces = [source];
  let length = source.length;
  for (const part of [...contentParts(root)]) {
    if (pieces.length > MAX_UNPACKED_PARTS) break;
    const mayHold = isLeaf(part) && (part.type === '' || part.type === 'text/plain' || isTnef(part) || isPkcs7(part));
    const entity = mayHold ? unpack(part, contentOf(source, part)) : undefined;
    if (!entity) continue;
    part.children = [moved(walk(entity), length)];
    part.isUnpacked = true;
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

/** Does not occur in the parts: text that contains it is encoded, too. */
const BOUNDARY = 'unpacked-part-boundary';

interface Text {
  type: string;
  charset: string;
  data: Buffer;
}

function entityOf(text: Text | undefined, files: readonly File[]): Buffer {
  const part = (header: string, data: Buffer) =>
    `--${BOUNDARY}\n${header}Content-Transfer-Encoding: base64\n\n${data.toString('base64')}\n`;
  const parts = files.map(({ name, type, contentId, data }) => {
    const known = isMediaType(type) ? type : 'application/octet-stream';
    const disposition = formatContentDisposition('attachment', name);
    const id = /^[!-~]+$/.test(contentId) ? `Content-ID: <${contentId}>\n` : '';
    return part(`Content-Type: ${known}\nContent-Disposition: ${disposition}\n${id}`, data);
  });
  const params: [string, string][] = text && text.charset !== '' ? [['charset', text.charset]] : [];
  const first = text ? part(`Content-Type: ${formatContentType(text.type, params)}\n`, text.data) : '';
  return Buffer.from(
    `Content-Type: multipart/mixed; boundary=${BOUNDARY}\n\n${first}${parts.join('')}--${BOUNDARY}--\n`,
  );
}

/** A text with uuencoded files: the rest of the text, and the files. */
function withoutFiles(content: Buffer, charset: string): Buffer | undefined {
  if (!content.includes('begin ')) return undefined;
  const lines = content.toString('latin1').split('\n');
  const files: File[] = [];
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

const TNEF_SIGNATURE = 0x223e9f78;
const ATTRIBUTE = {
  body: 0x800c,
  data: 0x800f,
  title: 0x8010,
  rendering: 0x9002,
  message: 0x9003,
  attachment: 0x9005,
  codePage: 0x9007,
};
const PROPERTY = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  data: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  type: 0x370e,
  contentId: 0x3712,
};
/** bytes of values that have no length of their own */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const STRING_8 = 0x1e;
const UNICODE = 0x1f;
const OBJECT = 0x0d;
/** an object begins with the id of its interface */
const INTERFACE_BYTES = 16;

/** Text and files of a winmail.dat. What is cut off at its end is left out. */
function tnefEntity(tnef: Buffer): Buffer | undefined {
  if (tnef.length < 6 || tnef.readUInt32LE(0) !== TNEF_SIGNATURE) return undefined;
  const files: File[] = [];
  let charset = '';
  let text: Text | undefined;
  for (let at = 6; at + 9 <= tnef.length; ) {
    const id = tnef.readUInt16LE(at + 1);
    const start = at + 9;
    const end = start + tnef.readUInt32LE(at + 5);
    if (end > tnef.length) break;
    const data = tnef.subarray(start, end);
    const file = files.at(-1);
    if (id === ATTRIBUTE.codePage && data.length >= 4) charset = String(data.readUInt32LE(0));
    if (id === ATTRIBUTE.body) text ??= { type: 'text/plain', charset, data: withoutNul(data) };
    if (id === ATTRIBUTE.message) {
      text = messageTextIn(propertiesIn(data, charset), charset, text);
    }
    if (id === ATTRIBUTE.rendering) {
      if (files.length === MAX_UNPACKED_FILES) break;
      files.push({ name: '', type: '', contentId: '', data: Buffer.alloc(0) });
    }
    if (file && id === ATTRIBUTE.title) file.name ||= decodeText(withoutNul(data), charset);
    if (file && id === ATTRIBUTE.data) file.data = data;
    if (file && id === ATTRIBUTE.attachment) Object.assign(file, fileFacts(propertiesIn(data, charset)));
    at = end + 2;
  }
  return text || files.length > 0 ? entityOf(text, files) : undefined;
}

/** Its HTML, which may be inside RTF, else its plain text, which may be `known`, else that of its RTF. */
function messageTextIn({ html, rtf, body }: Properties, charset: string, known: Text | undefined): Text | undefined {
  if (html) return { type: 'text/html', charset, data: html };
  const source = rtf && decompressRtf(rtf);
  const read = source && readRtf(source);
  if (read?.isHtml) return { type: 'text/html', charset: 'utf-8', data: Buffer.from(read.text) };
  if (body) return { type: 'text/plain', charset: 'utf-8', data: body };
  return known ?? (read && { type: 'text/plain', charset: 'utf-8', data: Buffer.from(read.text) });
}

function fileFacts({ longFileName, fileName, type, contentId, data }: Properties): Partial<File> {
  const name = (longFileName ?? fileName)?.toString();
  return {
    ...(name && { name }),
    ...(type && { type: type.toString().toLowerCase() }),
    ...(contentId && { contentId: contentId.toString() }),
    ...(data && { data }),
  };
}

/** strings in UTF-8 */
type Properties = Partial<Record<keyof typeof PROPERTY, Buffer>>;

/** The first value of each property that is used here (MS-OXTNEF). */
function propertiesIn(bytes: Buffer, charset: string): Properties {
  const found: Properties = {};
  const names = new Map(Object.entries(PROPERTY).map(([name, id]) => [id, name as keyof typeof PROPERTY]));
  let at = 4;
  const u32 = (): number => {
    at += 4;
    return at <= bytes.length ? bytes.readUInt32LE(at - 4) : Number.POSITIVE_INFINITY;
  };
  let left = Math.min(bytes.length < 4 ? 0 : bytes.readUInt32LE(0), MAX_TNEF_PROPERTIES);
  for (; left > 0 && at + 4 <= bytes.length; left--) {
    const tag = u32();
    const [type, id] = [tag & 0x0fff, tag >>> 16];
    if (id >= 0x8000) {
      at += 16;
      const isNumber = u32() === 0;
      const size = u32();
      if (!isNumber) at += padded(size);
    }
    const fixed = FIXED_SIZES[type];
    const isMany = (tag & 0x1000) !== 0;
    let count = isMany || fixed === undefined ? Math.min(u32(), bytes.length) : 1;
    for (; count > 0 && at < bytes.length; count--) {
      const size = fixed ?? u32();
      const value = bytes.subarray(at, at + size);
      at += padded(size);
      const name = names.get(id);
      if (name === undefined || value.length < size) continue;
      found[name] ??= readValue(type, value, charset);
    }
  }
  return found;
}

const padded = (size: number): number => Math.ceil(size / 4) * 4;

function readValue(type: number, value: Buffer, charset: string): Buffer {
  if (type === UNICODE) return withoutNul(Buffer.from(decodeText(value, 'utf-16le')));
  if (type === STRING_8) return withoutNul(Buffer.from(decodeText(value, charset)));
  return type === OBJECT ? value.subarray(INTERFACE_BYTES) : value;
}

function withoutNul(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

// Text and files of a winmail.dat (TNEF, MS-OXTNEF), and the messages in it.

import { MAX_TNEF_DEPTH, MAX_TNEF_PROPERTIES, MAX_UNPACKED_FILES } from '../limits/mime.ts';
import { formatDate } from './addresses.ts';
import { decodeText } from './coding/charset.ts';
import { type EntityFile, type EntityText, entityOf } from './entity.ts';
import { formatHeader } from './headers.ts';
import { decompressRtf, readRtf } from './rtf.ts';

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
  subject: 0x0037,
  sent: 0x0039,
  from: 0x0c1a,
  address: 0x0c1f,
  internetAddress: 0x5d01,
  cc: 0x0e03,
  to: 0x0e04,
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
const SECONDS_TO_1970 = 11_644_473_600;
/** the year 10000 */
const MAX_SECONDS = 253_402_300_800;
/** an object begins with the id of its interface */
const INTERFACE_BYTES = 16;

/** Text and files of a winmail.dat. What is cut off at its end is left out. */
export function tnefEntity(tnef: Buffer, depth = 0): Buffer | undefined {
  const { text, files } = tnefContent(tnef, depth) ?? {};
  return text || files?.length ? entityOf(text, files ?? []) : undefined;
}

interface TnefContent {
  text: EntityText | undefined;
  files: EntityFile[];
  properties: Properties;
}

function tnefContent(tnef: Buffer, depth: number): TnefContent | undefined {
  if (tnef.length < 6 || tnef.readUInt32LE(0) !== TNEF_SIGNATURE) return undefined;
  const files: EntityFile[] = [];
  let properties: Properties = {};
  let charset = '';
  let text: EntityText | undefined;
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
      properties = propertiesIn(data, charset);
      text = messageTextIn(properties, charset, text);
    }
    if (id === ATTRIBUTE.rendering) {
      if (files.length === MAX_UNPACKED_FILES) break;
      files.push({ name: '', type: '', contentId: '', data: Buffer.alloc(0) });
    }
    if (file && id === ATTRIBUTE.title) file.name ||= decodeText(withoutNul(data), charset);
    if (file && id === ATTRIBUTE.data) file.data = data;
    if (file && id === ATTRIBUTE.attachment) Object.assign(file, fileFacts(propertiesIn(data, charset), depth));
    at = end + 2;
  }
  return { text, files, properties };
}

/** Its HTML, which may be inside RTF, else its plain text, which may be `known`, else that of its RTF. */
function messageTextIn(
  { html, rtf, body }: Properties,
  charset: string,
  known: EntityText | undefined,
): EntityText | undefined {
  if (html) return { type: 'text/html', charset, data: html };
  const source = rtf && decompressRtf(rtf);
  const read = source && readRtf(source);
  if (read?.isHtml) return { type: 'text/html', charset: 'utf-8', data: Buffer.from(read.text) };
  if (body) return { type: 'text/plain', charset: 'utf-8', data: body };
  return known ?? (read && { type: 'text/plain', charset: 'utf-8', data: Buffer.from(read.text) });
}

/** A message in the form of a winmail.dat, which another one brings as a file. */
function embeddedMessage(data: Buffer, depth: number): Partial<EntityFile> | undefined {
  const content = depth < MAX_TNEF_DEPTH ? tnefContent(data, depth + 1) : undefined;
  if (!content) return undefined;
  const { sent, ...properties } = content.properties;
  const line = (key: keyof typeof properties) => properties[key]?.toString().replaceAll(/\p{Cc}+/gu, ' ') ?? '';
  const field = (name: string, value: string) => (value === '' ? '' : formatHeader(name, value));
  const sender = line('internetAddress') || line('address');
  const title = line('subject');
  const header = [
    field('From', /^[^\s<>@]+@[^\s<>]+$/.test(sender) ? `${line('from')} <${sender}>`.trim() : line('from')),
    field('To', line('to')),
    field('Cc', line('cc')),
    field('Subject', title),
    field('Date', (sent && dateOf(sent)) ?? ''),
  ];
  const message = Buffer.concat([Buffer.from(header.join('')), entityOf(content.text, content.files)]);
  return { type: 'message/rfc822', data: message, ...(title && { name: `${title}.eml` }) };
}

/** A count of 100 ns since 1601; undefined for one that no Date field has. */
function dateOf(time: Buffer): string | undefined {
  const seconds = time.length === 8 ? Number(time.readBigUInt64LE(0) / 10_000_000n) - SECONDS_TO_1970 : 0;
  return seconds > 0 && seconds < MAX_SECONDS ? formatDate(seconds) : undefined;
}

function fileFacts(properties: Properties, depth: number): Partial<EntityFile> {
  const { longFileName, fileName, type, contentId, data } = properties;
  const message = data && embeddedMessage(data, depth);
  if (message) return message;
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

// What GET returns for a stored message, derived from the header lines that a gateway wrote into it: name, media type,
// and how the content is stored. The gateway uses this for any room server, the embedded room server for its own.

import { hash } from 'node:crypto';
import { MAX_TEMPLATE_VALUE_BYTES } from '../limits/protocol.ts';
import { UNTYPED } from '../model.ts';
import { isUnencoded } from './coding/transfer.ts';
import { type HeaderField, headerValue, isMediaType, parseParameters } from './headers.ts';
import { isCalendar, isCard } from './objects/properties.ts';

/** percent-encoded, to survive room servers that truncate or fold long lines */
export const NAME_HEADER = 'X-Vestibule-Name';
export const SIZE_HEADER = 'X-Vestibule-Size';
/** `crlf 1234`: original line ends and length of a multipart that is stored with LF */
export const LINES_HEADER = 'X-Vestibule-Lines';
/** media type of a multipart that had to be encoded as a whole, or of HTML that was given a text alternative */
export const TYPE_HEADER = 'X-Vestibule-Type';
/** prefix for the protocol's field names in a migrated message */
export const MARK_PREFIX = 'X-Vestibule-Original-';
export const DEFAULT_TEXT = 'text/plain; charset=utf-8';

const TIME_HEADER = `${MARK_PREFIX}time`;
export const EUID_MARK = `${MARK_PREFIX}exti`;

/** lower-case names of the header fields read here */
export const CONTENT_FIELDS: ReadonlySet<string> = new Set(
  [NAME_HEADER, SIZE_HEADER, LINES_HEADER, TYPE_HEADER, TIME_HEADER, 'Content-Type', 'Content-Transfer-Encoding'].map(
    (name) => name.toLowerCase(),
  ),
);

/** address that MSG2 returns for hidden authors */
export const NOBODY = 'x@x.org';

/** header fields of an anonymous message that cannot reveal its author */
const ANONYMOUS_FIELDS = new Set([
  ...CONTENT_FIELDS,
  ...['date', 'to', 'cc', 'bcc', 'references', 'in-reply-to', 'subject', 'message-id', 'mime-version'],
]);

/** The header block of an anonymous message without fields that may reveal the author. LF or CR LF. */
export function withoutAuthor(header: Buffer): Buffer {
  let isShown = true;
  const lines = header
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter((line) => {
      // continuation lines go with their field
      if (/^[ \t]/.test(line)) return isShown;
      const name = line
        .slice(0, Math.max(0, line.indexOf(':')))
        .trim()
        .toLowerCase();
      const isNobody = name === 'from' && line.trimEnd().endsWith(`<${NOBODY}>`);
      isShown = isNobody || name.startsWith('content-') || ANONYMOUS_FIELDS.has(name) || line.trim() === '';
      return isShown;
    });
  return Buffer.from(lines.join(''), 'latin1');
}

/** The name of a stored message; most have none. */
export function nameFrom(headers: readonly HeaderField[]): string | undefined {
  const encoded = headerValue(headers, NAME_HEADER);
  if (encoded === undefined || encoded === '') return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // not written by a gateway
  }
}

/** The length of the content at PUT. */
export function sizeFrom(headers: readonly HeaderField[]): number | undefined {
  const digits = headerValue(headers, SIZE_HEADER);
  return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** Unix time of a message before its migration, or undefined. Takes headers as MSG2 prints them. */
export function originalTimeFrom(headers: readonly HeaderField[]): number | undefined {
  const text = headerValue(headers, TIME_HEADER);
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}

/** The euid of a message before it came into a room that gave it none, or another one. */
export function originalEuidFrom(headers: readonly HeaderField[]): string {
  return decodeMark(headerValue(headers, EUID_MARK) ?? '');
}

/** The value of a field as it stands in a header line behind MARK_PREFIX. */
export function encodeMark(value: string): string {
  return encodeURI(value.toWellFormed()).replaceAll('%20', ' ');
}

export function decodeMark(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}

/** RFC 2046 section 5.1 */
export function isMultipart(contentType: string): boolean {
  return /^multipart\//i.test(contentType.trim());
}

function isAlternative(contentType: string): boolean {
  return /^multipart\/alternative\b/i.test(contentType.trim());
}

interface StoredContent {
  /** as it was PUT; empty if the message has no MIME header */
  contentType: string;
  /** undefined: the content is this part, decoded. Otherwise it is the text of the message. */
  lines: { ending: 'crlf' | 'lf'; length: number | undefined } | undefined;
  part: '1' | '2';
}

/** Reads the headers back. Multiparts from elsewhere keep the CR LF of internet mail; their length is unknown. */
export function storedContent(headers: readonly HeaderField[], format: string): StoredContent {
  const whole = { part: '1' } as const;
  if (format === '0' || format === '1') {
    return { ...whole, contentType: DEFAULT_TEXT, lines: { ending: 'lf', length: undefined } };
  }
  const contentType = headerValue(headers, 'content-type') ?? '';
  const type = headerValue(headers, TYPE_HEADER);
  if (!isMultipart(contentType)) return { ...whole, contentType: type ?? contentType, lines: undefined };
  if (type !== undefined && isAlternative(contentType)) return { contentType: type, lines: undefined, part: '2' };
  const marker = /^(crlf|lf) (\d{1,15})$/.exec(headerValue(headers, LINES_HEADER) ?? '');
  const lines = marker
    ? { ending: marker[1] as 'crlf' | 'lf', length: Number(marker[2]) }
    : { ending: 'crlf' as const, length: undefined };
  return { ...whole, contentType, lines };
}

/** What GET sends: the media type and the source of the bytes. */
export interface SentForm {
  contentType: string;
  /** set: the content is the text of the message; undefined: it is `part`, decoded */
  lines: StoredContent['lines'];
  part: StoredContent['part'];
}

const AS_STORED: StoredContent['lines'] = { ending: 'lf', length: undefined };

/** `hasPartOne`: the message has a part 1. */
export function sentForm(headers: readonly HeaderField[], format: string, hasPartOne: boolean): SentForm {
  const { contentType, lines, part } = storedContent(headers, format);
  // no list has the parts of an alternative
  const hasPart = part !== '1' || (hasPartOne && isDecodable(headers));
  return { contentType: sendableType(contentType), lines: lines ?? (hasPart ? undefined : AS_STORED), part };
}

/** A real server creates no part of fewer than three bytes, and none of an encoding it does not know (quirk Q38). */
function isDecodable(headers: readonly HeaderField[]): boolean {
  const encoding = headerValue(headers, 'content-transfer-encoding')?.trim() ?? '';
  return /^(|7bit|8bit|binary)$/i.test(encoding) || !isUnencoded({ encoding });
}

/** Mail may contain any bytes in Content-Type; HTTP header fields are ASCII. */
export function sendableType(stored: string): string {
  if (!/[^\t -~]/.test(stored)) return stored || UNTYPED;
  const { value, params } = parseParameters(stored);
  const charset = params.get('charset') ?? '';
  return withCharset(isMediaType(value) ? value : 'application/octet-stream', charset);
}

/** Adds the parameter if its value needs no quoting. */
export function withCharset(type: string, charset: string): string {
  const label = charset.trim();
  return /^[\w.:+-]+$/.test(label) ? `${type}; charset=${label}` : type;
}

const CARD_START = 'begin:vcard\r\n';
const OLD_VERSION = /^VERSION:2\.1(?=\r?$)/m;
/** only vCard 2.1 has this encoding, so the card was received as 2.1 */
const OLD_CODING = /[;=]QUOTED-PRINTABLE[;:]/i;

/**
 * A Citadel server rewrites a vCard 3.0 with `VERSION:2.1` and a lower-case frame (protocol section 17.2), which
 * clients misread. Restores version and frame without changing the length. Returns any other card unchanged; clients
 * cannot PUT vCard 2.1.
 */
export function asVersion3(card: Buffer): Buffer {
  if (!/^begin:vcard\r?\n/.test(card.toString('latin1', 0, CARD_START.length))) return card;
  const text = card.toString('latin1');
  if (!OLD_VERSION.test(text) || OLD_CODING.test(text)) return card;
  const framed = text.replace(/^(?:begin|end):vcard(?=\r?$)/gm, (line) => line.toUpperCase());
  return Buffer.from(framed.replace(OLD_VERSION, 'VERSION:3.0'), 'latin1');
}

/** Header lines with the name and the length of a named message. */
export function namingHeaders(name: string, size: number): [string, string][] {
  return [
    [NAME_HEADER, encodeURIComponent(name.toWellFormed())],
    [SIZE_HEADER, String(size)],
  ];
}

/**
 * The subject of a named message, by which servers without names find it: the name itself if a room server stores it
 * unchanged, else one encoded word; a long name is shortened to fit a template line of MSGS.
 */
export function subjectOfName(name: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(name) && !/[|]|=\?/.test(name);
  if (isPlain && name.length <= MAX_TEMPLATE_VALUE_BYTES) return name;
  const whole = encodedWord(name);
  if (whole.length <= MAX_TEMPLATE_VALUE_BYTES) return whole;
  const digest = hash('sha256', name, 'hex').slice(0, 16);
  let start = '';
  for (const char of name) {
    if (Buffer.byteLength(start + char) > SHORTENED_BYTES) break;
    start += char;
  }
  return encodedWord(`${start}… ${digest}`);
}

/** of a longer name, before its digest */
const SHORTENED_BYTES = 120;

function encodedWord(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text.toWellFormed()).toString('base64')}?=`;
}

const HAS_UID = /^text\/(calendar|vcard|x-vcard|directory|vnote|x-vnote)\b|^application\/ics\b/i;

/** The first UID of `source` (RFC 5545 section 3.8.4.7, RFC 6350 section 6.7.6), unfolded; '' if there is none. */
export async function uidOf(contentType: string, source: AsyncIterable<Buffer>): Promise<string> {
  if (!HAS_UID.test(contentType.trim())) return '';
  const text = Buffer.concat(await Array.fromAsync(source))
    .toString('utf8')
    .replace(/\r?\n[ \t]/g, '');
  return /(?:^|[\r\n])UID(?:;[^:\r\n]*)?:([^\r\n]*)/i.exec(text)?.[1]?.trim() ?? '';
}

/** Whether this media type may be a calendar object or a card. */
export function isObjectType(contentType: string): boolean {
  const type = parseParameters(contentType).value.toLowerCase();
  return isCalendar(type) || isCard(type);
}

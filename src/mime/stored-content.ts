// What GET sends of a stored message, read back from the header lines that a gateway has written into it: its name, its
// media type, and in which form the content lies there. The gateway reads them of any room server's messages, the
// embedded room server of its own.

import { UNTYPED } from '../model.ts';
import { type HeaderField, headerValue, isMediaType, parseParameters } from './headers.ts';

/** percent-encoded, so that a room server that cuts or folds long lines does no harm to it */
export const NAME_HEADER = 'X-Vestibule-Name';
export const SIZE_HEADER = 'X-Vestibule-Size';
/** `crlf 1234`: line ends and length of a multipart that is stored as it is, with LF */
export const LINES_HEADER = 'X-Vestibule-Lines';
/** media type of a multipart that had to be packed whole */
export const TYPE_HEADER = 'X-Vestibule-Type';
/** before the protocol's name of a field of a message that was copied */
export const MARK_PREFIX = 'X-Vestibule-Original-';
export const DEFAULT_TEXT = 'text/plain; charset=utf-8';

const TIME_HEADER = `${MARK_PREFIX}time`;

/** Lower case: the header fields that anything here looks at. */
export const CONTENT_FIELDS: ReadonlySet<string> = new Set(
  [NAME_HEADER, SIZE_HEADER, LINES_HEADER, TYPE_HEADER, TIME_HEADER, 'Content-Type', 'Content-Transfer-Encoding'].map(
    (name) => name.toLowerCase(),
  ),
);

/** the address that MSG2 gives to authors who are hidden */
export const NOBODY = 'x@x.org';

/** what an anonymous message may show of its header: anything else may name its author */
const ANONYMOUS_FIELDS = new Set([
  ...CONTENT_FIELDS,
  ...['date', 'to', 'cc', 'bcc', 'references', 'in-reply-to', 'subject', 'message-id', 'mime-version'],
]);

/** The header block of an anonymous message without the fields that may name its author. LF or CR LF. */
export function withoutAuthor(header: Buffer): Buffer {
  let isShown = true;
  const lines = header
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter((line) => {
      // a field goes with the lines that continue it
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

/** The name that a stored message has; undefined for most. */
export function nameFrom(headers: readonly HeaderField[]): string | undefined {
  const encoded = headerValue(headers, NAME_HEADER);
  if (encoded === undefined || encoded === '') return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // not written by a gateway
  }
}

/** The length of the content as it was PUT. */
export function sizeFrom(headers: readonly HeaderField[]): number | undefined {
  const digits = headerValue(headers, SIZE_HEADER);
  return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** Unix time of a message before it was copied; undefined for one that was not. `headers` as MSG2 prints them. */
export function originalTimeFrom(headers: readonly HeaderField[]): number | undefined {
  const text = headerValue(headers, TIME_HEADER);
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}

/** RFC 2046 section 5.1 */
export function isMultipart(contentType: string): boolean {
  return /^multipart\//i.test(contentType.trim());
}

/** What a reader needs to know of a stored message. */
interface StoredContent {
  /** as it was PUT; empty for messages that are no MIME messages */
  contentType: string;
  /** undefined: the content is part 1, to be fetched decoded; otherwise it is the text of the message */
  lines: { ending: 'crlf' | 'lf'; length: number | undefined } | undefined;
}

/** Reads the headers back. Foreign multiparts keep the CR LF of internet mail, their length is not known beforehand. */
export function storedContent(headers: readonly HeaderField[], format: string): StoredContent {
  if (format === '0' || format === '1') {
    return { contentType: DEFAULT_TEXT, lines: { ending: 'lf', length: undefined } };
  }
  const contentType = headerValue(headers, 'content-type') ?? '';
  if (!isMultipart(contentType)) {
    return { contentType: headerValue(headers, TYPE_HEADER) ?? contentType, lines: undefined };
  }
  const marker = /^(crlf|lf) (\d{1,15})$/.exec(headerValue(headers, LINES_HEADER) ?? '');
  const lines = marker
    ? { ending: marker[1] as 'crlf' | 'lf', length: Number(marker[2]) }
    : { ending: 'crlf' as const, length: undefined };
  return { contentType, lines };
}

/** What GET sends: the media type, and where the bytes are. */
export interface SentForm {
  contentType: string;
  /** the content is the text of the message; undefined: it is part 1, decoded */
  lines: StoredContent['lines'];
}

const AS_STORED: StoredContent['lines'] = { ending: 'lf', length: undefined };

/** `hasPartOne`: the message has a part 1, decoded or not. */
export function sentForm(headers: readonly HeaderField[], format: string, hasPartOne: boolean): SentForm {
  const { contentType, lines } = storedContent(headers, format);
  return {
    contentType: sendableType(contentType),
    lines: lines ?? (hasPartOne && isDecodable(headers) ? undefined : AS_STORED),
  };
}

/**
 * A real server makes no part of fewer than three bytes, and none that it cannot decode (quirk Q38,
 * protocol section 12).
 */
function isDecodable(headers: readonly HeaderField[]): boolean {
  const encoding = headerValue(headers, 'content-transfer-encoding')?.trim() || '7bit';
  return /^(7bit|8bit|binary|base64|quoted-printable)$/i.test(encoding);
}

/** Mail from elsewhere may hold anything in its Content-Type, an answer's header only ASCII. */
export function sendableType(stored: string): string {
  if (!/[^\t -~]/.test(stored)) return stored || UNTYPED;
  const { value, params } = parseParameters(stored);
  const charset = params.get('charset') ?? '';
  return withCharset(isMediaType(value) ? value : 'application/octet-stream', charset);
}

/** The parameter only where its value can be sent as it is. */
export function withCharset(type: string, charset: string): string {
  const label = charset.trim();
  return /^[\w.:+-]+$/.test(label) ? `${type}; charset=${label}` : type;
}

const FIRST = /^begin:vcard\r?\n/;
const OLD_VERSION = /^VERSION:2\.1(?=\r?$)/m;
/** what only 2.1 has: such a card came in this version */
const OLD_CODING = /[;=]QUOTED-PRINTABLE[;:]/i;

/** As vCard 3.0, of the same length; what is no such contact as it is. A client can PUT none of version 2.1. */
export function asVersion3(card: Buffer): Buffer {
  if (!FIRST.test(card.toString('latin1', 0, FIRST_BYTES))) return card;
  const text = card.toString('latin1');
  if (!OLD_VERSION.test(text) || OLD_CODING.test(text)) return card;
  const framed = text.replace(/^(?:begin|end):vcard(?=\r?$)/gm, (line) => line.toUpperCase());
  return Buffer.from(framed.replace(OLD_VERSION, 'VERSION:3.0'), 'latin1');
}

const FIRST_BYTES = 'begin:vcard\r\n'.length;

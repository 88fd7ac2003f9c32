// The bytes of an XML body as text: UTF-8 or UTF-16, with or without a byte order mark (XML 1.0, appendix F), line ends
// as LF, and no character that XML forbids.

import { AppError } from '../errors.ts';

const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
/** the declaration of a text that we have decoded already can only be one of these */
const DECLARED = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Throws bad_request for other encodings, malformed bytes and characters that XML cannot hold. */
export function decodeXml(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('bad_request', `The XML is not ${encoding.toUpperCase()}.`, { cause });
  }
  if (FORBIDDEN.test(text)) throw new AppError('bad_request', 'The XML holds a control character.');
  const declared = DECLARED.exec(text)?.[1]?.toLowerCase();
  if (declared !== undefined && !fits(declared, encoding)) {
    throw new AppError('bad_request', 'The XML must be UTF-8 or UTF-16.');
  }
  return text.replace(/\r\n?/g, '\n');
}

/** XML 1.0 section 2.2 */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

function encodingOf(bytes: Buffer): Encoding {
  const start = bytes.toString('latin1', 0, 2);
  if (start === '\xff\xfe' || start === '<\0') return 'utf-16le';
  if (start === '\xfe\xff' || start === '\0<') return 'utf-16be';
  return 'utf-8';
}

function fits(declared: string, encoding: Encoding): boolean {
  if (encoding === 'utf-8') return declared === 'utf-8' || declared === 'utf8' || declared === 'us-ascii';
  return declared === 'utf-16' || declared === encoding;
}

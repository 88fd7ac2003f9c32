// Builds message bodies for ENT0 (protocol section 15) as a stream: MIME header lines, a blank line, the content, with
// LF line ends. The result contains no NUL, no CR and no line `000`, so it passes the line protocol unchanged.

import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import { MAX_TEXT_LINE_BYTES, MIN_MIME_PART_BYTES } from '../limits/mime.ts';
import { encoderFor, MIME_VERSION, type TransferEncoding, transform, withoutCr } from './coding/transfer.ts';
import { type EncodingFacts, EncodingScanner, isLineText } from './encoding-facts.ts';
import { formatContentType, formatExtendedParameter, formatHeader, isMediaType, parseParameters } from './headers.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface MessageContent {
  /** value of the header field with parameters: see formatContentType */
  contentType: string;
  /** see chooseEncoding */
  encoding: TransferEncoding;
  extraHeaders?: HeaderPairs | undefined;
  open(): AsyncIterable<Buffer>;
}

export interface MessageAttachment {
  filename: string;
  contentType: string;
  /** of a message */
  message?: EncodingFacts;
  open(): AsyncIterable<Buffer>;
}

/** decodes to nothing; brings a part up to the minimum length */
const PADDING = { identity: '', 'quoted-printable': '=\n=\n', base64: '\n\n\n' } as const;

/**
 * The body of a message: the content, as an alternative to `plain` if that is given, or multipart/mixed with it first.
 * Throws bad_request for header values that contain line breaks, internal for content that `identity` cannot carry.
 */
export async function* buildMessage(message: {
  content: MessageContent;
  /** for readers without HTML */
  plain?: MessageContent | undefined;
  attachments: readonly MessageAttachment[];
  /** of the message, written before those of the content */
  headers?: HeaderPairs;
}): AsyncGenerator<Buffer> {
  const { content, plain, attachments, headers } = message;
  const { extraHeaders, ...html } = content;
  const shown = plain ? joined('alternative', [entityOf(plain), entityOf(html)], extraHeaders) : entityOf(content);
  const whole = attachments.length === 0 ? shown : joined('mixed', [shown, ...attachments.map(attached)]);
  yield Buffer.from(`${MIME_VERSION}\n${headerLines(headers)}${whole.header}\n`);
  yield* whole.open();
}

/** Header lines, and the encoded content behind them. */
interface Entity {
  header: string;
  /** not 7-bit (RFC 2045 section 6.4) */
  is8Bit: boolean;
  open(): AsyncIterable<Buffer>;
}

function entityOf(content: MessageContent): Entity {
  const is8Bit = content.encoding === 'identity';
  return { header: headerOfContent(content), is8Bit, open: () => encoded(content.open(), content.encoding) };
}

/**
 * message/rfc822 must not be encoded (RFC 2046 section 5.2.1). A message that the line protocol or SMTP would change
 * becomes message/global, which may be (RFC 6532 section 3.5).
 */
function attached(attachment: MessageAttachment): Entity {
  const { message, open } = attachment;
  const isBare = message && isLineText(message) && message.longestLine <= MAX_TEXT_LINE_BYTES + 1;
  if (!isBare || message.size < MIN_MIME_PART_BYTES) {
    const contentType = message ? 'message/global' : attachment.contentType;
    const header = headerOfAttachment({ ...attachment, contentType }, 'base64');
    return { header, is8Bit: false, open: () => encoded(open(), 'base64') };
  }
  const header = headerOfAttachment(attachment, message.isAscii ? '7bit' : '8bit');
  return { header, is8Bit: !message.isAscii, open: () => withoutCr(open()) };
}

function joined(subtype: string, parts: readonly Entity[], extraHeaders?: HeaderPairs): Entity {
  const boundary = `=_${randomBytes(16).toString('hex')}`; // '=_' occurs in no encoded text (RFC 2045 section 6.7)
  const is8Bit = parts.some((part) => part.is8Bit);
  const encoding = is8Bit ? 'Content-Transfer-Encoding: 8bit\n' : '';
  return {
    header: `Content-Type: multipart/${subtype}; boundary="${boundary}"\n${encoding}${headerLines(extraHeaders)}`,
    is8Bit,
    async *open() {
      for (const [i, part] of parts.entries()) {
        yield Buffer.from(`${i === 0 ? '' : '\n'}--${boundary}\n${part.header}\n`);
        yield* part.open();
      }
      yield Buffer.from(`\n--${boundary}--\n`);
    },
  };
}

function headerOfContent(content: MessageContent): string {
  const encoding = content.encoding === 'identity' ? '8bit' : content.encoding;
  return (
    formatHeader('Content-Type', content.contentType) +
    formatHeader('Content-Transfer-Encoding', encoding) +
    headerLines(content.extraHeaders)
  );
}

function headerLines(headers: HeaderPairs = []): string {
  return headers.map(([name, value]) => formatHeader(name, value)).join('');
}

/**
 * A `|` in a name breaks the listings of a real server (quirk Q18), so such a name has a harmless plain form beside the
 * exact one. A name that is not ASCII has the exact form alone, since a header is 7-bit (RFC 2231); a real server does
 * not list it (quirk Q38), so mime/part-list.ts adds it.
 */
function headerOfAttachment(attachment: MessageAttachment, encoding: string): string {
  const { value, params } = parseParameters(attachment.contentType);
  // A server would parse a multipart, but this body is base64.
  const isOpaque = isMediaType(value) && !/^multipart\//i.test(value);
  params.delete('name');
  let type = isOpaque ? formatContentType(value, params) : 'application/octet-stream';
  let disposition = 'attachment';
  const name = attachment.filename
    .toWellFormed()
    .replace(/[\0-\x1f\x7f]/g, ' ')
    .trim();
  if (name !== '') {
    const plain = name.replace(/["\\|]/g, '_');
    const isPlain = !/[^ -~]/.test(name);
    if (isPlain) {
      type += `; name="${plain}"`;
      disposition += `; filename="${plain}"`;
    }
    if (!isPlain || plain !== name) disposition += `; ${formatExtendedParameter('filename', name)}`;
  }
  return `Content-Type: ${type}\nContent-Disposition: ${disposition}\nContent-Transfer-Encoding: ${encoding}\n`;
}

/** With `identity`, throws instead of passing on what the line protocol would change. */
async function* encoded(source: AsyncIterable<Buffer>, encoding: TransferEncoding): AsyncGenerator<Buffer> {
  const scanner = encoding === 'identity' ? new EncodingScanner() : undefined;
  let size = 0;
  for await (const chunk of scanner ? source : transform(source, encoderFor(encoding))) {
    scanner?.push(chunk);
    if (scanner?.isUnsafe) throw unfit();
    size += chunk.length;
    yield chunk;
  }
  if (scanner?.end().hasTerminatorLine) throw unfit();
  if (size < MIN_MIME_PART_BYTES) yield Buffer.from(PADDING[encoding]);
}

function unfit(): AppError {
  return new AppError('internal', 'The content of the message needs a transfer encoding.');
}

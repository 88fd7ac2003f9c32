// Encodes a body for transports that would change it: a real server writes mail with CR LF and prepends an empty line
// (quirk Q68), and drops CR from posts. Base64 survives both, so parts are converted to it; the rest is reported.

import { base64Encoder, decoderFor, transform } from '../../mime/coding/transfer.ts';
import { headerValue, parseHeaders } from '../../mime/headers.ts';
import { isLeaf, isMessage, type MimePart } from '../../mime/part.ts';
import { LINES_HEADER } from '../../mime/stored-content.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { BASE64_LINE } from './marks.ts';
import { takeBody, type WholeBody } from './streams.ts';

export interface EncodedBody {
  body: WholeBody;
  /** a multipart: mail changes the text outside its parts */
  isMultipart: boolean;
  /** stored header fields without the empty line; '' for text */
  header: string;
  /** has parts that cannot be encoded, whose line ends the transport changes */
  hasBareText: boolean;
}

/**
 * `isMime`: starts with a header. Otherwise it is text, and its header must declare base64. undefined: the body must
 * not be changed, or its content cannot be located.
 */
export async function encodedBody(
  source: WholeBody,
  isMime: boolean,
  spoolFolder: string,
): Promise<EncodedBody | undefined> {
  if (!isMime) {
    const body = await takeBody(transform(source.open(), base64Encoder()), spoolFolder);
    return { body, isMultipart: false, header: '', hasBareText: false };
  }
  const walker = new MimeWalker();
  for await (const piece of source.open()) walker.push(piece);
  const root = walker.end();
  const header = Buffer.concat(await Array.fromAsync(source.open(0, root.start)));
  if (root.start === 0 || headerValue(parseHeaders(header), LINES_HEADER) !== undefined) return undefined;
  const parts = [...openParts(root)];
  const wanted = parts.filter(isEncodable);
  return {
    body: await takeBody(rewritten(source, wanted), spoolFolder),
    header: header.toString('latin1').trimEnd(),
    isMultipart: root.type.startsWith('multipart/'),
    hasBareText: wanted.length < parts.filter(({ encoding }) => encoding !== 'base64').length,
  };
}

/** Leaf parts, but signed multiparts and embedded messages as a whole. */
function* openParts(part: MimePart): Generator<MimePart> {
  if (isLeaf(part) || isMessage(part) || part.type === 'multipart/signed') yield part;
  else for (const child of part.children) yield* openParts(child);
}

function isEncodable(part: MimePart): boolean {
  const isWhole = isLeaf(part) && !/^(multipart|message)\//.test(part.type);
  return isWhole && part.encoding !== 'base64';
}

async function* rewritten(source: WholeBody, parts: readonly MimePart[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const { headerStart, start, end, encoding } of parts) {
    yield* source.open(at, headerStart);
    const header = Buffer.concat(await Array.fromAsync(source.open(headerStart, start))).toString('latin1');
    yield Buffer.from(`${base64Header(header.split('\n')).join('\n')}\n\n`, 'latin1');
    yield* transform(transform(source.open(start, end), decoderFor(encoding)), base64Encoder());
    at = end;
  }
  yield* source.open(at);
}

/** The header lines of a part that is converted to base64. */
export function base64Header(lines: readonly string[]): string[] {
  let isDropped = false;
  const rest = lines.filter((line) => {
    if (!/^[ \t]/.test(line)) isDropped = /^content-transfer-encoding[ \t]*:/i.test(line);
    return !isDropped && line.trim() !== '';
  });
  return [...rest, BASE64_LINE];
}

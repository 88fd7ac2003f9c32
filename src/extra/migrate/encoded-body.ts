// A body on a way that would change it: a real server writes mail with CR LF and puts an empty line before it
// (quirk Q68), and drops CR from what is posted. What is base64 stays what it is, byte by byte, so its parts are made
// that; what cannot be is told.

import { base64Encoder, decoderFor, transform } from '../../mime/coding/transfer.ts';
import { headerValue, parseHeaders } from '../../mime/headers.ts';
import { isLeaf, isMessage, type MimePart } from '../../mime/part.ts';
import { LINES_HEADER } from '../../mime/stored-content.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { BASE64_LINE } from './marks.ts';
import { takeBody, type WholeBody } from './streams.ts';

export interface EncodedBody {
  body: WholeBody;
  /** a multipart, which mail changes where it has no part */
  isMultipart: boolean;
  /** stored header fields, without an empty line; '' for text */
  header: string;
  /** has parts whose line ends become what the way makes of them */
  hasBareText: boolean;
}

/**
 * `isMime`: it begins with its header; else it is text, and its header is to say that it is base64. undefined: every
 * byte of it counts, or nobody knows where its content begins.
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

/** Leaves, but none of what has been signed, or of a message inside: these are one, as they stand. */
function* openParts(part: MimePart): Generator<MimePart> {
  if (isLeaf(part) || isMessage(part) || part.type === 'multipart/signed') yield part;
  else for (const child of part.children) yield* openParts(child);
}

function isEncodable(part: MimePart): boolean {
  const isWhole = isLeaf(part) && !/^(multipart|message)\//.test(part.type);
  return isWhole && part.encoding !== 'base64' && decoderFor(part.encoding) !== undefined;
}

async function* rewritten(source: WholeBody, parts: readonly MimePart[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const { headerStart, start, end, encoding } of parts) {
    yield* source.open(at, headerStart);
    const header = Buffer.concat(await Array.fromAsync(source.open(headerStart, start))).toString('latin1');
    yield Buffer.from(`${base64Header(header.split('\n')).join('\n')}\n\n`, 'latin1');
    yield* transform(transform(source.open(start, end), decoderFor(encoding)!), base64Encoder());
    at = end;
  }
  yield* source.open(at);
}

/** Lines of a header, of a part whose content is base64 from now on. */
export function base64Header(lines: readonly string[]): string[] {
  let isLeftOut = false;
  const kept = lines.filter((line) => {
    if (!/^[ \t]/.test(line)) isLeftOut = /^content-transfer-encoding[ \t]*:/i.test(line);
    return !isLeftOut && line.trim() !== '';
  });
  return [...kept, BASE64_LINE];
}

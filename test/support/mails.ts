// The mails of test/fixtures/mails as what a client PUTs: the content with its type, a single part decoded, a multipart
// as it is.

import { readdirSync, readFileSync } from 'node:fs';
import { decoderFor } from '../../src/mime/coding/transfer.ts';
import { decodeHeaderText, headerValue, parseHeaders } from '../../src/mime/headers.ts';
import type { Api } from './gateway.ts';

const folder = new URL('../fixtures/mails/', import.meta.url);

export const mailNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => file.slice(0, -'.eml'.length));

export const mailBytes = (name: string): Buffer => readFileSync(new URL(`${name}.eml`, folder));

/** Posts the mail into the room and answers its path. */
export async function putMail(api: Api, room: string, bytes: Buffer): Promise<string> {
  const headerEnd = bytes.indexOf('\n\n') + 1;
  const fields = parseHeaders(bytes.subarray(0, headerEnd));
  const type = headerValue(fields, 'Content-Type') ?? 'text/plain';
  const body = bytes.subarray(headerEnd + 1);
  const decoder = decoderFor(headerValue(fields, 'Content-Transfer-Encoding') ?? '')!;
  const content = type.startsWith('multipart/') ? body : Buffer.concat([decoder.push(body), decoder.end()]);
  const subject = encodeURIComponent(decodeHeaderText(headerValue(fields, 'Subject') ?? ''));
  const headers = { 'content-type': type.replace(/\s+/g, ' ') };
  const put = await api(`r/${room}/new?subj=${subject}`, { method: 'PUT', headers, body: content });
  if (put.status !== 201) throw new Error(`nothing was posted: ${put.status} ${await put.text()}`);
  return put.headers.get('location')!;
}

// Forms (RFC 7578) that are written by hand and read to their end: their fields, or the code of the refusal.

import { AppError } from '../../src/errors.ts';
import { parseMultipart } from '../../src/http/multipart.ts';

export const TYPE = 'multipart/form-data; boundary=XyZ';

export interface Seen {
  name: string;
  filename: string | undefined;
  contentType: string;
  body: string;
}

export async function* chunks(bytes: Buffer, sizes: () => number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + sizes();
    yield bytes.subarray(at, end);
    at = end;
  }
}

export async function parse(text: string | Buffer, sizes = () => 2 ** 30, type = TYPE): Promise<Seen[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const seen: Seen[] = [];
  for await (const part of parseMultipart(chunks(bytes, sizes), type)) {
    const pieces: Buffer[] = [];
    for await (const piece of part.body) pieces.push(piece);
    const { name, filename, contentType } = part;
    seen.push({ name, filename, contentType, body: Buffer.concat(pieces).toString('latin1') });
  }
  return seen;
}

export async function refusal(text: string, type = TYPE): Promise<string> {
  const codes = new Set<string>();
  for (const size of [2 ** 30, 1]) {
    const code = await parse(text, () => size, type).then(
      () => 'none',
      (error) => (error instanceof AppError ? error.code : String(error)),
    );
    codes.add(code);
  }
  return [...codes].join(' or ');
}

export const field = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}\r\n`;
export const part = (name: string, body: string) => `--XyZ\r\n${field(name)}\r\n${body}\r\n`;

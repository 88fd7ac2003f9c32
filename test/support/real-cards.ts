// What a real server makes of a contact that is posted into an address book (protocol section 17.2): the whole body is
// replaced by a card that it has written anew.

import { randomUUID } from 'node:crypto';
import { decoderFor } from '../../src/mime/coding/transfer.ts';
import { contentParts } from '../../src/mime/part.ts';
import { MimeWalker } from '../../src/mime/walk.ts';

const CARD_TYPES = new Set(['text/vcard', 'text/x-vcard']);

/** `body`: MIME header and body, LF line ends. undefined for what is no contact. */
export function rewrittenCard(body: Buffer): Buffer | undefined {
  const walker = new MimeWalker();
  walker.push(body);
  const part = [...contentParts(walker.end())].find(({ type }) => CARD_TYPES.has(type));
  const decoder = part && decoderFor(part.encoding);
  if (!part || !decoder) return undefined;
  const source = Buffer.concat([decoder.push(body.subarray(part.start, part.end)), decoder.end()]).toString('latin1');
  const lines = source.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const inner = lines.filter((line) => line !== '' && !/^(begin|end):vcard$/i.test(line)).map(rewrittenLine);
  const hasLine = (name: string) => inner.some((line) => new RegExp(`^${name}[;:]`, 'i').test(line));
  if (!hasLine('VERSION')) inner.push('VERSION:2.1');
  if (!hasLine('UID')) inner.push(`UID:${randomUUID()}`);
  const card = ['begin:vcard', ...inner, 'end:vcard', ''].join('\r\n');
  return Buffer.from(`Content-type: text/x-vcard\n\n${card}\n`, 'latin1');
}

function rewrittenLine(line: string): string {
  if (/^VERSION:/i.test(line)) return 'VERSION:2.1';
  const [head = '', ...rest] = line.split(':');
  const value = rest.join(':');
  const charset = /[^ -~]/.test(value) ? ';charset=UTF-8' : '';
  return `${head.replace(/;charset=[^;]*/gi, '')}${charset}:${value}`;
}

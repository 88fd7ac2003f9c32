// The fields that an ordinary room server gives every message anew (author's address, date, id, recipients …), written
// into a copied message as header lines, so that nothing is forgotten: a second copy knows by them what is there, and a
// copy back restores them.

import { base64Decoder, transform } from '../../mime/coding/transfer.ts';
import { decodeMark, encodeMark, MARK_PREFIX } from '../../mime/stored-content.ts';
import { HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { StoredFields } from './model.ts';
import { afterLines, asText } from './streams.ts';

/** by the protocol's names, as MSG0 tells them; `size` counts the bytes of the stored body */
const MARKED = [
  'msgn',
  'time',
  'from',
  'rfca',
  'path',
  'room',
  'rcpt',
  'cccc',
  'exti',
  'wefw',
  'subj',
  'type',
  'anon',
  'size',
];
/** before the text of a message that had no headers of its own */
const PLAIN_TYPE = 'Content-Type: text/plain; charset=utf-8';
export const BASE64_LINE = 'Content-Transfer-Encoding: base64';

/** Without what names the author of an anonymous message: readers of the copy must not learn it either. */
export function withHiddenAuthor(head: StoredFields): StoredFields {
  const kind = head.get('anon');
  if (kind !== 'only' && kind !== 'option') return head;
  const hidden = new Map([...head, ['from', HIDDEN_NAMES[kind]]]);
  for (const name of ['rfca', 'path']) hidden.delete(name);
  return hidden;
}

/**
 * Header lines that stand before the stored body; with those of a plain text where it has none (formats 0 and 1), which
 * may be base64.
 */
export function markLines(head: StoredFields, isEncoded = false): string {
  const marks = MARKED.flatMap((name) => {
    const value = head.get(name);
    return value ? [`${MARK_PREFIX}${name}: ${encodeMark(value)}`] : [];
  });
  const plain = isEncoded ? [PLAIN_TYPE, BASE64_LINE, ''] : [PLAIN_TYPE, ''];
  const lines = head.get('type') === '4' ? marks : [...marks, ...plain];
  return lines.map((line) => `${line}\n`).join('');
}

export function isMark(line: string): boolean {
  return line.startsWith(MARK_PREFIX);
}

/**
 * The fields, with what the marks say instead, and the body that stood behind them. `lines`: its header, `rest` begins
 * with the empty line behind it. What stands before the marks comes from the delivery of mail, and so does an empty
 * line before the content (quirk Q68).
 */
export function withoutMarks(
  head: StoredFields,
  lines: readonly string[],
  rest: AsyncIterable<Buffer>,
): [StoredFields, AsyncIterable<Buffer>] {
  if (!lines.some(isMark)) return [head, lines.length === 0 ? rest : asText(textOf(lines), rest)];
  const original = new Map(head);
  const marks = parseMarks(lines.filter(isMark));
  // what the gateway posted anew has marks of a few fields, among the lines of its header
  const isCopied = marks.has('msgn');
  const from = isCopied ? lines.findIndex(isMark) : 0;
  if (isCopied) for (const name of MARKED) original.delete(name);
  if (from > 0) head.delete('nvto'); // of the delivery
  for (const [name, value] of marks) original.set(name, value);
  const own = lines.slice(from).filter((line) => !isMark(line));
  const body = from > 0 ? afterLines(rest, 1) : rest;
  if (original.get('type') === '4') return [original, asText(textOf(own), body)];
  const content = afterLines(body, 1);
  return [original, own.includes(BASE64_LINE) ? transform(content, base64Decoder()) : content];
}

/** Lines of `firstLines`, which are bytes. */
function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** What the message was known by before it was copied; undefined for one that was not. */
export function originalIds(headerLines: readonly string[]): { key: string; msgid: string } | undefined {
  const marks = parseMarks(headerLines);
  const msgid = marks.get('msgn');
  return msgid === undefined ? undefined : { key: marks.get('exti') || msgid, msgid };
}

function parseMarks(lines: readonly string[]): StoredFields {
  const fields: StoredFields = new Map();
  for (const line of lines) {
    const [, name, value] = /^X-Vestibule-Original-(\w+): ?(.*)$/.exec(line.trimEnd()) ?? [];
    if (name !== undefined && MARKED.includes(name)) fields.set(name, decodeMark(value!));
  }
  return fields;
}

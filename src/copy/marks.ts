// The fields that an ordinary room server gives every message anew (author's address, date, id, recipients …), written
// into a copied message as header lines, so that nothing is forgotten: a second copy knows by them what is there, and a
// copy back restores them.

import { MARK_PREFIX } from '../client/copied.ts';
import { HIDDEN_NAMES } from '../protocol/message-fields.ts';
import type { StoredFields } from './model.ts';
import { afterLines } from './streams.ts';

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
const PLAIN_HEADER = ['Content-Type: text/plain; charset=utf-8', ''];

/** Without what names the author of an anonymous message: readers of the copy must not learn it either. */
export function withHiddenAuthor(head: StoredFields): StoredFields {
  const kind = head.get('anon');
  if (kind !== 'only' && kind !== 'option') return head;
  const hidden = new Map([...head, ['from', HIDDEN_NAMES[kind]]]);
  for (const name of ['rfca', 'path']) hidden.delete(name);
  return hidden;
}

/** Header lines that stand before the stored body; with those of a plain text where it has none (formats 0 and 1). */
export function markLines(head: StoredFields): string {
  const marks = MARKED.flatMap((name) => {
    const value = head.get(name);
    return value ? [`${MARK_PREFIX}${name}: ${encodeURI(value.toWellFormed()).replaceAll('%20', ' ')}`] : [];
  });
  const lines = head.get('type') === '4' ? marks : [...marks, ...PLAIN_HEADER];
  return lines.map((line) => `${line}\n`).join('');
}

export function isMark(line: string): boolean {
  return line.startsWith(MARK_PREFIX);
}

/** The fields, with what the marks say instead, and the body that stood behind them. */
export function withoutMarks(
  head: StoredFields,
  marks: readonly string[],
  body: AsyncIterable<Buffer>,
): [StoredFields, AsyncIterable<Buffer>] {
  if (marks.length === 0) return [head, body];
  const original = new Map(head);
  for (const name of MARKED) original.delete(name);
  for (const [name, value] of parseMarks(marks)) original.set(name, value);
  return [original, original.get('type') === '4' ? body : afterLines(body, PLAIN_HEADER.length)];
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
    if (name !== undefined && MARKED.includes(name)) fields.set(name, decode(value!));
  }
  return fields;
}

function decode(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}

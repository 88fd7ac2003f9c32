// Marks: header lines in a migrated message that preserve the fields which an ordinary room server assigns anew
// (author's address, date, id, recipients …). A second run recognizes messages by them, and migrating back restores
// them.

import { base64Decoder, transform } from '../../mime/coding/transfer.ts';
import { decodeMark, encodeMark, MARK_PREFIX } from '../../mime/stored-content.ts';
import { HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { StoredFields } from './model.ts';
import { afterLines, asText } from './streams.ts';

/** the protocol's names as in MSG0; `size` is the size of the stored body */
const MARKED = 'msgn time from rfca path room rcpt cccc exti wefw subj type anon size'.split(' ');
/** header of a message that had none */
const PLAIN_TYPE = 'Content-Type: text/plain; charset=utf-8';
export const BASE64_LINE = 'Content-Transfer-Encoding: base64';

/** Removes what reveals the author of an anonymous message. */
export function withHiddenAuthor(head: StoredFields): StoredFields {
  const kind = head.get('anon');
  if (kind !== 'only' && kind !== 'option') return head;
  const hidden = new Map([...head, ['from', HIDDEN_NAMES[kind]]]);
  for (const name of ['rfca', 'path']) hidden.delete(name);
  return hidden;
}

/** Header lines to prepend to the stored body; includes a content type for plain text (formats 0 and 1). */
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
 * Restores fields and body. `lines`: the header; `rest` starts with the empty line after it. Lines before the marks
 * were added by mail delivery, and so was an empty line before the content (quirk Q68).
 */
export function withoutMarks(
  head: StoredFields,
  lines: readonly string[],
  rest: AsyncIterable<Buffer>,
): [StoredFields, AsyncIterable<Buffer>] {
  if (!lines.some(isMark)) return [head, lines.length === 0 ? rest : asText(textOf(lines), rest)];
  const original = new Map(head);
  const marks = parseMarks(lines.filter(isMark));
  // a message that the gateway reposted has marks for a few fields, among its header lines
  const isCopied = marks.has('msgn');
  const from = isCopied ? lines.findIndex(isMark) : 0;
  if (isCopied) for (const name of MARKED) original.delete(name);
  if (from > 0) head.delete('nvto'); // added by the delivery
  for (const [name, value] of marks) original.set(name, value);
  const own = lines.slice(from).filter((line) => !isMark(line));
  const body = from > 0 ? afterLines(rest, 1) : rest;
  if (original.get('type') === '4') return [original, asText(textOf(own), body)];
  const content = afterLines(body, 1);
  return [original, own.includes(BASE64_LINE) ? transform(content, base64Decoder()) : content];
}

/** Takes lines of `firstLines`, which are Latin-1. */
function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** The ids before the migration; undefined: not migrated. */
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

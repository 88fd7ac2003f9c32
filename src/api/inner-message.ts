// GET r/:room/:name/:part/json: a message inside a message (a forward, an entry of a digest, what a bounce came back
// with), as message-json.ts gives the outer one.

import { readHead, withPart } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import { messageNumberOf, messagePath, roomOf } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { parseDate } from '../mime/dates.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { type HeaderField, headerValue, parseHeaders } from '../mime/headers.ts';
import { listParts, numberParts } from '../mime/part-list.ts';
import { readableText } from '../mime/readable.ts';
import type { PartRow } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { readingFields, splitAddresses, wantedOf } from './message-json.ts';
import { firstBytes, walk } from './message-reading.ts';

/** '' because a real server does not know what the parts of a digest are when they do not say so */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['message/rfc822', 'message/global', '']);

export async function getInnerMessageJson(x: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(x);
  const partnum = x.params.part!;
  if (!isFieldSafe(partnum)) throw noSuchMessage();
  const caller = await callerOf(x, app);
  const room = roomOf(x);
  const msgnum = await messageNumberOf(app, caller, room, x.params.name!);
  const head = await readHead(app.pool, caller.identity, room, msgnum);
  const row = head.parts.find((part) => part.partnum === partnum);
  if (row && !MESSAGE_TYPES.has(row.contentType)) throw noSuchMessage();
  const { source, length } = await withPart(app.pool, caller.identity, room, msgnum, partnum, async (part) => {
    if (!MESSAGE_TYPES.has(part.contentType.toLowerCase())) throw noSuchMessage();
    return { source: await firstBytes(part.bytes), length: part.length };
  });
  const root = walk(source.bytes);
  const fields = parseHeaders(source.bytes.subarray(0, root.start));
  if (fields.length === 0) throw noSuchMessage();
  // the server looks into a message only where it lies open, not encoded
  const isOpen = row !== undefined && row.length === length && row.contentType !== '';
  const prefix = root.number === '' ? `${partnum}.1.` : `${partnum}.`;
  const rows = isOpen ? withoutPrefix(head.parts, prefix) : [];
  const numbered = numberParts(root, rows);
  const path = messagePath(app, head.entered.name, msgnum);
  const own = isOpen ? numbered.filter(({ part, isInMessage }) => part.contentId !== '' && !isInMessage) : [];
  // of several with one id the first, as browsers do
  const numbers = new Map(own.reverse().map(({ part, number }) => [part.contentId.toLowerCase(), number]));
  const partUrl = (id: string) => {
    const number = numbers.get(id.toLowerCase());
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const text = readableText(source.bytes, root, source.isWhole, { ...wanted, partUrl });
  const listed = isOpen ? listParts(numbered, rows, source.isWhole) : [];
  const parts = listed.map((part) => ({ ...part, number: prefix + part.number }));
  await sendJson(x, 200, {
    msgnum,
    partnum,
    ...innerFields(fields),
    content_type: headerValue(fields, 'Content-Type') ?? 'text/plain',
    ...readingFields({ ...text, parts }),
  });
}

/** What the server lists of a message inside the message, numbered as if it stood alone. */
function withoutPrefix(rows: readonly PartRow[], prefix: string): PartRow[] {
  return rows
    .filter(({ partnum }) => partnum.startsWith(prefix))
    .map((row) => ({ ...row, partnum: row.partnum.slice(prefix.length) }));
}

/** The names of message-json.ts; fields that the message does not have are absent. */
function innerFields(fields: readonly HeaderField[]) {
  const list = (name: string) => {
    const value = headerValue(fields, name);
    return value === undefined ? undefined : splitAddresses(value);
  };
  const sender = headerValue(fields, 'From') ?? '';
  const address = /<([^<>]*)>\s*$/.exec(sender);
  const name = decodeWords(address ? sender.slice(0, address.index) : sender).trim();
  const subject = headerValue(fields, 'Subject');
  return {
    msgn: headerValue(fields, 'Message-ID')?.replace(/^<|>$/g, ''),
    time: parseDate(headerValue(fields, 'Date') ?? ''),
    from: name.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1') || address?.[1] || undefined,
    rfca: address?.[1],
    subj: subject === undefined ? undefined : decodeWords(subject),
    rcpt: list('To'),
    cccc: list('Cc'),
  };
}

function noSuchMessage(): AppError {
  return new AppError('not_found', 'That part is no message.');
}

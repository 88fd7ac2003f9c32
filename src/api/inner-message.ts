// GET r/:room/:name/:part/json: a message inside a message (a forward, an entry of a digest, what a bounce came back
// with), as message-json.ts gives the outer one.

import type { RoomRef } from '../client/goto.ts';
import type { MessageHead } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type Caller, callerOf } from '../gateway/caller.ts';
import { withNamed } from '../gateway/message-head.ts';
import { messagePath, roomOf } from '../gateway/paths.ts';
import { UNTYPED } from '../gateway/stored-type.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { parseDate } from '../mime/dates.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { type HeaderField, headerValue, parseHeaders } from '../mime/headers.ts';
import { listParts, numberParts } from '../mime/part-list.ts';
import { readableText } from '../mime/readable.ts';
import type { PartRow } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { partAddresses, readingFields, splitAddresses, wantedOf } from './message-json.ts';
import { firstBytes, type Wanted, walk } from './message-reading.ts';
import { innerPrefix, type OpenPart, rowsOf, withAnyPart } from './packed-parts.ts';

/** '' because a real server does not know what the parts of a digest are when they do not say so */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['message/rfc822', 'message/global', '']);

export async function getInnerMessageJson(x: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(x);
  const partnum = x.params.part!;
  if (!isFieldSafe(partnum)) throw noSuchMessage();
  const caller = await callerOf(x, app);
  const room = await roomOf(x, app, caller);
  return withNamed(app, caller, room, x.params.name!, (msgnum, head) =>
    sendInner(x, app, caller, { ...head, room, msgnum }, partnum, wanted),
  );
}

async function sendInner(
  x: Exchange,
  app: App,
  caller: Caller,
  head: MessageHead & { room: RoomRef; msgnum: number },
  partnum: string,
  wanted: Wanted,
): Promise<void> {
  const { room, msgnum } = head;
  const row = head.parts.find((part) => part.partnum === partnum);
  if (row && !MESSAGE_TYPES.has(row.contentType)) throw noSuchMessage();
  const fetch = async (part: OpenPart) => {
    if (!MESSAGE_TYPES.has(part.contentType.toLowerCase())) throw noSuchMessage();
    return { source: await firstBytes(part.bytes), canLookInside: part.canLookInside && row?.contentType !== '' };
  };
  const { source, canLookInside } = await withAnyPart(app, caller.identity, room, msgnum, head.parts, partnum, fetch);
  const root = walk(source.bytes);
  const fields = parseHeaders(source.bytes.subarray(0, root.start));
  if (fields.length === 0) throw noSuchMessage();
  const prefix = innerPrefix(partnum, root);
  const known = withoutPrefix(head.parts, prefix);
  const numbered = numberParts(root, known);
  const rows = known.length > 0 ? known : rowsOf(numbered);
  const path = messagePath(app, head.entered.name, msgnum);
  const own = canLookInside ? numbered.filter(({ part, isInMessage }) => part.contentId !== '' && !isInMessage) : [];
  // of several with one id the first, as browsers do
  const numbers = new Map(own.reverse().map(({ part, number }) => [part.contentId.toLowerCase(), number]));
  const partUrl = (id: string) => {
    const number = numbers.get(id.toLowerCase());
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const text = readableText(source.bytes, root, source.isWhole, { ...wanted, partUrl });
  const listed = canLookInside ? listParts(numbered, rows, source.isWhole) : [];
  const parts = listed.map((part) => ({ ...part, number: prefix + part.number }));
  await sendJson(x, 200, {
    msgnum,
    partnum,
    ...innerFields(fields),
    content_type: headerValue(fields, 'Content-Type') || UNTYPED,
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
  const { name, address } = senderOf(headerValue(fields, 'From') ?? '');
  const subject = headerValue(fields, 'Subject');
  return {
    msgn: headerValue(fields, 'Message-ID')?.replace(/^<|>$/g, ''),
    time: parseDate(headerValue(fields, 'Date') ?? ''),
    from: name || address,
    rfca: address,
    subj: subject === undefined ? undefined : decodeWords(subject),
    rcpt: list('To'),
    cccc: list('Cc'),
  };
}

/** Of several the first. `Bob <b@x>`, `"Bob, the first" <b@x>`, `b@x`, and, as it was once written, `b@x (Bob)`. */
export function senderOf(field: string): { name: string; address: string | undefined } {
  const first = partAddresses(field)[0] ?? '';
  const angle = /<([^<>]*)>[^<>]*$/.exec(first);
  // one @ only: to look for an end behind each of many would take quadratic time
  const bare = /^([^\s<>()"@]+@[^\s<>()"@]+)(?:\s*\((.*)\))?$/s.exec(first);
  const phrase = angle ? first.slice(0, angle.index) : bare ? (bare[2] ?? '') : first;
  const name = decodeWords(phrase).trim();
  return {
    name: name.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'),
    address: angle?.[1] || bare?.[1],
  };
}

function noSuchMessage(): AppError {
  return new AppError('not_found', 'That part is no message.');
}

// GET r/:room/:name/json: a message for a page to show: header fields decoded, parts listed, text made safe.

import { type MessageHead, readHead } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { toInt } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { callerOf } from './caller.ts';
import { readText } from './message-reading.ts';
import { headersOf } from './messages.ts';
import { messageNumberOf, messagePath, roomOf } from './paths.ts';
import { storedContent } from './stored-type.ts';

export async function getMessageJson(x: Exchange, app: App): Promise<void> {
  const wanted = {
    isPlain: choice(x, 'text', 'plain', 'html') === 'plain',
    isRemoteLoaded: choice(x, 'remote', '1', '0') === '1',
  };
  const caller = await callerOf(x, app);
  const room = roomOf(x);
  const msgnum = await messageNumberOf(app, caller, room, x.params.name!);
  const head = await readHead(app.pool, caller.identity, room, msgnum);
  const partUrl = (part: string) => `${messagePath(app, head.entered.name, msgnum)}/${encodeURIComponent(part)}`;
  const text = await readText(app, caller.identity, room, msgnum, head, { ...wanted, partUrl });
  await sendJson(x, 200, {
    msgnum,
    ...headerFields(head),
    seen: head.seen,
    content_type: storedContent(headersOf(head), head.fields.get('type') ?? '').contentType || 'text/plain',
    parts: head.parts.map((part) => ({
      partnum: part.partnum,
      filename: decodeWords(part.filename || part.name),
      disposition: part.disposition,
      content_type: part.contentType,
      charset: part.charset,
      content_length: part.length,
      content_id: part.contentId,
    })),
    text,
  });
}

/** Fields that a message does not have are absent. */
function headerFields({ fields, entered }: MessageHead) {
  // quirk Q22: a real server hides the name in an anonymous message, but not the address
  const isAnonymous = (fields.get('nhdr') === 'yes' || fields.get('from') === 'anonymous') && !entered.isAdmin;
  const text = (name: string) => fields.get(name);
  const words = (name: string) => (fields.has(name) ? decodeWords(fields.get(name)!) : undefined);
  const list = (name: string) => (fields.has(name) ? splitAddresses(decodeWords(fields.get(name)!)) : undefined);
  return {
    msgn: text('msgn'),
    time: toInt(text('time')),
    from: words('from'),
    rfca: isAnonymous ? undefined : text('rfca'),
    room: text('room'),
    subj: words('subj'),
    wefw: text('wefw'),
    exti: text('exti'),
    rcpt: list('rcpt'),
    cccc: list('cccc'),
    locl: fields.get('locl') === 'yes' ? true : undefined,
  };
}

/** `'"Smith, Bob" <b@x>, ann'` → two addresses */
export function splitAddresses(text: string): string[] {
  // a quote that does not end reaches to the end: looking for the end of each anew would take quadratic time
  const addresses = text.match(/(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,;"])+/gs) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}

function choice(x: Exchange, name: string, ...allowed: string[]): string | undefined {
  const value = x.query.get(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw new AppError('bad_request', `${name} takes ${allowed.join(' or ')}.`);
}

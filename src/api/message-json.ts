// GET r/:room/:name/json: a message for a page to show: header fields decoded, parts listed, text made safe.

import type { MessageHead } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import { withNamed } from '../gateway/message-head.ts';
import { roomOf } from '../gateway/paths.ts';
import { storedContent, UNTYPED } from '../gateway/stored-type.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import type { Reading } from '../mime/readable.ts';
import { toInt } from '../protocol/fields.ts';
import { readMessage, type Wanted } from './message-reading.ts';

export async function getMessageJson(x: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(x);
  const caller = await callerOf(x, app);
  const room = await roomOf(x, app, caller);
  await withNamed(app, caller, room, x.params.name!, async (msgnum, head) => {
    const reading = await readMessage(app, caller.identity, room, msgnum, head, wanted);
    await sendJson(x, 200, {
      msgnum,
      ...headerFields(head),
      seen: head.seen,
      content_type: storedContent(head.headers, head.fields.get('type') ?? '').contentType || UNTYPED,
      ...readingFields(reading),
    });
  });
}

/** Throws bad_request. */
export function wantedOf(x: Exchange): Wanted {
  return {
    isPlain: choice(x, 'text', 'plain', 'html') === 'plain',
    isRemoteLoaded: choice(x, 'remote', '1', '0') === '1',
  };
}

export function readingFields(reading: Reading) {
  return {
    parts: reading.parts.map((part) => ({
      partnum: part.number,
      filename: part.name,
      disposition: part.disposition,
      content_type: part.type || UNTYPED,
      charset: part.charset,
      content_length: part.encodedLength,
      size: part.size,
      content_id: part.contentId,
    })),
    has_blocked_remote: reading.hasBlockedRemote,
    is_cut: reading.isCut,
    text: reading.text,
  };
}

/** Fields that a message does not have are absent. */
function headerFields({ fields, entered }: MessageHead) {
  // quirk Q22: a real server hides the name in an anonymous message, but not the address
  const isAnonymous = (fields.get('nhdr') === 'yes' || fields.get('from') === 'anonymous') && !entered.isAdmin;
  const text = (name: string) => fields.get(name);
  const words = (name: string) => (fields.has(name) ? decodeWords(fields.get(name)!) : undefined);
  const list = (name: string) => (fields.has(name) ? splitAddresses(fields.get(name)!) : undefined);
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

/** `'"Smith, Bob" <b@x>, =?UTF-8?Q?J=C3=B6rg?= <j@x>'` → two addresses; a comma that was encoded parts nothing */
export function splitAddresses(text: string): string[] {
  return partAddresses(text).map(decodeWords);
}

/** The same with their encoded words as they are. */
export function partAddresses(text: string): string[] {
  // a quote that does not end reaches to the end: looking for the end of each anew would take quadratic time
  const addresses = text.match(/(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,;"])+/gs) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}

function choice(x: Exchange, name: string, ...allowed: string[]): string | undefined {
  const value = x.query.get(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw new AppError('bad_request', `${name} takes ${allowed.join(' or ')}.`);
}

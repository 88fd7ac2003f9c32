// Finding messages and people: a/search, a/complete.

import { suggestRecipients } from '../client/recipients.ts';
import { type Found, searchRooms } from '../client/search.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/respond.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { ROOM_FLAG } from '../model.ts';

/** GET a/search?q=words: messages of all rooms that the caller knows, latest first */
export async function search(x: Exchange, app: App): Promise<void> {
  const words = questionOf(x);
  const { identity } = await userOf(x, app);
  const found = await searchRooms(app.pool, identity, words);
  await sendJson(x, 200, found.map(foundEntry));
}

function foundEntry({ room, msgnum, time, from, address, subject }: Found) {
  // quirk Q22: the lists of a real server name the authors of anonymous messages
  const isAnonymous = (room.flags & ROOM_FLAG.anonymousOnly) !== 0 && !room.isAdmin;
  return {
    room: room.name,
    msgnum,
    time,
    author: isAnonymous ? '****' : decodeWords(from),
    addr: isAnonymous ? '' : address,
    subject: decodeWords(subject),
  };
}

/** GET a/complete?q=text: who a recipient that is being typed may be */
export async function complete(x: Exchange, app: App): Promise<void> {
  const text = questionOf(x);
  const { identity } = await userOf(x, app);
  const people = await suggestRecipients(app.pool, identity, text);
  await sendJson(
    x,
    200,
    people.map(({ name, address, recipient }) => ({ name, addr: address, recipient })),
  );
}

/** What is looked for; a bar parts words like any other sign. Throws bad_request. */
function questionOf(x: Exchange): string {
  const text = (x.query.get('q') ?? '').replaceAll('|', ' ').trim();
  if (text === '') throw new AppError('bad_request', 'q takes what to look for.');
  return text;
}

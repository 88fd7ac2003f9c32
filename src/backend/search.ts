// SRCH: messages that hold all the words, in every room the user may read (spec section 18.9).

import { ACCESS } from '../model.ts';
import { accessOf } from './access.ts';
import { roomById } from './rooms.ts';
import { searchAll } from './search-index.ts';
import { Refusal, type Verb } from './verb.ts';
import { visitOf } from './visits.ts';

/** `SRCH words` → listing of message numbers, ascending. A room that is not known to the user gives no hits. */
export const srch: Verb = (session, args) => {
  const { store, user } = session;
  if (!user && !session.isAdminSocket) throw new Refusal(520, 'Not logged in.');
  const isReadable = new Map<number, boolean>();
  const found = new Set<number>();
  for (const { room, message } of searchAll(store, args)) {
    let readable = isReadable.get(room);
    if (readable === undefined) {
      const row = roomById(store, room);
      const access = row && user ? accessOf(user, row, visitOf(store, user.id, room)) : 0;
      readable = session.isAdminSocket || (access & ACCESS.known) !== 0;
      isReadable.set(room, readable);
    }
    if (readable) found.add(message);
  }
  const rows = [...found].sort((a, b) => a - b).map((msgnum) => `${msgnum}\n`);
  return `100 ${rows.length} msgs match all search words:\n${rows.join('')}000\n`;
};

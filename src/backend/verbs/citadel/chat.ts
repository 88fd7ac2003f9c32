// Chat in a room: RCHT enter, exit, send, poll, rwho (protocol section 18.10).

import { MAX_CHAT_LINE_BYTES, MAX_INSTANT_MESSAGE_BYTES } from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { listingText } from '../../content/listing-text.ts';
import { readableRoom, sessionAccess } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { isChatting } from '../../session/instant-messages.ts';
import { askText, listing, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import type { StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';

/** `RCHT enter|exit|send|poll|seq|rwho`; 500 outside chat mode, 530, 550, 575 */
export function rcht(session: Session, args: string): Reply {
  const [action = '', seq] = splitFields(args);
  const run = ACTIONS.get(action.trim().toLowerCase());
  if (!run) throw new Refusal('unsupported', 'Invalid subcommand');
  if (run !== enter && session.chatRoom !== session.room) session.chatRoom = undefined;
  if (run !== enter && !session.chatRoom) throw new Refusal('general', 'Session is not in chat mode.');
  return run(session, readableRoom(session), seq);
}

const ACTIONS: ReadonlyMap<string, (session: Session, room: StoredRoom, seq: string | undefined) => Reply> = new Map<
  string,
  (session: Session, room: StoredRoom, seq: string | undefined) => Reply
>([
  ['enter', enter],
  ['exit', exit],
  ['send', send],
  ['poll', poll],
  ['rwho', rwho],
]);

function enter(session: Session, room: StoredRoom): Reply {
  session.chatRoom = room;
  return ok('Entering chat mode.');
}

function exit(session: Session): Reply {
  session.chatRoom = undefined;
  return ok('Exiting chat mode.');
}

/** 400, then lines, each of them a message */
function send(session: Session, room: StoredRoom): Reply {
  if (!(sessionAccess(session, room) & ACCESS.post))
    throw new Refusal('higherAccess', 'You may not post in this room.');
  return {
    reply: askText('send now'),
    text: collectText(MAX_INSTANT_MESSAGE_BYTES, (text) => {
      // The sender may have been removed from the room meanwhile.
      if (text === undefined || !(sessionAccess(session, room) & ACCESS.post)) return '';
      const sender = session.user?.name ?? '';
      session.server.chats.say(room, sender, text.replace(/\n$/, '').split('\n').map(cut));
      return '';
    }),
  };
}

/** The first message after `seq` → `100 seq|time|sender` and the text; 575 */
function poll({ server }: Session, room: StoredRoom, seq: string | undefined): Reply {
  const line = server.chats.lineAfter(room, toInt(seq));
  if (!line) throw new Refusal('noSuchMessage', 'no messages');
  return listing(`${line.seq}|${line.time}|${line.sender}`, listingText(line.text));
}

/** → names of the users in this chat, the newest session first */
function rwho({ server }: Session, room: StoredRoom): Reply {
  const others = [...server.sessions].filter((other) => isChatting(other) && other.room === room).reverse();
  return listing(
    ' ',
    others.map(({ user }) => `${user?.name ?? ''}\n`),
  );
}

function cut(line: string): string {
  const bytes = Buffer.from(line);
  return bytes.length <= MAX_CHAT_LINE_BYTES ? line : bytes.toString('utf8', 0, MAX_CHAT_LINE_BYTES);
}

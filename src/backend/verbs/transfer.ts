// XFER, our own verb for `vestibule copy`, on the administration socket only: exports and imports rooms, messages and
// read marks as stored, including what the protocol cannot express (author, date and id of a message, read marks of
// others). A message travels as lines `name=value` as in MSG0, the line `text`, and its stored body.

import { BACKEND_MAX_MESSAGE_BYTES, MAX_TRANSFER_TEXT_BYTES } from '../../limits/backend.ts';
import { decodeRaw } from '../../mime/coding/encoded-words.ts';
import { charsetOf } from '../../mime/part.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { nameKey } from '../../protocol/names.ts';
import { personalName } from '../../protocol/room-facts.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import { bytesOfText, hasRawBytes, textOfBytes } from '../../system/bytes.ts';
import { listingText } from '../content/message-text.ts';
import { setScheduleTag, storedScheduleTag } from '../content/scheduling.ts';
import { requireRoom } from '../session/access.ts';
import {
  binaryStart,
  framed,
  inPieces,
  LISTING_END,
  listing,
  listingStart,
  ok,
  type Reply,
  statusLine,
  type TextReply,
  takeText,
} from '../session/reply.ts';
import { acceptedName, refuseRoomLookAlike } from '../session/rooms.ts';
import type { Session } from '../session/session.ts';
import { BodyWriter, held, readBlob } from '../store/bodies.ts';
import { type Anonymity, messageByNumber, messageInRoom, type StoredMessage, saveMessage } from '../store/messages.ts';
import { renameMember } from '../store/moving.ts';
import { hashPassword, isPasswordHash } from '../store/passwords.ts';
import { FORMAT, type StoredRoom, type StoredVisit, type VisitState } from '../store/records.ts';
import { addToRoom, messageByName, nameInRoom } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { createRoom, floorExists, fullName, roomById, roomByName, roomCache, updateRoom } from '../store/rooms.ts';
import { reindexMessage } from '../store/search-index.ts';
import type { Store } from '../store/store.ts';
import { createPersonalRooms, findUser, userById } from '../store/users.ts';
import { updateVisit, visitOf, visitorsOf } from '../store/visits.ts';

const LF = 10;

const STATES: readonly string[] = ['none', 'known', 'forgotten', 'locked_out'] satisfies VisitState[];

const ANONYMITIES: readonly string[] = ['no', 'only', 'option'] satisfies Anonymity[];

/**
 * `XFER` → 200. `XFER rooms`: all rooms, settings as in SETR. `XFER room|…` makes or changes one. In the room
 * entered: `XFER visits` and `XFER setvisits`, `XFER read|n`, `XFER message`, `XFER refer|n`. What a copy has brought:
 * `XFER steps`, `XFER step|kind|step|key`, `XFER brought|key of a room`. 512, 550, 570
 */
export function xfer(session: Session, args: string): Reply | Promise<Reply> {
  if (!session.isAdminSocket) throw new Refusal('higherAccess', 'This command is for the administration socket.');
  const [what, ...fields] = splitFields(args);
  switch (what) {
    case '':
      return ok('Ok');
    case 'rooms':
      return rooms(session);
    case 'room':
      return setRoom(session, fields);
    case 'visits':
      return visits(session);
    case 'setvisits':
      return setVisits(session);
    case 'read':
      return read(session, toInt(fields[0]));
    case 'message':
      return takeMessage(session);
    case 'refer':
      return refer(session, toInt(fields[0]));
    case 'steps':
      return steps(session.store);
    case 'step':
      return noteStep(session.store, fields);
    case 'brought':
      return broughtMessages(session.store, fields[0] ?? '');
    default:
      throw new Refusal('illegalValue', 'There is no such transfer.');
  }
}

/** rows `full name|flags|floor|order|flags2|view|password|directory|room admin|messages` */
function rooms({ store }: Session): Reply {
  const all = [...roomCache(store).byId.values()].sort((a, b) => a.id - b.id);
  const row = (room: StoredRoom) => {
    // it may have been deleted while earlier rows were sent
    if (roomById(store, room.id) !== room) return '';
    const admin = room.admin === null ? '' : (userById(store, room.admin)?.name ?? '');
    const { flags, floor, order, flags2, view, password, directory, total } = room;
    return `${[fullName(room), flags, floor, order, flags2, view, password, directory, admin, total].join('|')}\n`;
  };
  return inPieces(listingStart('Rooms:'), all.values().map(row));
}

/**
 * Takes the fields of a row of `rooms` → 200; 512 name, 561 floor, 570 owner, 574 a new room that looks like another
 * one. The password is a hash, as in `rooms`, or plain text, as other room servers send it.
 */
async function setRoom(session: Session, fields: string[]): Promise<Reply> {
  const { store } = session;
  const [name = '', flags, floor, order, flags2, view, password = '', directory = '', adminName = ''] = fields;
  const { owner: number, name: given } = personalName(name);
  const isReadable = password !== '' && !isPasswordHash(password);
  const hash = isReadable ? await hashPassword(password, session.server.passwordCost, session) : password;
  const owner = number === undefined ? undefined : userById(store, number);
  if (number !== undefined && !owner) throw new Refusal('noSuchUser', 'No such user.');
  if (!roomByName(store, name)) {
    // the import continues with this name, so it is accepted unchanged or not at all
    if (acceptedName(given, owner !== undefined) !== given) throw new Refusal('illegalValue', 'Invalid room name.');
    if (!owner) refuseRoomLookAlike(session, name);
  }
  if (!floorExists(store, toInt(floor))) throw new Refusal('badFloor', 'Invalid floor number.');
  const settings = {
    flags: toInt(flags),
    floor: toInt(floor),
    order: toInt(order),
    flags2: toInt(flags2),
    view: toInt(view),
    password: hash,
    directory,
    admin: (adminName && findUser(store, adminName)?.id) || null,
  };
  store.transaction(() => {
    if (owner) createPersonalRooms(store, owner);
    const room =
      roomByName(store, name) ??
      createRoom(store, {
        name: given,
        flags: settings.flags,
        view: settings.view,
        owner: owner?.id ?? null,
      });
    updateRoom(store, room, settings);
  });
  return ok('Ok');
}

/** rows `user|state|last read|own view|set of read messages` */
function visits(session: Session): Reply {
  const { store } = session;
  const row = ({ user, state, lastRead, view, seen }: StoredVisit) =>
    `${userById(store, user)?.name ?? ''}|${state}|${lastRead}|${view ?? ''}|${seen}\n`;
  return inPieces(listingStart('Visits:'), visitorsOf(store, requireRoom(session).id).map(row));
}

/** → 400; the text has the rows of `visits`; those of unknown users are left out */
function setVisits(session: Session): TextReply {
  const { store } = session;
  const room = requireRoom(session);
  return takeText('send visits', MAX_TRANSFER_TEXT_BYTES, (text) => {
    store.transaction(() => {
      for (const line of text.split('\n')) {
        const [name = '', state = '', lastRead, view = '', seen = ''] = splitFields(line);
        const user = findUser(store, name);
        if (!user || !STATES.includes(state)) continue;
        const change: Partial<StoredVisit> = { state: state as VisitState, lastRead: toInt(lastRead) };
        change.view = view === '' ? null : toInt(view);
        updateVisit(store, visitOf(store, user.id, room.id), { ...change, seen: SequenceSet.parse(seen) });
      }
    });
  });
}

/** → 600, head and stored body */
function read(session: Session, msgnum: number): Reply {
  const { store } = session;
  const room = requireRoom(session);
  const row = messageInRoom(store, room.id, msgnum);
  if (!row) throw new Refusal('higherAccess', `message ${msgnum} was not found in this room`);
  const stag = storedScheduleTag(store, msgnum) === undefined ? '' : '1';
  const head = headOf(row, { name: nameInRoom(store, room.id, msgnum), stag });
  const start = binaryStart(Buffer.byteLength(head) + row.size);
  return { stream: held(store, row.blob, framed(`${start}${head}`, readBlob(store, row.blob))) };
}

function headOf(row: StoredMessage, member: { name: string; stag: string }): string {
  const { format, msgid, path, time, author, address, room, recipients, euid, refs, cc, subject, anonymous } = row;
  const lines = { type: format, msgn: msgid, path, time, from: author, rfca: address, room, rcpt: recipients };
  const all = { ...lines, exti: euid, wefw: refs, cccc: cc, subj: subject, anon: anonymous, ...member };
  const present = Object.entries(all).filter(([, value]) => value !== '');
  return `${present.map(([name, value]) => `${name}=${value}\n`).join('')}text\n`;
}

/** → 800; head and body come; then the number of the message, or a negative number and why not */
function takeMessage(session: Session): TextReply {
  const { store } = session;
  const room = requireRoom(session);
  const head = new Map<string, string>();
  let line = '';
  let headBytes = 0;
  let body: BodyWriter | undefined;
  let failed: unknown;
  /** Takes a line of the head; returns the start of the next one. */
  const takeLine = (bytes: Buffer, start: number): number => {
    const lf = bytes.indexOf(LF, start);
    const end = lf < 0 ? bytes.length : lf;
    headBytes += end - start;
    if (headBytes > MAX_TRANSFER_TEXT_BYTES) throw new Refusal('illegalValue', 'The head is too long.');
    line += bytes.toString('latin1', start, end);
    if (lf < 0) return end;
    const text = textOfBytes(Buffer.from(line, 'latin1'));
    line = '';
    const equals = text.indexOf('=');
    if (equals > 0) head.set(text.slice(0, equals), text.slice(equals + 1));
    else
      body = new BodyWriter(store, {
        isMime: head.get('type') === String(FORMAT.mime),
        maxBytes: BACKEND_MAX_MESSAGE_BYTES,
      });
    return lf + 1;
  };
  const take = (bytes: Buffer): void => {
    let at = 0;
    while (!body && at < bytes.length) at = takeLine(bytes, at);
    body?.append(bytes.subarray(at));
  };
  const save = (): number => {
    if (failed !== undefined) throw failed;
    if (body?.isTooLarge) throw new Refusal('illegalValue', 'The message is too large.');
    if (!body || body.size === 0) throw new Refusal('illegalValue', 'The message is empty.');
    body.finish();
    const message = newMessage(head, body, room.id, fullName(room));
    return store.transaction(() => {
      const msgnum = saveMessage(store, message);
      const { msgid, euid } = messageByNumber(store, msgnum)!;
      noteBrought(store, nameKey(fullName(room)), { msgid, euid });
      const name = head.get('name') ?? '';
      if (name !== '' && messageByName(store, room.id, name) === undefined) {
        renameMember(store, { source: room.id, target: room.id, msgnum, name });
      }
      // numbers differ on this server, and so does the tag
      if (head.get('stag') === '1') setScheduleTag(store, msgnum, msgnum);
      return msgnum;
    });
  };
  return {
    reply: statusLine(STATUS.sendTextThenListing, 'send message'),
    text: {
      write(bytes) {
        if (failed !== undefined) return;
        try {
          take(bytes);
        } catch (error) {
          failed = error;
          body?.abort();
        }
      },
      end() {
        try {
          return `${save()}\n\n${LISTING_END}`;
        } catch (error) {
          body?.abort();
          if (!(error instanceof Refusal)) throw error;
          return `${error.failure}\n${error.message}\n${LISTING_END}`;
        }
      },
      abort: () => body?.abort(),
    },
  };
}

function newMessage(head: ReadonlyMap<string, string>, body: BodyWriter, roomId: number, roomName: string) {
  const charset = (body.structure && charsetOf(body.structure)) ?? '';
  const field = (name: string) => {
    const value = head.get(name) ?? '';
    return hasRawBytes(value) ? decodeRaw(bytesOfText(value), charset) : value;
  };
  const anonymous = field('anon');
  const time = toInt(field('time'));
  return {
    format: toInt(field('type')),
    msgid: field('msgn') || undefined,
    author: field('from'),
    path: field('path'),
    address: field('rfca'),
    anonymous: (ANONYMITIES.includes(anonymous) ? anonymous : 'no') as Anonymity,
    room: field('room') || roomName,
    recipients: field('rcpt'),
    cc: field('cccc'),
    euid: field('exti'),
    references: field('wefw'),
    subject: field('subj'),
    time: time > 0 ? time : undefined,
    body,
    rooms: [roomId],
  };
}

/** Adds an existing message to this room → 200; 575 */
function refer(session: Session, msgnum: number): Reply {
  const { store } = session;
  const room = requireRoom(session);
  const row = messageByNumber(store, msgnum);
  if (!row) throw new Refusal('noSuchMessage', `There is no message ${msgnum}.`);
  store.transaction(() => {
    if (!addToRoom(store, room.id, msgnum, row.euid)) return;
    reindexMessage(store, msgnum);
    noteBrought(store, nameKey(fullName(room)), row);
  });
  return ok('Ok');
}

const KINDS: readonly string[] = ['floor', 'user', 'room'];

const STEPS: readonly string[] = ['made', 'done'];

/** Records an imported message of the room. Call it inside the transaction that stores it. */
export function noteBrought(store: Store, roomKey: string, message: { euid: string; msgid: string }): void {
  store.run`INSERT INTO brought_message (room, id, times) VALUES (${roomKey}, ${message.euid || message.msgid}, 1)
    ON CONFLICT (room, id) DO UPDATE SET times = times + 1`;
}

/** rows `times|id` of a room, be it there or not */
export function broughtMessages(store: Store, roomKey: string): Reply {
  const rows = store.all`SELECT times, id FROM brought_message WHERE room = ${roomKey}`;
  return listing('Messages brought:', listingText(rows.map(({ times, id }) => `${times}|${id}\n`).join('')));
}

/** `kind|step|key` → 200; 512 */
export function noteStep(store: Store, [kind = '', step = '', key = '']: readonly string[]): Reply {
  if (!KINDS.includes(kind) || !STEPS.includes(step) || key === '')
    throw new Refusal('illegalValue', 'There is no such step.');
  store.run`INSERT INTO brought (kind, key, step) VALUES (${kind}, ${key}, ${step}) ON CONFLICT (kind, key) DO UPDATE
    SET step = ${step}`;
  return ok('Ok');
}

/** rows `kind|step|key` */
export function steps(store: Store): Reply {
  const rows = store.all`SELECT kind, step, key FROM brought ORDER BY kind, key`;
  return listing(
    'Steps:',
    rows.map(({ kind, step, key }) => `${kind}|${step}|${key}\n`),
  );
}

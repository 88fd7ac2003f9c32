// The driver of other room servers: uses the documented verbs, works around the quirks of a real one
// (src/protocol/QUIRKS.md), and keeps its load low.

import { AppError } from '../../errors.ts';
import { REAL_SERVER_PASSWORD_BYTES, REAL_SERVER_ROOM_PASSWORD_BYTES } from '../../limits/backend.ts';
import { mayBeScheduled } from '../../mime/scheduling/object.ts';
import { VIEW } from '../../model.ts';
import { command } from '../../protocol/fields.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { parseEnteredRoom } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool, RoomAccess } from '../connection/pool.ts';
import { ALL_NUMBERS, findByEuid } from '../messages.ts';
import { type Lack, NO_APP_PASSWORDS, type RoomServer, refusing } from '../server.ts';
import { ENTER_INBOX, newMailIn, profileFrom, suggestRecipients } from '../users.ts';
import { peopleInBooks } from './address-books.ts';
import { memberLists, membersIn } from './collections.ts';
import { readContents } from './member-contents.ts';
import { events, messages } from './messages.ts';
import { keepingMarks, moveAll, removeFolder } from './moving.ts';
import { naming } from './naming.ts';
import { rooms } from './rooms.ts';
import { search } from './search.ts';

const NO_INBOX: Lack = ['not_found', 'This room server has no scheduling inbox.'];
const NO_NAMES: Lack = ['forbidden', 'Only a message that was PUT under a name can be renamed.'];
const NO_PROPERTIES: Lack = ['forbidden', 'This room server cannot store properties.'];
const noName = refusing(NO_NAMES);
const noAppPassword = refusing(NO_APP_PASSWORDS);
const noInbox = refusing(NO_INBOX);
/** free-busy times are not available (RFC 5546 section 3.6) */
const NO_SERVICE = '5.2';

export const CITADEL: RoomServer = {
  lacks: {
    appPasswords: NO_APP_PASSWORDS,
    memberNames: NO_NAMES,
    properties: NO_PROPERTIES,
    scheduling: NO_INBOX,
    unfinishedRooms: ['method_not_allowed', 'This room server does not support unfinished rooms.'],
  },
  rooms,
  messages: { ...messages, keepingMarks, moveMany: moveAll },
  members: {
    ...memberLists,
    ...naming,
    contents: readContents,
    removeFolder,
    place: noName,
    placeFolder: noName,
    quota: async () => undefined,
  },
  properties: {
    of: async () => [],
    all: async function* () {},
    ofRooms: async () => undefined,
    change: refusing(NO_PROPERTIES),
  },
  search,
  accounts: {
    passwordBounds: { user: REAL_SERVER_PASSWORD_BYTES, room: REAL_SERVER_ROOM_PASSWORD_BYTES },
    profile: readProfile,
    newMailSince,
    // its index may lack cards (quirk Q57)
    suggest: (pool, identity, text) => suggestRecipients(pool, identity, text, () => peopleInBooks(pool, identity)),
    beginSession: async (_connection, credentials) => credentials,
    endSession: async () => {},
    makeAppPassword: noAppPassword,
    listAppPasswords: noAppPassword,
    endAppPassword: noAppPassword,
  },
  scheduling: {
    prepare: noInbox,
    drop: noInbox,
    tags: async () => new Map(),
    tagOf: async (_at, msgnum) => `"${msgnum}"`,
    invitations,
    find: async () => undefined,
    placeFor,
    inboxRoom: noInbox,
    defaultCalendar: noInbox,
    setDefaultCalendar: noInbox,
    busyTimes: async (_pool, _identity, _range, addresses) =>
      addresses.map((address) => ({ address, status: NO_SERVICE, periods: [] })),
  },
  events,
};

async function readProfile(pool: Pool, identity: Identity, name: string) {
  const [answer] = await pool.read(identity, [command('RBIO', name)]);
  return profileFrom(answer!, name);
}

async function newMailSince(pool: Pool, identity: Identity, previous: number | undefined) {
  const [inbox] = await pool.read(identity, [ENTER_INBOX]);
  const { highest } = parseEnteredRoom(inbox!);
  if (previous === undefined || highest <= previous) return { inbox: highest, count: 0 };
  return newMailIn((await pool.read(identity, [ENTER_INBOX, ALL_NUMBERS]))[1]!, highest, previous);
}

/** In the calendar or task list that every account has. */
function placeFor(pool: Pool, identity: Identity, uid: string, isTask: boolean) {
  const room = isTask ? OWN_ROOM.tasks : OWN_ROOM.calendar;
  return pool.withRoom(identity, { name: room, password: '' }, async (connection, { defaultView }) => {
    const isCalendar = defaultView === VIEW.calendar || defaultView === VIEW.tasks;
    if (!isCalendar) throw new AppError('conflict', `The room ${room} is not a calendar.`);
    return { room, msgnum: await findByEuid(connection, uid) };
  });
}

async function invitations(at: RoomAccess, most: number): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const batch of membersIn(at, {})) {
    for await (const read of readContents(at, batch)) {
      for (const { member, bytes } of read) if (mayBeScheduled(bytes.toString('latin1'))) found.push(member.msgnum);
      if (found.length >= most) return found;
    }
  }
  return found;
}

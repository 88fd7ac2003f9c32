// The driver of Vestibule's own room server, which has verbs for what a gateway needs (protocol section 21).

import { AppError } from '../../errors.ts';
import { MAX_PASSWORD_BYTES, MAX_ROOM_PASSWORD_BYTES } from '../../limits/backend.ts';
import { VIEW } from '../../model.ts';
import { command, toInt } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import { parseEnteredRoom } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import { markMany } from '../many-messages.ts';
import { readHead, readLiveFields, setSeen } from '../messages.ts';
import { postAtOnce } from '../posting.ts';
import { suggestRecipients } from '../recipients.ts';
import { readRoom } from '../rooms.ts';
import { NO_APP_PASSWORDS, type RoomServer, refusing } from '../server.ts';
import { listEuids } from '../stored-headers.ts';
import { ENTER_INBOX, newMailIn, profileFrom } from '../users.ts';
import { endAppPassword, listAppPasswords, makeAppPassword } from './app-passwords.ts';
import { listNumbers, numbersAbove, readRoomCounts, readRowList, readRowPage } from './lists.ts';
import { readContents, readMember } from './member-contents.ts';
import {
  findMemberOn,
  readChangedPage,
  readMemberPage,
  readMembersByName,
  readQuota,
  readRemoved,
  readRoomState,
} from './member-pages.ts';
import { placeFolder, placeMembers, removeFolder } from './placing.ts';
import { allProperties, changeProperties, readProperties, readRoomProperties } from './properties.ts';
import {
  dropScheduling,
  findScheduled,
  prepareScheduling,
  readBusyTimes,
  readDefaultCalendar,
  readInboxRoom,
  readScheduleTags,
  schedulingPlace,
  setDefaultCalendar,
} from './scheduling.ts';
import { searchEverywhere, searchPage, searchRoom } from './search.ts';
import { beginSession, endSession } from './session-keys.ts';

export const EMBEDDED: RoomServer = {
  lacks: {},
  rooms: {
    folderView: VIEW.files,
    read: readRoom,
    withNews: async (_pool, _identity, rows) => rows,
    counts: readRoomCounts,
    isNeeded: async () => false, // it refuses to delete such a room
    finish: finishRoom,
  },
  messages: {
    keepsCards: true,
    cutsLarge: false,
    movesWhole: true,
    numbers: listNumbers,
    page: readRowPage,
    list: readRowList,
    euids: listEuids,
    head: readHead,
    liveFields: readLiveFields,
    isHidden: () => false, // histories of pages are no messages
    requireShown: async () => {},
    post: postAtOnce,
    setSeen,
    markMany,
    hiddenVersions: (_room, versions) => versions, // it tells nobody the author of what is anonymous
  },
  members: {
    page: readMemberPage,
    state: readRoomState,
    changed: readChangedPage,
    removed: readRemoved,
    named: readMembersByName,
    namedOn: findMemberOn,
    place: placeMembers,
    placeFolder,
    removeFolder,
    quota: readQuota,
  },
  objects: { contents: readContents, read: readMember },
  properties: { of: readProperties, all: allProperties, ofRooms: readRoomProperties, change: changeProperties },
  search: { page: searchPage, everywhere: searchEverywhere, inRoom: searchRoom },
  accounts: {
    passwordBounds: { user: MAX_PASSWORD_BYTES, room: MAX_ROOM_PASSWORD_BYTES },
    profile: readProfile,
    newMailSince,
    suggest: suggestRecipients, // which book comes first: backend/verbs/completion.ts
    beginSession,
    endSession,
    makeAppPassword,
    listAppPasswords,
    endAppPassword,
  },
  scheduling: {
    prepare: prepareScheduling,
    drop: dropScheduling,
    tags: readScheduleTags,
    find: findScheduled,
    placeFor: schedulingPlace,
    inboxRoom: readInboxRoom,
    defaultCalendar: readDefaultCalendar,
    setDefaultCalendar,
    busyTimes: readBusyTimes,
  },
  events: { hasOurClock: ({ isEmbedded }) => isEmbedded, above: numbersAbove },
};

const refused = refusing(NO_APP_PASSWORDS);

/** The same from another machine, where APPW is not to be had. */
export const EMBEDDED_AFAR: RoomServer = {
  ...EMBEDDED,
  lacks: { appPasswords: NO_APP_PASSWORDS },
  accounts: { ...EMBEDDED.accounts, makeAppPassword: refused, listAppPasswords: refused, endAppPassword: refused },
};

const SET_OF_ROOM = command('PROP', 'set', '');
/** what is listed without a value is removed */
const UNFINISHED = 'unfinished\n';

function finishRoom(pool: Pool, identity: Identity, name: string): Promise<void> {
  return pool.visitRoom(identity, { name, password: '' }, async (connection) => {
    expectClass(await connection.start(SET_OF_ROOM), REPLY.sendTextThenListing);
    const [row] = await connection.sendText([Buffer.from(UNFINISHED)]);
    if (toInt(row) !== 0) throw new AppError('forbidden', 'This account may not do that.');
  });
}

/** Asked for whether there is a picture, too. */
async function readProfile(pool: Pool, identity: Identity, name: string) {
  const [answer] = await pool.read(identity, [command('RBIO', name, 1)]);
  return profileFrom(answer!, name);
}

async function newMailSince(pool: Pool, identity: Identity, previous: number | undefined) {
  const list = previous === undefined ? [] : [command('MSGS', 'GT', previous)];
  const [inbox, later] = await pool.read(identity, [ENTER_INBOX, ...list]);
  const { highest } = parseEnteredRoom(inbox!);
  return later ? newMailIn(later, highest, previous!) : { inbox: highest, count: 0 };
}

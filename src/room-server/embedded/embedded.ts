// The driver of the embedded room server, which has verbs for a gateway's needs (protocol section 21).

import { NO_APP_PASSWORDS, type RoomServer, refusing } from '../server.ts';
import { accounts } from './accounts.ts';
import { members } from './collections.ts';
import { events, messages, rooms, search } from './messages.ts';
import { properties } from './objects.ts';
import { scheduling } from './scheduling.ts';

export const EMBEDDED: RoomServer = {
  lacks: {},
  rooms,
  messages,
  members,
  properties,
  search,
  accounts,
  scheduling,
  events,
};

const refused = refusing(NO_APP_PASSWORDS);

/** The same on another machine, where APPW is not available. */
export const EMBEDDED_AFAR: RoomServer = {
  ...EMBEDDED,
  lacks: { appPasswords: NO_APP_PASSWORDS },
  accounts: { ...accounts, makeAppPassword: refused, listAppPasswords: refused, endAppPassword: refused },
};

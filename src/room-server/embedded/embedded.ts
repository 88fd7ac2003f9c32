// The driver of Vestibule's own room server, which has verbs for what a gateway needs (protocol section 21).

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

/** The same from another machine, where APPW is not to be had. */
export const EMBEDDED_AFAR: RoomServer = {
  ...EMBEDDED,
  lacks: { appPasswords: NO_APP_PASSWORDS },
  accounts: { ...accounts, makeAppPassword: refused, listAppPasswords: refused, endAppPassword: refused },
};

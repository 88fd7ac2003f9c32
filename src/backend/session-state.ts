// What the protocol keeps per connection, for the verbs to read and change (spec section 6). session.ts adds the socket.

import { now } from './clock.ts';
import { Notices } from './notices.ts';
import type { InstantMessage, RoomRow, UserRow } from './records.ts';

/** '' is a unix socket */
const LOCAL_HOSTS = new Set(['', '127.0.0.1', '::1', '::ffff:127.0.0.1']);

export class SessionState {
  user: UserRow | undefined;
  /** named by USER, waiting for PASS */
  selectedUser: UserRow | undefined;
  room: RoomRow | undefined;
  /** given with the GOTO that entered the room; it has to stay right for those whom nothing else lets in */
  roomPassword = '';
  /** highest number of the room as this session last saw it: SLRP HIGHEST */
  highestKnown = 0;
  /** MSGP, best first */
  mimePreferences: string[] = [];
  dontDecode = false;
  /** mail that arrived since the last BIFF */
  newMail = 0;
  /** the one open download of OPNA */
  openDownload: unknown;
  instantMessages: InstantMessage[] = [];
  /** who sent the message read last, for SEXP without a name */
  lastPager: UserRow | undefined;
  asyncMode = false;
  readonly notices = new Notices();
  stealth = false;
  refusesMessages = false;
  clientName = '(unknown)';
  clientHost: string;
  /** a gateway on this machine, which may say for whom it speaks (IDEN) */
  readonly isLocalPeer: boolean;
  lastCommand = '';
  lastActivity = now();

  /** `host`: address of the peer, '' on a unix socket */
  constructor(host: string) {
    this.clientHost = host;
    this.isLocalPeer = LOCAL_HOSTS.has(host);
  }

  /** byte 4 of the replies that tell of waiting instant messages */
  get flag(): '*' | ' ' {
    return this.instantMessages.length > 0 ? '*' : ' ';
  }
}

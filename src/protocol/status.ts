// Status lines (protocol section 3): three digits, a flag character, text.

/** Reply classes (first digit): what follows the status line. */
export const REPLY = {
  /** from the server: lines, up to a line `000` */
  listing: 1,
  done: 2,
  moreNeeded: 3,
  /** from the client: lines and `000`, without a reply */
  sendText: 4,
  refused: 5,
  /** from the server: the number of bytes in the text */
  binary: 6,
  /** from the client: the number of bytes in the text, without a reply */
  sendBinary: 7,
  /** from the client: lines and `000`; then a listing from the server */
  sendTextThenListing: 8,
  /** unsolicited, between replies */
  notice: 9,
} as const;

export type ReplyClass = (typeof REPLY)[keyof typeof REPLY];

/** Status codes. */
export const STATUS = {
  listing: 100,
  done: 200,
  /** DOWN without an argument */
  goingDown: 231,
  moreNeeded: 300,
  sendText: 400,
  general: 500,
  internal: 510,
  tooBig: 511,
  illegalValue: 512,
  /** embedded room server: disk full or failing */
  storage: 513,
  notLoggedIn: 520,
  unsupported: 530,
  shuttingDown: 531,
  passwordRequired: 540,
  alreadyLoggedIn: 541,
  userNameRequired: 542,
  higherAccess: 550,
  tooManySessions: 551,
  busy: 552,
  notOpen: 553,
  notHere: 560,
  badFloor: 561,
  noSuchUser: 570,
  noSuchFile: 571,
  noSuchRoom: 572,
  alreadyExists: 574,
  noSuchMessage: 575,
  /** embedded room server: the changes since then are unknown (protocol section 21.6) */
  changesNotKept: 576,
  binary: 600,
  sendBinary: 700,
  sendTextThenListing: 800,
  instantMessage: 902,
  /** embedded room server: notices (protocol section 21.1) */
  roomChanged: 903,
  roomListChanged: 904,
} as const;

export interface StatusLine {
  code: number;
  /** instant messages are waiting (flag `*`) */
  hasInstantMessages: boolean;
  /** from byte 4: text for people, or fields */
  text: string;
}

/** `200` → `REPLY.done` */
export function replyClass(code: number): ReplyClass {
  return Math.floor(code / 100) as ReplyClass;
}

/** `'200*Lobby|1'` → `{ code: 200, hasInstantMessages: true, text: 'Lobby|1' }`; undefined if malformed */
export function parseStatusLine(line: string): StatusLine | undefined {
  if (!/^[1-9]\d\d/.test(line)) return undefined;
  return { code: Number(line.slice(0, 3)), hasInstantMessages: line[3] === '*', text: line.slice(4) };
}

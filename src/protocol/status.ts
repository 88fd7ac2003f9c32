// Status lines (protocol section 3): three digits, a flag character, text. The class digit says what follows.

/** refusals of the room server, by number */
export const STATUS = {
  general: 500,
  internal: 510,
  tooBig: 511,
  illegalValue: 512,
  /** of the embedded room server: the disk is full or fails */
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
} as const;

export interface StatusLine {
  code: number;
  /** instant messages wait (flag `*`) */
  hasInstantMessages: boolean;
  /** from byte 4 on: text for people, or a field list */
  text: string;
}

/** `'200*Lobby|1'` → `{ code: 200, hasInstantMessages: true, text: 'Lobby|1' }`; undefined when it is no status line. */
export function parseStatusLine(line: string): StatusLine | undefined {
  if (!/^[1-9]\d\d/.test(line)) return undefined;
  return { code: Number(line.slice(0, 3)), hasInstantMessages: line[3] === '*', text: line.slice(4) };
}

// Answers that were not recorded, but follow from what was: of other forms of a command, of the same message, of the
// state that a real server documents for a new account or an empty room. For recorded-peer.ts.

import { toInt } from '../../src/protocol/fields.ts';
import { hashMessageId } from '../../src/protocol/lookup3.ts';
import { BROUGHT_ROOM } from '../../src/room-server/rooms.ts';
import {
  codeOf,
  type Exchange,
  fieldsOf,
  linesOf,
  listing,
  normalise,
  type Recording,
  type SessionState,
} from './recorded-exchanges.ts';
import { RecordedMessages, rowsOfMode9 } from './recorded-messages.ts';

type Derive = (context: Context, rest: string) => Buffer | undefined;

interface Context {
  /** up to the moment that is replayed */
  past: readonly Exchange[];
  /** the whole recording */
  exchanges: readonly Exchange[];
  state: SessionState;
  messages: RecordedMessages;
}

export function derivedAnswer(recording: Recording, state: SessionState, command: string): Buffer | undefined {
  const { exchanges, upTo } = recording;
  const limit = exchanges.find((exchange) => exchange.command.startsWith('CONF PUTVAL|c_maxmsglen|'));
  const messages = new RecordedMessages(exchanges, limit && Number(limit.command.split('|')[2]));
  const past = exchanges.filter((exchange) => exchange.lineNumber <= upTo);
  const verb = command.slice(0, 4);
  const context = { past, exchanges, state, messages };
  return DERIVATIONS[verb]?.(context, command.slice(5)) ?? denial(context, verb);
}

const text = (line: string) => Buffer.from(`${line}\n`);

/**
 * protocol sections 3 and 18: what a session that never logged in may not do, it may not do with other arguments either
 */
function denial({ past, state }: Context, verb: string): Buffer | undefined {
  if (state.user !== '') return undefined;
  const all = past.filter((exchange) => exchange.user === '' && exchange.command.startsWith(verb));
  return all.length > 0 && all.every((exchange) => codeOf(exchange.answer) === 520) ? all[0]!.answer : undefined;
}

const DERIVATIONS: Record<string, Derive> = {
  IDEN: () => text('200 Ok'),
  NOOP: () => text('200 ok'),
  DEXP: ({ state }, rest) => text(state.user === '' ? '520 Not logged in.' : `200 ${rest}`),

  // as XYZZ in 20-session-basics: a verb of the embedded room server alone
  SKEY: () => text('530 Unrecognized or unsupported command.'),

  // 18.2: no name was accepted
  PASS: ({ state }) => (state.selected === '' ? text('542 You must send a name with USER first.') : undefined),

  // 7, 8: the inbox of an account that nobody has written to; a room that is entered later, or that is told not to be
  GOTO: ({ past, exchanges, state }, rest) => {
    const [name] = rest.split('|');
    const later = exchanges.find(
      ({ command, answer }) =>
        command.startsWith('GOTO') &&
        codeOf(answer) === 200 &&
        (command === `GOTO ${name}` || fieldsOf(answer)[0] === name),
    );
    if (later) return later.answer;
    const moved = exchanges.find(({ command }) => command.startsWith('MOVE') && command.split('|')[1] === name);
    // the answer is the same where it is not open to who asks, who may not put anything there either
    if (moved && [550, 572].includes(codeOf(moved.answer))) return text(`572 room '${name}' not found`);
    const login = past.find(({ command, answer }) => command.startsWith('PASS') && fieldsOf(answer)[0] === state.user);
    if (!rest.startsWith('_MAIL_|') || !login || hasMail(past)) return undefined;
    const [, level, , , , , time] = fieldsOf(login.answer);
    return text(`200 Mail|0|0|0|16390|0|0|1|${level === '6' ? 1 : 0}|0|0|1|1|0|0|${time}|`);
  },

  // 18.3: nothing was forgotten
  LZRM: ({ past, state }) =>
    past.some((exchange) => exchange.user === state.user && exchange.command === 'FORG')
      ? undefined
      : listing([], '100 Zapped rooms:'),

  // 18.3: rooms that are known or forgotten, in one list
  LRMS: ({ past, state }) => {
    const last = (verb: string) =>
      past.findLast(({ user, command }) => user === state.user && normalise(command) === verb)?.answer;
    const isSomeForgotten = past.some(({ user, command }) => user === state.user && command === 'FORG');
    const known = last('LKRA');
    const forgotten = last('LZRM') ?? (isSomeForgotten ? undefined : listing([]));
    return known && forgotten && listing([...linesOf(known), ...linesOf(forgotten)], '100 Accessible rooms:');
  },

  // 18.4: nobody has written a banner
  RINF: ({ past }) => (past.some((exchange) => exchange.command === 'EINF 1') ? undefined : text('571 No info file.')),

  // 18.1: the lines that tell who answers
  INFO: () => listing(['1', 'vm', '', 'vm', 'Citadel Server 980', '980'], '100 Server info:'),

  // 18.8: no picture is smaller
  ULUI: (_, rest) => (toInt(rest) < 20 ? text("512 That's an awfully small file.  Try again.") : undefined),

  // 18.5: no copy has made a room for its list
  CRE8: ({ past, state }, rest) => {
    const [isMade, name] = rest.split('|');
    if (isMade !== '0' || name !== BROUGHT_ROOM || past.some(({ room }) => room === name)) return undefined;
    return text(state.user === '' ? '520 Not logged in.' : `200 OK to create '${name}'`);
  },

  // 18.5: nobody was made room admin
  GETA: ({ past, state }) => {
    if (state.user === '') return text('520 Not logged in.');
    return past.some(({ room, command }) => room === state.room && command.startsWith('SETA'))
      ? undefined
      : text('200 ');
  },

  // 18.4: name and time of the last change as GOTO tells them
  STAT: ({ past, state }) => {
    const entered = past.findLast(
      (exchange) => exchange.command.startsWith('GOTO') && fieldsOf(exchange.answer)[0] === state.room,
    );
    const fields = entered && fieldsOf(entered.answer);
    return fields && fields[7] === '0' ? text(`200 ${fields[0]}|${fields[15]}|`) : undefined;
  },

  // 10: whatever the number is
  SEEN: ({ state }, rest) => (state.room !== '' && /^\d+\|[01]$/.test(rest) ? text('200 OK') : undefined),

  // 10: `*:0` at first, `*:n` after SLRP n
  GTSN: ({ past, state }) => {
    if (state.user === '') return text('520 Not logged in.');
    const marks = past.filter(
      (exchange) =>
        exchange.user === state.user && exchange.room === state.room && /^(SLRP|SEEN)/.test(exchange.command),
    );
    const last = marks.at(-1);
    if (last?.command.startsWith('SEEN')) return undefined;
    return text(`200 *:${last ? fieldsOf(last.answer)[0] : 0}`);
  },

  // 17: the number that the last post under this name was given
  EUID: ({ past, state }, rest) => {
    const posts = past.filter((exchange) => exchange.room === state.room && exchange.command.startsWith('ENT0 1'));
    const confirmations = posts.map((exchange) => exchange.confirmation.toString().split('\n'));
    const last = confirmations.findLast((lines) => lines.at(-3) === rest && Number(lines[0]) > 0);
    return text(last ? `200 ${last[0]}` : '575 not found');
  },

  MSGS: messageList,
  MSG0: (context, rest) => message(context, 'MSG0', rest),
  MSG2: (context, rest) => message(context, 'MSG2', rest),

  DLAT: (context, rest) => {
    const [n, partnum] = rest.split('|');
    const same = context.past.find((exchange) => normalise(exchange.command) === `DLAT ${rest}`);
    return notHere(context, n!) ?? same?.answer ?? context.messages.dlat(Number(n), partnum!);
  },

  // 15: whether a post was refused before its body, the check is refused too, and the other way round
  ENT0: ({ past, state }, rest) => {
    const fields = (of: string) =>
      normalise(
        of
          .split('|')
          .map((value, i) => (i === 0 || i === 6 ? '' : value))
          .join('|'),
      );
    const same = past.filter(
      (exchange) =>
        exchange.user === state.user &&
        exchange.room === state.room &&
        exchange.command.startsWith('ENT0') &&
        fields(exchange.command.slice(5)) === fields(rest),
    );
    const last = same.at(-1);
    if (!last) return undefined;
    if (codeOf(last.answer) >= 500) return last.answer;
    const isPersonal = last.command.split('|')[1] !== '';
    return rest.startsWith('0') && !isPersonal ? text('200 |0') : undefined;
  },
};

/** 13: 550 is told before the mode counts; all forms of one message say the same */
function message(context: Context, verb: 'MSG0' | 'MSG2', rest: string): Buffer | undefined {
  const [n, mode = '0'] = rest.split('|') as [string, string?];
  const { messages, state } = context;
  if (n === '0') return text('550 message 0 was not found in this room'); // as in 41-msgs
  const absent = notHere(context, n);
  if (absent) return absent;
  if (!isInRoom(context, Number(n))) return undefined;
  if (verb === 'MSG2') return messages.msg2(Number(n), state.user, mode === '0');
  if (mode !== '1' && mode !== '3') return undefined;
  return messages.msg0(Number(n), state.user, mode === '1') ?? (mode === '3' ? listedFields(context, n) : undefined);
}

/** 14: what the list told of a message that nobody has read, whose room has no flag of anonymity */
function listedFields({ past, state }: Context, n: string): Buffer | undefined {
  const list = past.findLast(({ room, command }) => room === state.room && /^MSGS ALL\|\|\|[19]$/.test(command));
  const row = list && linesOf(list.answer).find((line) => line.startsWith(`${n}|`));
  const isAnonymous = past.some(({ command }) => /^SETR .*\|(514|1026)\|/.test(command));
  if (row === undefined || isAnonymous) return undefined;
  const [, time, from, , address, subject] = row.split('|');
  return listing([`time=${time}`, `from=${from}`, `rfca=${address}`, `subj=${subject}`], '100 msg:');
}

function hasMail(past: readonly Exchange[]): boolean {
  return past.some(({ command }) => /^ENT0 [01]\|[^|]|^GOTO (_MAIL_|Mail)/.test(command));
}

/** Nothing was posted there since it was entered and had no message. */
function isEmpty(past: readonly Exchange[], room: string): boolean {
  if (room === 'Mail') return !hasMail(past);
  const entered = past.findLast(({ command, answer }) => command.startsWith('GOTO') && fieldsOf(answer)[0] === room);
  const isChanged = past.some(
    (exchange) =>
      (exchange.room === room || exchange.command.startsWith('MOVE')) &&
      exchange.lineNumber > (entered?.lineNumber ?? 0) &&
      /^(ENT0 1|MOVE)/.test(exchange.command),
  );
  return entered !== undefined && fieldsOf(entered.answer)[2] === '0' && !isChanged;
}

function notHere({ past, state }: Context, n: string): Buffer | undefined {
  return past
    .findLast(
      (exchange) =>
        exchange.user === state.user &&
        exchange.room === state.room &&
        new RegExp(`^(MSG[0-4]|DLAT) ${n}(\\||$)`).test(exchange.command),
    )
    ?.answer.toString()
    .startsWith('550')
    ? text(`550 message ${n} was not found in this room`)
    : undefined;
}

/** It was posted here, listed here or read here. */
function isInRoom({ past, state }: Context, n: number): boolean {
  return past.some((exchange) => {
    if (exchange.room !== state.room) return false;
    if (exchange.command.startsWith('ENT0')) return exchange.confirmation.toString().startsWith(`${n}\n`);
    if (exchange.command.startsWith('MSGS'))
      return linesOf(exchange.answer).some((row) => Number(row.split('|')[0]) === n);
    return new RegExp(`^MSG[0-4] ${n}\\b`).test(exchange.command) && codeOf(exchange.answer) === 100;
  });
}

/** 14: selections and columns of one list; mode 9 is mode 1 with the hashes of message id and references */
function messageList({ past, state, messages }: Context, rest: string): Buffer | undefined {
  const [selector, argument = '', , mode = '0'] = rest.split('|');
  if (isEmpty(past, state.room)) return listing([], '100  ');
  const here = past.filter((exchange) => exchange.user === state.user && exchange.room === state.room);
  const all = here.findLast((exchange) => normalise(exchange.command) === (mode === '9' ? 'MSGS ALL|||1' : 'MSGS ALL'));
  const lastChange = past.findLast(
    (exchange) =>
      exchange.room === state.room && /^(ENT0 1|DELE|MOVE)/.test(exchange.command) && codeOf(exchange.answer) < 500,
  );
  if (!all && selector === 'ALL' && mode === '0') return posted(past, state.room);
  if (!all || (lastChange && lastChange.lineNumber > all.lineNumber)) return undefined;
  const rows = linesOf(all.answer);
  if (mode === '9' && selector === 'ALL') {
    return listing(
      rowsOfMode9(rows, (n) => hashesOf(messages.headerLines(n, state.user) ?? [])),
      '100  ',
    );
  }
  const count = Number(argument);
  if (mode !== '0') return undefined;
  if (selector === 'LAST') return listing(rows.slice(-count), '100  ');
  if (selector === 'FIRST') return listing(rows.slice(0, count), '100  ');
  if (selector === 'GT')
    return listing(
      rows.filter((row) => Number(row) > count),
      '100  ',
    );
  if (selector === 'LT')
    return listing(
      rows.filter((row) => Number(row) < count),
      '100  ',
    );
  return undefined;
}

/** All numbers of a room, where they are those of what was posted there: as many as GOTO tells. */
function posted(past: readonly Exchange[], room: string): Buffer | undefined {
  const here = past.filter((exchange) => exchange.room === room && exchange.command.startsWith('ENT0 1'));
  const entered = past.findLast(({ command, answer }) => command.startsWith('GOTO') && fieldsOf(answer)[0] === room);
  if (!entered || fieldsOf(entered.answer)[2] !== String(here.length)) return undefined;
  return listing(
    here.map(({ confirmation }) => confirmation.toString().split('\n')[0]!),
    '100  ',
  );
}

function hashesOf(headerLines: readonly string[]): [string, string] {
  const field = (name: string) => headerLines.find((line) => line.startsWith(`${name}=`))?.slice(5) ?? '';
  const hash = (id: string) => String(hashMessageId(id));
  const references = field('wefw')
    .split('|')
    .filter((id) => id !== '');
  return [hash(field('msgn')), references.map(hash).join(',')];
}

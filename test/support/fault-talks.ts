// Conversations with a gateway whose room server is disturbed: what is asked, what a right answer is, and for changes
// how to find out whether they were made.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { VIEW } from '../../src/model.ts';
import { CALENDAR_TYPE, eventOn, NAMESPACES } from './dav-world.ts';
import { makeRoom } from './fault-site.ts';
import type { Api } from './gateway.ts';

/** What one request is, and what becomes of it; made anew for each. */
export interface Asking {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /**
   * Of a change: how often it has been made, `broken` where something else is there. Asked undisturbed, after the
   * answer. Of what may be made once.
   */
  made?(straight: Api): Promise<0 | 1 | 'broken'>;
  /** happens once the answer has begun */
  meanwhile?(straight: Api): Promise<unknown>;
}

export interface Talk {
  name: string;
  /** the statuses of a right answer */
  right: readonly number[];
  /** makes what is asked about, undisturbed; the rest makes each request of it */
  prepare(straight: Api, user: string): Promise<(straight: Api) => Asking | Promise<Asking>>;
  /** the answer is the same each time but for this */
  varies?: RegExp;
  /** what is made is made of what the room server says, which is changed, too, where that is */
  isOfAnswer?: boolean;
  /** begins with the log-in, each time */
  logsIn?: boolean;
  /** the answer never ends: it is read until this has come, and this is what counts of it */
  until?: RegExp;
}

const WORDS = 'It was a bright day, and the words went on to the end of the line and beyond.\n';
const TEXT = `${WORDS.repeat(4)}.\n000 is no end of it\nüüü\n`;
const MAIL = [
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>${WORDS.trim()}</p>`,
  '--b',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename="a.bin"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(WORDS.repeat(3)).toString('base64'),
  '--b--',
  '',
].join('\r\n');
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const XML = { 'content-type': 'application/xml; charset=utf-8' };
const PROPFIND = `<D:propfind ${NAMESPACES}><D:allprop/></D:propfind>`;
const QUERY = `<C:calendar-query ${NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
<C:time-range start="20260701T000000Z" end="20260801T000000Z"/>
</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;
const FORM = [
  '--f',
  'Content-Disposition: form-data; name="file"; filename="note.txt"',
  'Content-Type: text/plain',
  '',
  WORDS,
  '--f--',
  '',
].join('\r\n');

let count = 0;
/** A name that no other thing has. With a check digit: nor has one that gets it where a bit of another is changed. */
export function next(what: string): string {
  const digits = String(++count);
  const sum = [...digits].reduce((before, digit) => before + Number(digit), 0);
  return `${what}-${digits}${sum % 10}`;
}

/** The number of the message that it makes, if the answer tells it. */
export async function put(
  api: Api,
  path: string,
  body: string,
  headers: Record<string, string> = PLAIN,
): Promise<number> {
  const answer = await api(path, { method: 'PUT', headers, body });
  assert.ok(answer.status === 201 || answer.status === 204, `${path}: ${answer.status} ${await answer.text()}`);
  return Number(answer.headers.get('location')?.split('/').at(-1));
}

async function numbersIn(api: Api, room: string): Promise<number[]> {
  return (await (await api(`${room}/msgs.all`)).json()) as number[];
}

/** How often the room has a message whose text has these lines; it is empty afterwards. */
async function takeFrom(api: Api, room: string, text: string): Promise<0 | 1 | 'broken'> {
  let count = 0;
  for (const number of await numbersIn(api, room)) {
    const { text: found = '' } = (await (await api(`${room}/${number}/json`)).json()) as { text?: string };
    if (found.includes(text.split('\n', 1)[0]!)) count += found.includes('is no end of it') ? 1 : 2;
    await api(`${room}/${number}`, { method: 'DELETE' });
  }
  return count === 0 || count === 1 ? count : 'broken';
}

/** Whether a file or an event has this text. */
export const isThere = async (api: Api, path: string, text: string): Promise<0 | 1 | 'broken'> => {
  const answer = await api(path);
  const found = await answer.text();
  if (answer.status === 404) return 0;
  return answer.status === 200 && found.replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n') ? 1 : 'broken';
};

const SETTLED_MS = 1000;

/** Who has given up does not stop the change: between two looks it may have been made. */
async function settled(look: () => Promise<0 | 1 | 'broken'>): Promise<0 | 1 | 'broken'> {
  const made = await look();
  if (made !== 'broken') return made;
  await sleep(SETTLED_MS);
  return look();
}

/** A room with three messages, `messages[0]` of several parts. */
async function fullRoom(straight: Api, name: string) {
  const room = await makeRoom(straight, name, VIEW.board);
  const first = await put(straight, `${room}/new?subj=Parts`, MAIL, { 'content-type': 'multipart/mixed; boundary=b' });
  await put(straight, `${room}/new?subj=Second`, TEXT);
  await put(straight, `${room}/new?subj=Third%20needle`, TEXT);
  return { room, first };
}

/** A read that is the same each time. */
export function read(
  name: string,
  right: number,
  path: (of: { room: string; first: number }) => string,
  more: Partial<Asking> = {},
): Talk {
  return {
    name,
    right: [right],
    prepare: async (straight) => {
      const of = await fullRoom(straight, next('Room'));
      return () => ({ method: 'GET', path: path(of), ...more });
    },
  };
}

export const TALKS: readonly Talk[] = [
  {
    name: 'log-in',
    right: [200],
    logsIn: true,
    varies: /"previous_login":\d+/g,
    prepare: async (_, name) => {
      return () => ({
        method: 'POST',
        path: 'a/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: name, password: `${name}pw` }),
      });
    },
  },
  read('rooms', 200, () => 'r/'),
  read('room', 200, ({ room }) => room),
  read('message list', 200, ({ room }) => `${room}/msgs.all`),
  read('mailbox', 200, ({ room }) => `${room}/mailbox`),
  read('message', 200, ({ room, first }) => `${room}/${first}`),
  read('message JSON', 200, ({ room, first }) => `${room}/${first}/json`),
  read('part', 200, ({ room, first }) => `${room}/${first}/2`),
  read('search', 200, () => 'a/search?q=needle'),
  read('PROPFIND', 207, ({ room }) => `${room}/`, {
    method: 'PROPFIND',
    headers: { ...XML, depth: '1' },
    body: PROPFIND,
  }),
  {
    name: 'REPORT',
    right: [207],
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Calendar'), VIEW.calendar);
      for (const day of ['20260710', '20260711']) {
        await put(straight, `${room}/${day}.ics`, eventOn(`${day}@x`, day), CALENDAR_TYPE);
      }
      return () => ({ method: 'REPORT', path: `${room}/`, headers: { ...XML, depth: '1' }, body: QUERY });
    },
  },
  {
    name: 'post',
    right: [201],
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Post'), VIEW.board);
      return () => {
        const body = `This is ${next('post')}.\n${TEXT}`;
        const made = (api: Api) => takeFrom(api, room, body);
        return { method: 'PUT', path: `${room}/new?subj=Once`, headers: PLAIN, body, made };
      };
    },
  },
  {
    name: 'upload',
    right: [201],
    varies: /"ref":"[\w-]+"/g,
    prepare: async () => () => ({
      method: 'POST',
      path: 'p',
      headers: { 'content-type': 'multipart/form-data; boundary=f' },
      body: FORM,
    }),
  },
  {
    name: 'delete',
    right: [204],
    prepare: async (straight) => {
      const { room } = await fullRoom(straight, next('Delete'));
      return async (api) => {
        const number = await put(api, `${room}/new?subj=Goes`, WORDS);
        const before = (await numbersIn(api, room)).filter((each) => each !== number);
        const made = async (now: Api) => {
          const left = await numbersIn(now, room);
          if (!before.every((each) => left.includes(each))) return 'broken';
          return left.includes(number) ? 0 : 1;
        };
        return { method: 'DELETE', path: `${room}/${number}`, made };
      };
    },
  },
  {
    name: 'move',
    right: [201],
    prepare: async (straight) => {
      const [from, to] = [
        await makeRoom(straight, next('From'), VIEW.files),
        await makeRoom(straight, next('To'), VIEW.files),
      ];
      return async (api) => {
        const name = next('file');
        await put(api, `${from}/${name}`, TEXT);
        const made = (now: Api) =>
          settled(async () => {
            const here = await isThere(now, `${from}/${name}`, TEXT);
            const there = await isThere(now, `${to}/${name}`, TEXT);
            return here === 0 && there === 1 ? 1 : here === 1 && there === 0 ? 0 : 'broken';
          });
        return { method: 'MOVE', path: `${from}/${name}`, headers: { destination: `/svc/${to}/${name}` }, made };
      };
    },
  },
  {
    name: 'replace',
    right: [204],
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Files'), VIEW.files);
      return async (api) => {
        const path = `${room}/${next('file')}`;
        await put(api, path, WORDS);
        const made = (now: Api) =>
          settled(async () => {
            const found = await isThere(now, path, TEXT);
            return found === 'broken' && (await isThere(now, path, WORDS)) === 1 ? 0 : found || 'broken';
          });
        return { method: 'PUT', path, headers: PLAIN, body: TEXT, made };
      };
    },
  },
  {
    name: 'calendar PUT',
    right: [201],
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Calendar'), VIEW.calendar);
      return () => {
        const uid = next('event');
        const body = eventOn(uid, '20260710', 'SUMMARY:Meeting');
        const made = (api: Api) => isThere(api, `${room}/${uid}.ics`, body);
        const headers = { ...CALENDAR_TYPE, 'if-none-match': '*' };
        return { method: 'PUT', path: `${room}/${uid}.ics`, headers, body, made };
      };
    },
  },
  {
    name: 'event stream',
    right: [200],
    until: /event: message\ndata: .*\n\n/,
    varies: /"msgs":.*/g,
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Events'), VIEW.board);
      const meanwhile = (api: Api) => put(api, `${room}/new?subj=New`, WORDS);
      return () => ({ method: 'GET', path: `a/events?room=${room.slice(2)}`, meanwhile });
    },
  },
];

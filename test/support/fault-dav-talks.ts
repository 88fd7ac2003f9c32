// Conversations of DAV clients with a gateway whose room server is disturbed, beside those of fault-talks.ts: reports,
// locks, properties, calendars and rooms that are made and go, copies.

import { VIEW } from '../../src/model.ts';
import { CALENDAR_TYPE, eventOn, NAMESPACES } from './dav-world.ts';
import { makeRoom } from './fault-site.ts';
import { type Asking, isThere, next, put, read, TALKS, type Talk } from './fault-talks.ts';
import type { Api } from './gateway.ts';

const XML = { 'content-type': 'application/xml; charset=utf-8' };
const TEXT = `What is copied.\n.\n000\nüüü\n${'words '.repeat(40)}\n`;
const LOCK = '<D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>me</D:owner>';
const DAYS = ['20260710', '20260711'];

/** A report on a calendar with an event on each of DAYS. `body`: of the path of the calendar. */
function report(name: string, root: string, body: (path: string) => string, more: Partial<Talk> = {}): Talk {
  return {
    name,
    right: [207],
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Calendar'), VIEW.calendar);
      for (const day of DAYS) await put(straight, `${room}/${day}.ics`, eventOn(`${day}@x`, day), CALENDAR_TYPE);
      const xml = `<${root} ${NAMESPACES}>${body(`/svc/${room}/`)}</${root}>`;
      return () => ({ method: 'REPORT', path: `${room}/`, headers: { ...XML, depth: '1' }, body: xml });
    },
    ...more,
  };
}

/** The room is there, with this view. */
async function isRoom(api: Api, room: string, view: number): Promise<0 | 1 | 'broken'> {
  const answer = await api(`${room}/`);
  if (answer.status === 404) return 0;
  const { default_view: found } = (await answer.json()) as { default_view?: number };
  return answer.status === 200 && found === view ? 1 : 'broken';
}

const DAV_TALKS: readonly Talk[] = [
  report(
    'sync-collection',
    'D:sync-collection',
    () => '<D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>',
  ),
  report('multiget', 'C:calendar-multiget', (path) => {
    const hrefs = DAYS.map((day) => `<D:href>${path}${day}.ics</D:href>`);
    return `<D:prop><D:getetag/><C:calendar-data/></D:prop>${hrefs.join('')}`;
  }),
  report('free-busy', 'C:free-busy-query', () => '<C:time-range start="20260701T000000Z" end="20260801T000000Z"/>', {
    right: [200],
    varies: /DTSTAMP:\w+/g,
  }),
  {
    ...read('feed', 200, ({ room }) => `${room}/feed`),
    varies: /<updated>[^<]*/g,
  },
  {
    name: 'LOCK',
    right: [200],
    varies: /urn:uuid:[\w-]+|Second-\d+|file-\d+/g,
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Locks'), VIEW.files);
      return async (api) => {
        const path = `${room}/${next('file')}`;
        await put(api, path, TEXT);
        const body = `<D:lockinfo ${NAMESPACES}>${LOCK}</D:lockinfo>`;
        // soon over: one user has so many locks and no more
        return { method: 'LOCK', path, headers: { ...XML, depth: '0', timeout: 'Second-5' }, body };
      };
    },
  },
  {
    name: 'COPY',
    right: [201],
    isOfAnswer: true,
    prepare: async (straight) => {
      const room = await makeRoom(straight, next('Copies'), VIEW.files);
      await put(straight, `${room}/source`, TEXT);
      return () => {
        const copy = `${room}/${next('copy')}`;
        const made = async (now: Api) =>
          (await isThere(now, `${room}/source`, TEXT)) === 1 ? isThere(now, copy, TEXT) : 'broken';
        return { method: 'COPY', path: `${room}/source`, headers: { destination: `/svc/${copy}` }, made };
      };
    },
  },
  {
    name: 'MKCALENDAR',
    right: [201],
    prepare: async () => () => {
      const room = `r/${next('Made')}`;
      return { method: 'MKCALENDAR', path: `${room}/`, made: (now: Api) => isRoom(now, room, VIEW.calendar) };
    },
  },
  {
    name: 'delete room',
    right: [204],
    prepare:
      async () =>
      async (api): Promise<Asking> => {
        const room = await makeRoom(api, next('Goes'), VIEW.files);
        const made = async (now: Api) => {
          const found = await isRoom(now, room, VIEW.files);
          return found === 'broken' ? found : found === 1 ? 0 : 1;
        };
        return { method: 'DELETE', path: `${room}/`, made };
      },
  },
];

/** Of the interface and of DAV clients. */
export const ALL_TALKS: readonly Talk[] = [...TALKS, ...DAV_TALKS];

// Events, tasks and contacts, the reports that find them, and people who invite each other.

import { VIEW } from '../../../src/model.ts';
import { calendarObject, contact } from '../../../test/support/calendar-object.ts';
import { meetingOf, requestIn } from '../../../test/support/meetings.ts';
import { json, type Person, typed } from '../person.ts';
import { withLock } from './locks.ts';

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
const RANGE = '<C:time-range start="20260101T000000Z" end="20270101T000000Z"/>';
const GET = '<D:prop><D:getetag/></D:prop>';
const NAMED = '<D:principal-search-property-set/>';
const timesOf = (component: string) =>
  `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="${component}">${RANGE}</C:comp-filter>` +
  `</C:comp-filter></C:filter>`;

interface Kind {
  view: number;
  type: string;
  suffix: string;
  write(uid: string): string;
  /** reports on the room; those on an object and on the home are the first */
  queries: readonly string[];
  /** the root of a multiget */
  multiget: string;
}

const KINDS: readonly Kind[] = [
  {
    view: VIEW.calendar,
    type: CALENDAR_TYPE,
    suffix: '.ics',
    write: (uid) =>
      calendarObject('VEVENT', uid, ['DTSTART:20260710T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=5', 'SUMMARY:x']),
    queries: [
      `<C:calendar-query>${GET}${timesOf('VEVENT')}</C:calendar-query>`,
      `<C:free-busy-query>${RANGE}</C:free-busy-query>`,
    ],
    multiget: 'C:calendar-multiget',
  },
  {
    view: VIEW.tasks,
    type: CALENDAR_TYPE,
    suffix: '.ics',
    write: (uid) => calendarObject('VTODO', uid, ['DUE:20260710T100000Z', 'SUMMARY:x']),
    queries: [`<C:calendar-query>${GET}${timesOf('VTODO')}</C:calendar-query>`],
    multiget: 'C:calendar-multiget',
  },
  {
    view: VIEW.addressBook,
    type: 'text/vcard; charset=utf-8',
    suffix: '.vcf',
    write: (uid) => contact(uid, 'Ann'),
    queries: [
      `<CR:addressbook-query>${GET}<CR:filter><CR:prop-filter name="FN"><CR:text-match>Ann</CR:text-match>` +
        '</CR:prop-filter></CR:filter></CR:addressbook-query>',
    ],
    multiget: 'CR:addressbook-multiget',
  },
];

export const calendarErrands = [
  ...KINDS.map((kind) => (person: Person) => visitObjects(person, kind)),
  searchPrincipals,
  ...['', '/'].map((slash) => (person: Person) => askForBusyTimes(person, slash)),
  beInvited,
  answerMail,
];

async function visitObjects(person: Person, { view, type, suffix, write, queries, multiget }: Kind): Promise<void> {
  const name = person.fresh();
  await person.ask('POST', 'r/', json({ name, kind: 'personal', view }));
  const object = `r/${name}/${name}${suffix}`;
  await person.ask('PUT', object, typed(type, write(name)));
  for (const method of ['GET', 'PROPFIND', 'PROPPATCH']) await person.ask(method, object);
  const some = `<${multiget}>${GET}<D:href>/svc/${object}</D:href></${multiget}>`;
  for (const report of [...queries, some]) await person.report(`r/${name}/`, report);
  await person.ask('REPORT', `r/${name}/`);
  for (const path of [object, 'r/']) await person.report(path, queries[0]!);
  await withLock(person, object, async (token) => {
    await person.ask('PUT', object, { headers: { 'content-type': type, if: `(${token})` }, body: write(name) });
  });
  await person.ask('DELETE', object);
  await person.ask('DELETE', `r/${name}`);
}

async function searchPrincipals(person: Person): Promise<void> {
  for (const path of ['/', '/svc', '/svc/', 'r', 'u', 'u/', `u/${person.name}`, `u/${person.name}/`]) {
    await person.report(path, NAMED);
  }
}

async function askForBusyTimes(person: Person, slash: string): Promise<void> {
  const own = await person.address();
  if (own === undefined) return;
  const lines = ['DTSTART:20260710T000000Z', 'DTEND:20260711T000000Z', `ORGANIZER:${own}`];
  const people = [own, addressOf(person.neighbour, own)].map((one) => `ATTENDEE:${one}`);
  const question = calendarObject('VFREEBUSY', person.fresh(), [...lines, ...people]);
  await person.ask('POST', `u/${person.name}/outbox${slash}`, typed(CALENDAR_TYPE, requestIn(question)));
}

/** The neighbour invites, which comes into the inbox, and calls it off. */
async function beInvited(person: Person): Promise<void> {
  const own = await person.address();
  if (own === undefined) return;
  const { uid, text } = meetingOf(person.fresh(), addressOf(person.neighbour, own), [own]);
  const event = `r/Calendar/${uid}.ics`;
  await person.askAsNeighbour('PUT', event, typed(CALENDAR_TYPE, text));
  const inbox = `u/${person.name}/inbox`;
  const list = await person.ask('PROPFIND', `${inbox}/`, { headers: { depth: '1' } });
  for (const [, name] of list?.text.matchAll(/<D:href>[^<]*\/inbox\/([^/<]+)</g) ?? []) {
    for (const method of ['GET', 'PROPFIND', 'DELETE']) await person.ask(method, `${inbox}/${name}`);
  }
  await person.askAsNeighbour('DELETE', event);
  await person.ask('DELETE', event);
}

/** An invitation that has come as mail is accepted. */
async function answerMail(person: Person): Promise<void> {
  const own = await person.address();
  if (own === undefined) return;
  const { uid, text } = meetingOf(person.fresh(), addressOf(person.neighbour, own), [own]);
  const mail = typed('text/calendar; method=REQUEST; charset=utf-8', requestIn(text));
  const posted = await person.ask('PUT', `${person.room('Mails')}/new?subj=plan`, mail);
  const number = posted?.headers.get('location')?.split('/').at(-1);
  if (number === undefined) return;
  await person.ask('POST', `${person.room('Mails')}/${number}/invitation`);
  await person.ask('DELETE', `r/Calendar/${uid}.ics`);
  await person.ask('DELETE', `${person.room('Mails')}/${number}`);
}

/** `own`: the address of somebody else of the same server */
function addressOf(name: string, own: string): string {
  return `mailto:${name}${own.slice(own.indexOf('@'))}`;
}

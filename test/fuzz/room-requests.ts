// Requests whose answers are made of what a room server says: those to every route, and of the demo's rooms of each
// kind lists, members, properties and reports.

import { CALENDAR_QUERY, PREFIX, requestsToRoutes, requestTo } from './requests.ts';

const XML = { 'content-type': 'application/xml' };
const JSON_BODY = { 'content-type': 'application/json' };
const PROPERTIES = [
  'D:displayname D:resourcetype D:getetag D:getcontentlength D:getcontenttype D:getlastmodified D:creationdate',
  'D:acl D:owner D:current-user-privilege-set D:current-user-principal D:principal-URL D:group-member-set D:sync-token',
  'D:supported-report-set D:supportedlock D:lockdiscovery D:quota-used-bytes D:quota-available-bytes S:getctag',
  'C:calendar-home-set C:calendar-timezone C:calendar-description C:supported-calendar-component-set',
  'C:calendar-user-address-set C:schedule-inbox-URL C:schedule-tag C:max-resource-size C:schedule-default-calendar-URL',
  'A:addressbook-description A:addressbook-home-set A:supported-address-data',
]
  .join(' ')
  .split(' ');
const PROPFIND =
  '<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav" ' +
  `xmlns:S="http://calendarserver.org/ns/"><D:prop>${PROPERTIES.map((name) => `<${name}/>`).join('')}</D:prop>` +
  '</D:propfind>';
const WANTED = '<prop><getetag/><getlastmodified/></prop>';
const SYNC = `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level>${WANTED}</sync-collection>`;
const CARDS =
  '<A:addressbook-query xmlns="DAV:" xmlns:A="urn:ietf:params:xml:ns:carddav">' +
  '<prop><getetag/><A:address-data/></prop><A:filter><A:prop-filter name="FN"/></A:filter></A:addressbook-query>';
const FREE_BUSY =
  '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">' +
  '<C:time-range start="20260101T000000Z" end="20280101T000000Z"/></C:free-busy-query>';
const multiget = (room: string, name: string, [tag, namespace, data]: readonly string[]): string =>
  `<X:${tag} xmlns="DAV:" xmlns:X="urn:ietf:params:xml:ns:${namespace}"><prop><getetag/><X:${data}/></prop>` +
  `<href>${PREFIX}r/${room}/${name}</href></X:${tag}>`;
const EVENT =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:fuzz\r\nDTSTAMP:20260101T000000Z\r\n' +
  'DTSTART:20260105T100000Z\r\nSUMMARY:Tea\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
/** rooms of the demo, encoded, and what members of each are named */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'Town%20Square': ['17', '23', '44'],
  _MAIL_: ['45'],
  Events: ['demo-event-1'],
  'To%20Do': ['29'],
  Members: ['20'],
  Pinboard: ['16'],
  Handbook: ['home'],
  'Garden%20Diary': ['12'],
};

/** Those that change nothing come first. */
export function roomRequests(): string[] {
  const get = (path: string, headers?: Record<string, string>) => requestTo('GET', path, headers);
  const find = (path: string, depth: string) => requestTo('PROPFIND', path, { ...XML, depth }, PROPFIND);
  const report = (path: string, body: string) => requestTo('REPORT', path, { ...XML, depth: '1' }, body);
  const rooms = Object.entries(MEMBERS).flatMap(([room, names]) => [
    ...['', '/mailbox', '/feed'].map((path) => get(`r/${room}${path}`)),
    find(`r/${room}/`, '1'),
    report(`r/${room}/`, SYNC),
    ...names.flatMap((name) => [
      get(`r/${room}/${name}`),
      get(`r/${room}/${name}/json`),
      find(`r/${room}/${name}`, '0'),
    ]),
  ]);
  const global = [
    ...['a/search?q=the', 'a/hits?q=garden', 'a/complete?q=al', 'a/recipient?q=alice', 'u/?q=a'].map((path) =>
      get(path),
    ),
    ...['', 'r/', 'u/', 'u/alice/', 'u/alice/inbox/', 'u/alice/outbox/'].map((path) => find(path, '1')),
    ...['r/Town%20Square/23/1.2', 'r/Town%20Square/44/2/json', 'r/Town%20Square/26/2'].map((path) => get(path)),
    ...['msgs.all', 'msgs.new', 'mailbox?limit=2&before=99'].map((path) => get(`r/Town%20Square/${path}`)),
    get('r/Town%20Square/23', { accept: 'message/rfc822' }),
    get('r/Handbook/home/history'),
    get('r/Handbook/home/history/1/json'),
    report('r/Events/', CALENDAR_QUERY),
    report('r/Events/', FREE_BUSY),
    report('r/Events/', multiget('Events', 'demo-event-1', ['calendar-multiget', 'caldav', 'calendar-data'])),
    report('r/Members/', CARDS),
    report('r/Members/', multiget('Members', '6', ['addressbook-multiget', 'carddav', 'address-data'])),
    report('r/', SYNC),
    requestTo('HEAD', 'r/Town%20Square/23'),
  ];
  const changing = [
    requestTo('PATCH', 'r/Town%20Square/mailbox', JSON_BODY, '{"msgnums":[2,3],"seen":true}'),
    requestTo('PATCH', 'r/Town%20Square/2', JSON_BODY, '{"seen":true}'),
    requestTo('PUT', 'r/Events/fuzz.ics', { 'content-type': 'text/calendar', 'if-none-match': '*' }, EVENT),
    requestTo(
      'PUT',
      'r/Town%20Square/new?subj=x',
      { 'content-type': 'text/plain', prefer: 'return=representation' },
      'a',
    ),
    requestTo('MOVE', 'r/Events/30', { destination: `${PREFIX}r/Events/moved.ics` }),
    requestTo('DELETE', 'r/Members/20'),
    requestTo('POST', 'a/app-passwords', JSON_BODY, '{"name":"x","scope":"feed","room":"Lobby","password":"alice"}'),
    requestTo('GET', 'a/app-passwords'),
    requestTo('DELETE', 'a/app-passwords/1'),
    requestTo('POST', 'a/login', JSON_BODY, '{"username":"alice","password":"alice"}'),
    requestTo('POST', 'a/password', JSON_BODY, '{"old":"alice","new":"alice"}'),
    requestTo('DELETE', 'r/Speakeasy'),
    requestTo('DELETE', 'u/bob'),
  ];
  const all = new Set(requestsToRoutes());
  // the same with a slash behind it is the same
  const toRoutes = [...all].filter(
    (request) => !all.has(request.replace('/ HTTP', ' HTTP')) || / \S*[^/] /.test(request),
  );
  const isReading = (request: string) => /^(?:GET|PROPFIND|REPORT|HEAD) /.test(request);
  const reading = [...rooms, ...global, ...toRoutes.filter(isReading)];
  return [...new Set([...reading, ...changing, ...toRoutes])];
}

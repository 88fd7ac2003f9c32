// Members of calendars, task lists and address books, as a DAV client puts, finds and deletes them: on the embedded
// room server, and on one that behaves as a real one.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_OBJECT_BYTES } from '../../src/limits/backend.ts';
import { MAX_CHECKED_IN_PLACE_BYTES } from '../../src/limits/http.ts';
import { type Api, behindGateway, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const CALENDAR = 'text/calendar; charset=utf-8';
const CARD = 'text/vcard; charset=utf-8';

const object = (lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y', ...lines, 'END:VCALENDAR', ''];
const component = (kind: string, uid: string, ...lines: string[]) => [
  `BEGIN:${kind}`,
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  ...(kind === 'VEVENT' ? ['DTSTART:20260105T100000Z', 'DURATION:PT1H'] : []),
  ...lines,
  `END:${kind}`,
];
const event = (uid: string, ...lines: string[]) => object(component('VEVENT', uid, ...lines)).join('\r\n');
const card = (uid: string, name = uid) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `N:${name};;;;`, 'END:VCARD', ''].join('\r\n');

const put = (api: Api, path: string, body: string | Uint8Array, type = CALENDAR, headers = {}) =>
  api(path, { method: 'PUT', headers: { 'content-type': type, ...headers }, body });
const etagOf = (answer: Response) => answer.headers.get('etag')!;
const membersOf = async (api: Api, room: string) => {
  const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
  const answer = await api(`${room}/`, { method: 'PROPFIND', headers: { depth: '1' }, body });
  const text = await answer.text();
  const responses = text.matchAll(/<D:href>([^<]*)<\/D:href><D:propstat><D:prop><D:getetag>([^<]*)</g);
  return Array.from(responses, ([, href, etag]) => [href!.slice(`/svc/${room}/`.length), etag]);
};
const condition = (prefixed: string, namespace: string, href = '') =>
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:">' +
  (href === ''
    ? `<C:${prefixed} xmlns:C="urn:ietf:params:xml:ns:${namespace}"/>`
    : `<C:${prefixed} xmlns:C="urn:ietf:params:xml:ns:${namespace}"><D:href>${href}</D:href></C:${prefixed}>`) +
  '</D:error>\n';
/** without the text for people, whose form test/e2e/dav/oddities.test.ts knows */
const told = async (answer: Response) => [
  answer.status,
  (await answer.text()).replace(/<T:error-description[^<]*<\/T:error-description>/, ''),
];

describe('members on two gateways', () => {
  it('have their UID alone, and are made once', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const apis = [first.as('alice'), (await behindGateway(t, first)).as('alice')];
    const statuses = async (nameOf: (i: number) => string, uid: string) => {
      const answers = Array.from({ length: 8 }, (_, i) =>
        put(apis[i % 2]!, `r/Calendar/${nameOf(i)}`, event(uid, `SUMMARY:${i}`), CALENDAR, { 'if-none-match': '*' }),
      );
      return await Promise.all(
        (await Promise.all(answers)).map(async (answer) => `${answer.status} ${await answer.text()}`),
      );
    };
    for (let round = 0; round < 5; round++) {
      const uid = `race-${round}`;
      const told = await statuses((i) => `${uid}-${i}.ics`, uid);
      assert.equal(told.filter((each) => each.startsWith('201')).length, 1);
      assert.equal(told.filter((each) => /^409 .*no-uid-conflict.*race-\d-\d\.ics/s.test(each)).length, 7, told.join());
      const same = await statuses(() => `same-${round}.ics`, `same-${round}`);
      assert.deepEqual(same.map((each) => each.slice(0, 3)).sort(), ['201', ...Array(7).fill('412')]);
    }
  });
});

const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const worlds = [
  { where: 'the embedded room server', isReal: false, gateway: await startGateway({ after }, { demo: true }) },
  { where: 'a real one', isReal: true, gateway: await startGateway({ after }, { backend: `unix:${real.path}` }) },
];

for (const { where, isReal, gateway } of worlds) {
  const alice = gateway.as('alice', isReal ? 'alicepw' : 'alice');
  const makeRoom = async (name: string, view: number) => {
    const body = JSON.stringify({ name, view });
    const answer = await alice('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    assert.equal(answer.status, 201, await answer.text());
    return `r/${name}`;
  };

  describe(`members on ${where}`, () => {
    it('keep the name they are PUT under, and answer by UID and number, too', async () => {
      const room = await makeRoom('Names', 3);
      const body = `${event('uid-1@x', 'SUMMARY:Grüße', 'X-LONG:'.padEnd(2000, 'ü'))}\n\r\n`;
      const made = await put(alice, `${room}/My%20event%20%C3%BC.ics`, body, CALENDAR, { 'if-none-match': '*' });
      assert.equal(made.status, 201);
      const number = etagOf(made).slice(1, -1);
      assert.deepEqual(await membersOf(alice, room), [['My%20event%20%C3%BC.ics', etagOf(made)]]);
      for (const name of ['My%20event%20%C3%BC.ics', 'uid-1@x', 'uid-1%40x.ics', 'uid-1@x.vcf', number]) {
        const read = await alice(`${room}/${name}`);
        assert.equal(read.status, 200, name);
        assert.equal(await read.text(), body);
        assert.equal(read.headers.get('content-type'), CALENDAR);
        assert.equal(etagOf(read), etagOf(made));
        const head = await alice(`${room}/${name}`, { method: 'HEAD' });
        assert.deepEqual(
          [etagOf(head), head.headers.get('content-length')],
          [etagOf(made), String(Buffer.byteLength(body))],
        );
        const again = await put(alice, `${room}/${name}`, body, CALENDAR, { 'if-none-match': '*' });
        assert.equal(again.status, 412, `${name} is there`);
      }
      for (const name of ['My%20event%20%C3%BC.ics', 'uid-1@x', number]) {
        const href = `/svc/${room}/${name}`;
        const asked = `<D:prop><D:getetag/><calendar-data/></D:prop><D:href>${href}</D:href>`;
        const namespaces = 'xmlns:D="DAV:" xmlns="urn:ietf:params:xml:ns:caldav"';
        const sent = `<calendar-multiget ${namespaces}>${asked}</calendar-multiget>`;
        const answer = await (await alice(`${room}/`, { method: 'REPORT', body: sent })).text();
        const [, etag, data] = /<D:getetag>([^<]*)<.*<C:calendar-data>([^<]*)</s.exec(answer)!;
        assert.deepEqual([etag, data!.replaceAll('&#13;', '\r')], [etagOf(made), body], name);
      }
      for (const name of ['My%20event.ics', 'uid-1', 'uid-1@x.txt', '999999']) {
        assert.equal((await alice(`${room}/${name}`)).status, 404, name);
      }
    });

    it('that no client has named are listed by UID with an ending, and answer without it, too', async () => {
      const calendar = await makeRoom('Unnamed', 3);
      const posted: [name: string, uid: string, number: string][] = [];
      const long = `${'ü'.repeat(140)}-20-more-characters`;
      for (const uid of [
        'plain',
        'a/b',
        '50%',
        '%2F',
        'grüß dich',
        long,
        'ends.ics',
        'a@b.vcf',
        'stat',
        '7',
        'msgs.all',
      ]) {
        const number = etagOf(await put(alice, `${calendar}/new`, event(uid))).slice(1, -1);
        posted.push([uid.endsWith('.ics') ? uid : `${uid}.ics`, uid, number]);
      }
      const letter = etagOf(await put(alice, `${calendar}/new?subj=letter`, 'a letter', 'text/plain')).slice(1, -1);
      posted.push([`${letter}.ics`, letter, letter]);
      const expected = posted.map(([name, , number]) => [encodeURIComponent(name), `"${number}"`]);
      assert.deepEqual(await membersOf(alice, calendar), expected);
      for (const [name, uid, number] of posted) {
        for (const each of new Set([name, number, ...(['7', 'stat', 'msgs.all'].includes(uid) ? [] : [uid])])) {
          const read = await alice(`${calendar}/${encodeURIComponent(each)}`);
          assert.deepEqual([read.status, etagOf(read)], [200, `"${number}"`], each);
          const again = await put(alice, `${calendar}/${encodeURIComponent(each)}`, event(uid), CALENDAR, {
            'if-none-match': '*',
          });
          assert.equal(again.status, 412, `${each} is there`);
        }
      }
      const update = await put(alice, `${calendar}/plain.ics`, event('plain', 'SUMMARY:new'));
      assert.equal(update.status, 204);
      const names = (await membersOf(alice, calendar)).map(([name]) => name);
      assert.ok(names.includes('plain.ics') && names.length === posted.length, names.join());
      const book = await makeRoom('Cards', 2);
      await put(alice, `${book}/new`, card('plain'), CARD);
      assert.deepEqual(
        (await membersOf(alice, book)).map(([name]) => name),
        ['plain.vcf'],
      );
      const notes = await makeRoom('Notebook', 5);
      const note = 'BEGIN:VNOTE\r\nVERSION:1.1\r\nUID:note\r\nEND:VNOTE\r\n';
      await put(alice, `${notes}/new`, note, 'text/vnote');
      const [shown] = await membersOf(alice, notes);
      assert.equal(shown![0], 'note');
    });

    it('are replaced under any of their names, and keep theirs', async () => {
      const room = await makeRoom('Updates', 3);
      let etag = etagOf(await put(alice, `${room}/own.ics`, event('u1')));
      const names = ['own.ics', 'u1', 'u1.ics', () => etag.slice(1, -1), 'own.ics'];
      for (const [i, each] of names.entries()) {
        const name = typeof each === 'string' ? each : each();
        const body = event('u1', `SUMMARY:${i}`);
        const wrong = await put(alice, `${room}/${name}`, body, CALENDAR, { 'if-match': '"1"' });
        assert.equal(wrong.status, 412, name);
        const answer = await put(alice, `${room}/${name}`, body, CALENDAR, { 'if-match': etag });
        assert.equal(answer.status, 204, name);
        assert.notEqual(etagOf(answer), etag);
        etag = etagOf(answer);
        assert.deepEqual(await membersOf(alice, room), [['own.ics', etag]]);
        assert.equal(await (await alice(`${room}/own.ics`)).text(), body);
      }
      const posted = await put(alice, `${room}/new`, event('u1', 'SUMMARY:by a program'));
      assert.equal(posted.status, 204);
      assert.deepEqual(await membersOf(alice, room), [['own.ics', etagOf(posted)]]);
    });

    it('are not made where a precondition fails', async () => {
      const room = await makeRoom('Preconditions', 3);
      for (const match of ['nothing', '*', '"1"', 'W/"1"', '']) {
        const answer = await put(alice, `${room}/a.ics`, event('a'), CALENDAR, { 'if-match': match });
        assert.equal(answer.status, 412, match);
      }
      assert.deepEqual(await membersOf(alice, room), []);
      const etag = etagOf(await put(alice, `${room}/a.ics`, event('a')));
      for (const match of [`W/${etag}`, etag.slice(1, -1), '"x"']) {
        const headers = { 'if-match': match };
        assert.equal((await put(alice, `${room}/a.ics`, event('a'), CALENDAR, headers)).status, 412, match);
        assert.equal((await alice(`${room}/a.ics`, { method: 'DELETE', headers })).status, 412, match);
      }
      assert.deepEqual(await membersOf(alice, room), [['a.ics', etag]]);
    });

    it('have their UID alone', async () => {
      const room = await makeRoom('Uids', 3);
      await put(alice, `${room}/first.ics`, event('one'));
      const conflict = (name: string) => [409, condition('no-uid-conflict', 'caldav', `/svc/${room}/${name}`)];
      assert.deepEqual(await told(await put(alice, `${room}/second.ics`, event('one'))), conflict('first.ics'));
      assert.deepEqual(await told(await put(alice, `${room}/first.ics`, event('two'))), conflict('first.ics'));
      assert.deepEqual(await told(await put(alice, `${room}/one`, event('two'))), conflict('first.ics'));
      assert.equal((await put(alice, `${room}/two.ics`, event('two'))).status, 201);
      assert.deepEqual(await told(await put(alice, `${room}/two.ics`, event('one'))), conflict('first.ics'));
      const json = await put(alice, `${room}/second.ics`, event('one'), CALENDAR, { accept: 'application/json' });
      assert.deepEqual([json.status, json.headers.get('content-type')], [409, 'application/problem+json']);
      assert.deepEqual(
        (await membersOf(alice, room)).map(([name]) => name),
        ['first.ics', 'two.ics'],
      );
    });

    it('are who is called so, and not who has this for a UID', async () => {
      const room = await makeRoom('Aliases', 3);
      const named = etagOf(await put(alice, `${room}/b.ics`, event('a')));
      const other = etagOf(await put(alice, `${room}/c.ics`, event('b')));
      assert.equal(etagOf(await alice(`${room}/b.ics`)), named);
      assert.equal(etagOf(await alice(`${room}/b`)), other, 'its UID');
      assert.equal(etagOf(await alice(`${room}/a`)), named);
      assert.equal((await alice(`${room}/b.ics`, { method: 'DELETE' })).status, 204);
      assert.deepEqual(await membersOf(alice, room), [['c.ics', other]]);
    });

    it('are calendar objects, else they are refused with the precondition', async () => {
      const calendar = await makeRoom('Checked', 3);
      const tasks = await makeRoom('CheckedTasks', 4);
      const refused = async (name: string, body: string, type = CALENDAR, room = calendar) =>
        assert.deepEqual(await told(await put(alice, `${room}/a.ics`, body, type)), [403, condition(name, 'caldav')]);
      const two = object([...component('VEVENT', 'a'), ...component('VEVENT', 'b')]).join('\r\n');
      const task = object(component('VTODO', 'a')).join('\r\n');
      await refused('supported-calendar-data', 'hello', 'text/plain');
      await refused('supported-calendar-data', card('a'), CARD);
      await refused('supported-calendar-data', event('a'), 'text/x-vcalendar');
      await refused('supported-calendar-data', event('a').replace('VERSION:2.0', 'VERSION:1.0'));
      await refused('valid-calendar-data', 'hello');
      await refused('valid-calendar-data', event('a').slice(0, -10));
      await refused('valid-calendar-object-resource', two);
      for (const size of [MAX_CHECKED_IN_PLACE_BYTES, MAX_CHECKED_IN_PLACE_BYTES + 1]) {
        await refused('valid-calendar-object-resource', two.padEnd(size, '\n'));
      }
      await refused('supported-calendar-component', task);
      await refused('supported-calendar-component', event('a'), CALENDAR, tasks);
      await refused('max-resource-size', event('a').padEnd(MAX_OBJECT_BYTES + 1));
      assert.deepEqual(await membersOf(alice, calendar), []);
      assert.equal((await put(alice, `${tasks}/a.ics`, task)).status, 201);
      const summary = 'x'.repeat(MAX_OBJECT_BYTES - event('a', 'SUMMARY:').length);
      const whole = await put(alice, `${calendar}/a.ics`, event('a', `SUMMARY:${summary}`));
      assert.equal(whole.status, 201);
      assert.equal((await put(alice, `${calendar}/new?subj=letter`, 'a letter', 'text/plain')).status, 201);
    });

    it('of vCard 2.1 are stored as 3.0, without an ETag, for they are not what was sent', async () => {
      const book = await makeRoom('OldBook', 2);
      const lines = [
        'BEGIN:VCARD',
        'VERSION:2.1',
        'UID:old',
        'N;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg',
        'TEL;CELL:1',
      ];
      const made = await put(alice, `${book}/old.vcf`, [...lines, 'END:VCARD', ''].join('\r\n'), CARD);
      assert.deepEqual([made.status, made.headers.get('etag')], [201, null]);
      const read = await (await alice(`${book}/old.vcf`)).text();
      for (const line of ['VERSION:3.0', 'FN.*:Jörg Müller', 'TEL;TYPE=CELL:1'])
        assert.match(read, new RegExp(`^${line}`, 'm'));
      assert.doesNotMatch(read, /2\.1|QUOTED/);
    });

    it('are cards in an address book', async () => {
      const book = await makeRoom('Book', 2);
      const refused = async (name: string, body: string, type = CARD) =>
        assert.deepEqual(await told(await put(alice, `${book}/a.vcf`, body, type)), [403, condition(name, 'carddav')]);
      await refused('supported-address-data', event('a'), CALENDAR);
      await refused('supported-address-data', card('a'), 'text/directory');
      await refused('supported-address-data', card('a').replace('VERSION:3.0', 'VERSION:5.0'));
      await refused('valid-address-data', 'hello');
      await refused('valid-address-data', card(''));
      await refused('valid-address-data', card('').padEnd(MAX_CHECKED_IN_PLACE_BYTES + 1, '\n'));
      // of whatever bytes: the transfer encoding that carries them makes three of one; a real server, which writes a
      // card anew, makes one of this size too large
      const units = { accents: 'ü', equals: '=', folds: `${'x'.repeat(20)}\r\n ` };
      for (const [name, unit] of isReal ? [] : Object.entries(units)) {
        const start = card(name).replace('END:', 'NOTE:NOTE\r\nEND:');
        const most = Math.floor((MAX_OBJECT_BYTES - start.length) / Buffer.byteLength(unit));
        const large = start.replace('NOTE:NOTE', `NOTE:${unit.repeat(most)}`);
        const statuses = [201, 204, 204];
        for (const status of statuses) {
          const answer = await put(alice, `${book}/${name}.vcf`, large, CARD);
          assert.equal(answer.status, status, `${name}: ${await answer.text()}`);
        }
        assert.equal((await membersOf(alice, book)).length, 1, name);
        assert.equal((await alice(`${book}/${name}.vcf`, { method: 'DELETE' })).status, 204);
      }
      const made = await put(alice, `${book}/a.vcf`, card('a', 'Ann'), CARD, { 'if-none-match': '*' });
      assert.deepEqual([made.status, made.headers.has('etag')], [201, !isReal], 'a real server writes it anew');
      const read = await alice(`${book}/a.vcf`);
      assert.match(await read.text(), /FN[^:]*:Ann/);
      assert.deepEqual(await membersOf(alice, book), [['a.vcf', etagOf(read)]]);
      const other = await told(await put(alice, `${book}/b.vcf`, card('a'), CARD));
      assert.deepEqual(other, [409, condition('no-uid-conflict', 'carddav', `/svc/${book}/a.vcf`)]);
      const update = await put(alice, `${book}/a.vcf`, card('a', 'Bea'), CARD, { 'if-match': etagOf(read) });
      assert.equal(update.status, 204);
      assert.equal((await membersOf(alice, book)).length, 1);
    });

    it('are deleted under any of their names', async () => {
      const room = await makeRoom('Deleted', 3);
      for (const name of ['x.ics', 'u', 'u.ics', '']) {
        const etag = etagOf(await put(alice, `${room}/x.ics`, event('u')));
        const path = `${room}/${name || etag.slice(1, -1)}`;
        assert.equal((await alice(path, { method: 'DELETE', headers: { 'if-match': etag } })).status, 204, name);
        assert.deepEqual(await membersOf(alice, room), []);
        assert.equal((await alice(path, { method: 'DELETE' })).status, 404, name);
      }
    });

    it('are made once, however many come at the same time', async () => {
      const room = await makeRoom('Race', 3);
      const create = { 'if-none-match': '*' };
      const same = Array.from({ length: 6 }, (_, i) =>
        put(alice, `${room}/a.ics`, event('a', `SUMMARY:${i}`), CALENDAR, create),
      );
      const created = (await Promise.all(same)).map(({ status }) => status);
      assert.deepEqual(created.sort(), [201, 412, 412, 412, 412, 412]);
      const others = Array.from({ length: 6 }, (_, i) => put(alice, `${room}/b${i}.ics`, event('b'), CALENDAR, create));
      const statuses = (await Promise.all(others)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [201, 409, 409, 409, 409, 409]);
      assert.equal((await membersOf(alice, room)).length, 2);
    });

    it('have a room to be in, which is not replaced', async () => {
      assert.equal((await put(alice, 'r/Nowhere/a.ics', event('a'))).status, 409);
      const room = await makeRoom('Itself', 3);
      for (const path of [room, `${room}/`]) assert.equal((await put(alice, path, event('a'))).status, 405, path);
      assert.equal((await put(gateway.api, `${room}/a.ics`, event('a'))).status, 401);
    });
  });
}

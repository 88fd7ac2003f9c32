// Where members have names (files, pages, notes, events, tasks, contacts), a segment of an address is a name before it
// is anything else: digits, room resources and all else that the routes use. Numbers and room resources have a bar in
// front. In other rooms nothing is accepted under a name that it then does not have.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { routes } from '../../../src/api/routes.ts';
import { addDavRoutes } from '../../../src/dav/routes.ts';
import { VIEW } from '../../../src/model.ts';
import { CALENDAR_TYPE, type Dav, davOf, eventOn, hrefsIn } from '../../support/dav-world.ts';
import { startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';

const router = routes('/svc/');
addDavRoutes(router, '/svc/');
/** every word that a pattern below a room has, at any depth */
const WORDS = new Set(
  router
    .routes()
    .filter(({ pattern }) => pattern.startsWith('/svc/r/:room/'))
    .flatMap(({ pattern }) => pattern.split('/').slice(4))
    .filter((segment) => /^\w[\w.]*$/.test(segment)),
);
const NAMES = [
  ...WORDS,
  ...['new', 'rfc822', 'msgs.all', 'msgs.last', 'msgs.x', '1', '2026', '2028', '0', '007', '-1', '1.2', '1e3'],
  ...[
    '9'.repeat(10),
    '9'.repeat(15),
    '9'.repeat(20),
    '2026.txt',
    'MAILBOX',
    'Info.txt',
    'a b',
    'a%20b',
    '%7C1',
    '100%',
  ],
  ...['größe', '日本', 'e\u0301', 'trailing.', 'trailing ', '...', '.hidden', "it's", 'a+b', 'a;b', 'a?b', 'a#b', '~'],
];
const REFUSED = ['.', '..', 'a|b', '|1', '|mailbox'];
const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const PAGE = [
  ...['--b', 'Content-Type: text/html', '', '<p>see <img src="cid:p@x"></p>'],
  ...['--b', 'Content-Type: image/gif', 'Content-ID: <p@x>', '', 'GIF89a', '--b--', ''],
].join('\r\n');
const LOCK = '<D:lockinfo><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
const UPDATE = '<D:propertyupdate><D:set><D:prop><x xmlns="y">z</x></D:prop></D:set></D:propertyupdate>';

/** `isOurs`: properties are kept. */
function behaves(alice: Dav, room: string, isOurs: boolean): void {
  const put = (path: string, headers = {}, body = path) => alice('PUT', `${room}/${encoded(path)}`, headers, body);
  const get = (path: string) => alice('GET', `${room}/${encoded(path)}`);
  const statusOf = async (method: string, path: string, headers = {}, body?: string) =>
    (await alice(method, `${room}/${encoded(path)}`, headers, body)).status;

  it('keeps a file under every name, and finds it there by every method', async () => {
    await put('first letter.txt');
    for (const name of NAMES) {
      assert.equal((await put(name, { 'if-none-match': '*' })).status, 201, name);
      assert.equal((await put(name, { 'if-none-match': '*' })).status, 412, name);
      assert.equal((await get(name)).text, name);
      const head = await alice('HEAD', `${room}/${encoded(name)}`);
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(name)), name);
      const [href] = hrefsIn(await alice('PROPFIND', `${room}/${encoded(name)}`, { depth: '0' }));
      assert.equal(decodeURIComponent(href!), `/svc/${room}/${name}`);
      assert.equal((await put(name, { 'if-match': head.headers.get('etag')! }, `${name} anew`)).status, 204, name);
      if (isOurs) assert.equal(await statusOf('PROPPATCH', name, {}, UPDATE), 207, name);
      const locked = await alice('LOCK', `${room}/${encoded(name)}`, {}, LOCK);
      assert.equal(locked.status, 200, name);
      assert.equal(await statusOf('DELETE', name), 423, name);
      assert.equal(await statusOf('UNLOCK', name, { 'lock-token': locked.headers.get('lock-token')! }), 204, name);
    }
  });

  it('lists each with an address under which it is', async () => {
    const hrefs = hrefsIn(await alice('PROPFIND', `${room}/`, { depth: '1' })).slice(1);
    assert.equal(new Set(hrefs).size, hrefs.length);
    const names = hrefs.map((href) => decodeURIComponent(href.slice(`/svc/${room}/`.length)));
    for (const name of NAMES) assert.ok(names.includes(name), name);
    for (const href of hrefs) assert.equal((await alice('GET', href)).status, 200, href);
  });

  it('copies and moves it to every name, and deletes what is called so and nothing else', async () => {
    for (const name of NAMES) {
      const there = { destination: `/svc/${room}/${encoded(`copy of ${name}`)}` };
      assert.equal(await statusOf('COPY', name, there), 201, name);
      assert.equal(await statusOf('DELETE', name), 204, name);
      assert.equal(await statusOf('DELETE', name), 404, name);
      assert.equal(await statusOf('PROPFIND', name, { depth: '0' }), 404, name);
      const back = { destination: `/svc/${room}/${encoded(name)}` };
      assert.equal(await statusOf('MOVE', `copy of ${name}`, back), 201, name);
      assert.equal((await get(name)).text, `${name} anew`);
    }
  });

  it('refuses what cannot be a name', async () => {
    for (const name of REFUSED) {
      const { status } = await alice('PUT', `${room}/${encodeURIComponent(name)}`, { 'if-none-match': '*' }, 'x');
      assert.equal(status, 409, name);
    }
  });

  it('has numbers and what belongs to the room behind a bar, whatever files are called', async () => {
    const { headers } = await put('numbered.txt', {}, 'by number');
    const number = headers.get('etag')!.slice(1, -1);
    assert.equal((await put(number, {}, 'another')).status, 201);
    assert.deepEqual([(await get(number)).text, (await get(`|${number}`)).text], ['another', 'by number']);
    assert.equal((await alice('GET', headers.get('location')!)).text, 'by number');
    assert.match((await get(`|${number}/json`)).text, /"msgnum":/);
    assert.match((await get('|mailbox')).text, /"msgs":/);
    assert.match((await get('|stat')).text, /"room_mtime"/);
    assert.equal(await statusOf('DELETE', `|${number}`), 204);
    assert.equal((await get(number)).text, 'another');
    assert.equal(await statusOf('PROPFIND', 'numbered.txt', { depth: '0' }), 404);
  });

  it('leads from the text of a page to its pictures, whatever files are called', async () => {
    const type = { 'content-type': 'multipart/related; boundary=b' };
    const { headers } = await put('page.mht', type, PAGE);
    const number = headers.get('etag')!.slice(1, -1);
    await put(number, {}, 'another');
    const { text } = JSON.parse((await get(`|${number}/json`)).text) as { text: string };
    const [, picture] = /src="([^"]+)"/.exec(text)!;
    assert.equal((await alice('GET', picture!)).text.trim(), 'GIF89a');
  });

  it('has folders of every name, with files of every name in them', async () => {
    for (const name of NAMES) {
      await alice('DELETE', `${room}/${encoded(name)}`);
      assert.equal(await statusOf('MKCOL', name), 201, name);
    }
    for (const folder of ['2026', 'docs']) {
      await alice('MKCOL', `${room}/${folder}/`);
      for (const name of NAMES) {
        const path = `${folder}/${name}`;
        assert.equal((await put(path, { 'if-none-match': '*' })).status, 201, path);
        assert.equal((await get(path)).text, path);
      }
      const hrefs = hrefsIn(await alice('PROPFIND', `${room}/${folder}/`, { depth: '1' })).slice(1);
      assert.equal(hrefs.length, NAMES.length);
      for (const href of hrefs) assert.equal((await alice('GET', href)).status, 200, href);
      assert.equal(await statusOf('DELETE', `${folder}/`), 204);
    }
  });
}

const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' };
const CARD_TYPE = { 'content-type': 'text/vcard; charset=utf-8' };
const todo = (uid: string) => eventOn(uid, '20260710').replaceAll('VEVENT', 'VTODO').replace('DTEND', 'DUE');
const cardOf = (uid: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, 'N:Doe;Jane', 'FN:Jane Doe', 'END:VCARD', ''].join('\r\n');
const noteOf = (uid: string) => ['BEGIN:VNOTE', 'VERSION:1.1', `UID:${uid}`, 'BODY:x', 'END:VNOTE', ''].join('\r\n');
const KINDS = {
  board: { view: VIEW.board, type: TEXT_TYPE, bodyOf: (uid: string) => uid },
  blog: { view: VIEW.blog, type: TEXT_TYPE, bodyOf: (uid: string) => uid },
  wiki: { view: VIEW.wiki, type: TEXT_TYPE, bodyOf: (uid: string) => uid },
  notes: { view: VIEW.notes, type: TEXT_TYPE, bodyOf: (uid: string) => uid },
  vnotes: { view: VIEW.notes, type: { 'content-type': 'text/vnote; charset=utf-8' }, bodyOf: noteOf },
  calendar: {
    view: VIEW.calendar,
    type: CALENDAR_TYPE,
    bodyOf: (uid: string) => eventOn(uid, '20260710'),
  },
  tasks: { view: VIEW.tasks, type: CALENDAR_TYPE, bodyOf: todo },
  contacts: { view: VIEW.addressBook, type: CARD_TYPE, bodyOf: cardOf },
};
const ANYWHERE = [...NAMES, ...REFUSED, ' leading', '|new', '|999999', 'uid-x.ics', 'x'.repeat(300)];

/** their messages go by numbers */
const HAS_NUMBERS = new Set(['board', 'blog']);

function isTruthful(user: Dav, kinds: readonly (keyof typeof KINDS)[]): void {
  for (const kind of kinds) {
    const { view, type, bodyOf } = KINDS[kind];
    const room = `r/Of-${kind}`;
    const at = (name: string) =>
      `${room}/${/^\.\.?$/.test(name) ? name.replaceAll('.', '%2E') : encodeURIComponent(name)}`;
    const uidOf = (how: string, name: string) => `${how}-${ANYWHERE.indexOf(name)}-of-${kind}`;
    const put = (name: string, uid: string, headers = {}) =>
      user('PUT', at(name), { ...type, ...headers }, bodyOf(uid));

    it(`accepts nothing under a name that it then does not have: ${kind}`, async () => {
      await user('MKCOL', `${room}/`);
      const settings = JSON.stringify({ default_view: view });
      await user('PATCH', `${room}/`, { 'content-type': 'application/json' }, settings);
      for (const name of ANYWHERE) {
        const uid = uidOf('put', name);
        const { status, headers } = await put(name, uid, { 'if-none-match': '*' });
        assert.ok(status === 201 || status === 204 || (status >= 400 && status < 500), `${name}: ${status}`);
        if (status >= 400) continue;
        const isPlaceholder = name === 'new' && (await user('GET', at(name))).status === 404;
        const path = isPlaceholder ? headers.get('location')! : at(name);
        assert.match((await user('GET', path)).text, new RegExp(uid), name);
      }
    });

    if (HAS_NUMBERS.has(kind)) {
      it(`refuses numbers of messages that are not there, and says what else to do: ${kind}`, async () => {
        for (const name of ['1', '2026', '9'.repeat(15)]) {
          const { status, text } = await put(name, uidOf('number', name));
          assert.equal(status, 409, name);
          assert.match(text, /choose another name/, name);
          const from = await put('new', uidOf('move', name));
          const there = { destination: `/svc/${at(name)}` };
          for (const method of ['COPY', 'MOVE'])
            assert.equal((await user(method, from.headers.get('location')!, there)).status, 409, `${method} ${name}`);
        }
      });
    }
  }

  it('accepts a contact under its UID, where that is all the name it keeps', async () => {
    const card = (name: string, uid: string) => user('PUT', `r/Of-contacts/${name}`, CARD_TYPE, cardOf(uid));
    const other = await card('foo.vcf', 'bar');
    if (other.status === 409) assert.match(other.text, /PUT it to bar\.vcf/);
    else assert.equal((await user('GET', 'r/Of-contacts/foo.vcf')).status, 200);
    assert.equal((await card('own-uid.vcf', 'own-uid')).status, 201);
    assert.match((await user('GET', 'r/Of-contacts/own-uid.vcf')).text, /UID:own-uid\b/);
  });

  it('takes any placeholder for what is posted with a subject', async () => {
    const { status, headers } = await user('PUT', 'r/Of-board/2026?subj=x', TEXT_TYPE, 'posted');
    assert.equal(status, 201);
    assert.equal((await user('GET', headers.get('location')!)).text, 'posted');
  });

  it('changes an object whose number has changed, and a note whichever name it is sent to', async () => {
    const first = await put('calendar', 'twice');
    const number = first.headers.get('etag')!.slice(1, -1);
    for (let round = 0; round < 2; round++) {
      const again = await user('PUT', `r/Of-calendar/${number}`, CALENDAR_TYPE, eventOn('twice', `2026071${round}`));
      assert.equal(again.status, 204);
    }
    assert.equal((await put('vnotes', 'twice')).status, 201);
    const again = await user('PUT', 'r/Of-vnotes/other', KINDS.vnotes.type, noteOf('twice'));
    assert.equal(again.status, 204);
  });

  const put = (kind: 'calendar' | 'vnotes', uid: string) =>
    user('PUT', `r/Of-${kind}/${uid}`, KINDS[kind].type, KINDS[kind].bodyOf(uid));
}

const AMBIGUOUS = [...WORDS, 'msgs.all', 'msgs.x', '1', '2026', '9'.repeat(15)];
const NAMED = {
  wiki: { ...KINDS.wiki, names: [...AMBIGUOUS, 'new'], ending: '' },
  notes: { ...KINDS.notes, names: [...AMBIGUOUS, 'new'], ending: '' },
  calendar: { ...KINDS.calendar, names: [...AMBIGUOUS, '2026.ics', '1.ics', 'stat.ics'], ending: '.ics' },
  tasks: { ...KINDS.tasks, names: [...AMBIGUOUS, '2026.ics', '1.ics', 'stat.ics'], ending: '.ics' },
  contacts: { ...KINDS.contacts, names: [...AMBIGUOUS, '2026.vcf', '1.vcf', 'stat.vcf'], ending: '.vcf' },
};

function hasNames(user: Dav, kinds: readonly (keyof typeof NAMED)[], isOurs: boolean): void {
  for (const kind of kinds) {
    const { view, type, bodyOf, names, ending } = NAMED[kind];
    const room = `r/Named-${kind}`;
    const at = (name: string) => `${room}/${encodeURIComponent(name)}`;
    const uidOf = (name: string) => (ending === '' ? name : `uid of ${name}`);
    const put = (name: string, headers = {}, uid = uidOf(name)) =>
      user('PUT', at(name), { ...type, ...headers }, bodyOf(uid));
    const get = async (name: string) => (await user('GET', at(name))).text;
    const statusOf = async (method: string, name: string, headers = {}, body?: string) =>
      (await user(method, at(name), headers, body)).status;
    const jsonOf = async (name: string) => JSON.parse(await get(name)) as Record<string, unknown>;
    const setUp = async (path: string) => {
      await user('MKCOL', `${path}/`);
      const settings = JSON.stringify({ default_view: view });
      await user('PATCH', `${path}/`, { 'content-type': 'application/json' }, settings);
    };

    it(`has a member under every name, by every method: ${kind}`, async () => {
      await setUp(room);
      for (const name of names) {
        const { status, headers } = await put(name, { 'if-none-match': '*' });
        assert.equal(status, 201, name);
        assert.equal((await put(name, { 'if-none-match': '*' })).status, 412, name);
        assert.match(await get(name), new RegExp(uidOf(name)), name);
        assert.match((await user('GET', headers.get('location')!)).text, new RegExp(uidOf(name)), name);
        const head = await user('HEAD', at(name));
        assert.match(head.headers.get('cache-control')!, /no-cache/, name);
        assert.equal((await user('GET', `${at(name)}/json`)).status, 200, name);
        const [href] = hrefsIn(await user('PROPFIND', at(name), { depth: '0' }));
        assert.equal(decodeURIComponent(href!), `/svc/${room}/${name}`);
        // a wiki takes no version that changes nothing
        const anew = ending === '' ? `${name} anew` : uidOf(name);
        assert.equal((await put(name, { 'if-match': head.headers.get('etag')! }, anew)).status, 204, name);
        if (isOurs) assert.equal(await statusOf('PROPPATCH', name, {}, UPDATE), 207, name);
        const locked = await user('LOCK', at(name), {}, LOCK);
        assert.equal(locked.status, 200, name);
        assert.equal(await statusOf('DELETE', name), 423, name);
        assert.equal(await statusOf('UNLOCK', name, { 'lock-token': locked.headers.get('lock-token')! }), 204, name);
      }
      const hrefs = hrefsIn(await user('PROPFIND', `${room}/`, { depth: '1' })).slice(1);
      assert.deepEqual(hrefs.toSorted(), names.map((name) => `/svc/${at(name)}`).toSorted());
    });

    if (ending !== '') {
      it(`tells clients the content of each in one report: ${kind}`, async () => {
        const [ns, report, data] =
          kind === 'contacts'
            ? ['CR', 'addressbook-multiget', 'address-data']
            : ['C', 'calendar-multiget', 'calendar-data'];
        const asked = names.map((name) => `<D:href>/svc/${at(name)}</D:href>`).join('');
        const body = `<${ns}:${report}><D:prop><${ns}:${data}/></D:prop>${asked}</${ns}:${report}>`;
        const { text } = await user('REPORT', `${room}/`, { depth: '1' }, body);
        for (const name of names) assert.match(text, new RegExp(`UID:${uidOf(name)}\\b`), name);
      });
    }

    // elsewhere an object is copied under its UID alone
    if (isOurs && ending !== '') {
      it(`copies and moves to each of them: ${kind}`, async () => {
        const other = `r/Other-${kind}`;
        await setUp(other);
        for (const name of names) {
          const there = { destination: `/svc/${other}/${encodeURIComponent(name)}` };
          const copied = await user('COPY', at(name), there);
          assert.equal(copied.status, 201, name);
          assert.match((await user('GET', copied.headers.get('location')!)).text, new RegExp(uidOf(name)), name);
          assert.equal(await statusOf('MOVE', name, { destination: `/svc/${room}/moved${ending}` }), 201, name);
          assert.equal(await statusOf('MOVE', `moved${ending}`, { destination: `/svc/${at(name)}` }), 201, name);
          assert.match(await get(name), new RegExp(uidOf(name)), name);
        }
      });
    }

    it(`keeps what belongs to the room behind a bar, and plain while nothing is called so: ${kind}`, async () => {
      assert.equal(await statusOf('PUT', '|info.txt', { 'content-type': 'text/plain' }, 'the banner'), 204);
      for (const name of names) {
        assert.match(await get(name), new RegExp(uidOf(name)), name);
        assert.equal(await statusOf('DELETE', name), 204, name);
        // a room of objects has no other members, so its banner can be removed there
        if (name !== 'info.txt') assert.match(String(await statusOf('DELETE', name)), /^40[45]$/, name);
      }
      if (ending !== '') assert.equal(await statusOf('PUT', 'info.txt', { 'content-type': 'text/plain' }, 'new'), 204);
      assert.equal(await statusOf('DELETE', 'info.txt'), ending === '' ? 404 : 204);
      assert.equal(await statusOf('PUT', '|info.txt', { 'content-type': 'text/plain' }, 'the banner'), 204);
      assert.deepEqual([await get('info.txt'), await get('|info.txt')], ['the banner\n', 'the banner\n']);
      for (const name of ['stat', '|stat']) assert.equal((await jsonOf(name)).name, `Named-${kind}`);
      for (const name of ['mailbox', '|mailbox']) assert.deepEqual((await jsonOf(name)).msgs, []);
      const feed = (await user('GET', at('feed'))).text;
      const [, self] = /rel="self"[^>]* href="([^"]+)"/.exec(feed) ?? /href="([^"]+)"[^>]* rel="self"/.exec(feed)!;
      assert.equal((await put('feed')).status, 201);
      assert.match((await user('GET', new URL(self!).pathname)).text, /<feed/);
      assert.equal(await statusOf('DELETE', 'feed'), 204);
    });

    it(`has numbers where nothing is called so, and takes none of them for a name: ${kind}`, async () => {
      const first = `first${ending}`;
      const { headers } = await put(first);
      const number = headers.get('etag')!.slice(1, -1);
      assert.match(await get(number), new RegExp(uidOf(first)));
      assert.match(await get(`|${number}`), new RegExp(uidOf(first)));
      assert.equal((await user('GET', `${at(number)}/json`)).status, 200);
      assert.equal((await put(number, {}, number)).status, 409);
      const seen = ['PATCH', number, { 'content-type': 'application/json' }, '{"seen":false}'] as const;
      assert.equal(await statusOf(...seen), 204);
      // the next messages get these numbers
      const next = Array.from({ length: 8 }, (_, i) => String(Number(number) + 1 + i));
      for (const name of next) await put(name, {}, uidOf(name));
      const named = await Promise.all(
        next.map(async (name) => (await user('GET', at(name))).text.includes(uidOf(name))),
      );
      assert.ok(named.includes(true));
      for (const [i, name] of next.entries()) if (named[i]) assert.equal(await statusOf('DELETE', name), 204, name);
      assert.equal(await statusOf('DELETE', number), 204);
      assert.equal(await statusOf('GET', first), 404);
      const rest = await user('GET', at('|msgs.all'));
      assert.deepEqual(JSON.parse(rest.text), []);
    });
  }
}

const embedded = await startGateway({ after }, { demo: true });
const alice = davOf(embedded.as('alice'));
await alice('MKCOL', 'r/Named/');
describe('names in a room of files of the embedded room server', () => behaves(alice, 'r/Named', true));
describe('names of members in rooms of the embedded room server', () =>
  hasNames(alice, Object.keys(NAMED) as (keyof typeof NAMED)[], true));
describe('names in other rooms of the embedded room server', () =>
  isTruthful(alice, Object.keys(KINDS) as (keyof typeof KINDS)[]));

const real = await startRealServer({ after }, { users: { alice: 4 } });
const gateway = await startGateway({ after }, { backend: `unix:${real.path}` });
const there = davOf(gateway.as('alice', 'alicepw'));
await there('MKCOL', 'r/Papers/');
// an administrator gives a room its directory there: that it is one of files is all that counts
await there('PATCH', 'r/Papers/', { 'content-type': 'application/json' }, JSON.stringify({ default_view: VIEW.files }));
describe('names in a room of files of any other room server', () => behaves(there, 'r/Papers', false));
describe('names of members in rooms of any other room server', () =>
  hasNames(there, ['wiki', 'notes', 'calendar', 'tasks'], false));
describe('names in other rooms of any other room server', () =>
  isTruthful(there, Object.keys(KINDS) as (keyof typeof KINDS)[]));

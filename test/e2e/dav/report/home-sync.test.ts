// sync-collection on the home: which rooms have come, gone or changed, and with all levels what is in them.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_SYNC_TOKEN_BYTES } from '../../../../src/limits/dav.ts';
import {
  CALENDAR_TYPE,
  type Dav,
  davOf,
  eventOn,
  hrefsIn,
  startDavWorld,
  type Told,
} from '../../../support/dav-world.ts';
import { startGateway } from '../../../support/gateway.ts';
import { randomFrom } from '../../../support/random.ts';
import { startRealServer } from '../../../support/real-server.ts';

const { gateway, alice, bob } = await startDavWorld({ after });
const PROPS = '<D:displayname/><D:sync-token/><D:getetag/>';
const HOME_PROPS = '<D:sync-token/><CS:getctag xmlns:CS="http://calendarserver.org/ns/"/><D:supported-report-set/>';
const LEFT_OUT = /403 Forbidden/;

interface Synced extends Told {
  /** the responses by their hrefs */
  responses: Map<string, string>;
  token: string;
}

interface Asked {
  level?: string;
  limit?: number;
  props?: string;
}

function syncBody(token: string, { level = '1', limit = 0, props = PROPS }: Asked = {}): string {
  const cut = limit > 0 ? `<D:limit><D:nresults>${limit}</D:nresults></D:limit>` : '';
  const since = `<D:sync-token>${token}</D:sync-token><D:sync-level>${level}</D:sync-level>`;
  return `<D:sync-collection>${since}${cut}<D:prop>${props}</D:prop></D:sync-collection>`;
}

async function sync(dav: Dav, token: string, asked?: Asked): Promise<Synced> {
  const told = await dav('REPORT', 'r/', {}, syncBody(token, asked));
  assert.equal(told.status, 207, told.text);
  const lines = told.text.split('\n').filter((line) => line.startsWith('<D:response>'));
  const responses = new Map(lines.map((line) => [/<D:href>([^<]*)/.exec(line)![1]!, line]));
  assert.equal(responses.size, lines.length, 'each once');
  return {
    ...told,
    responses,
    token: /<D:sync-token>([^<]*)<\/D:sync-token>\n?<\/D:multistatus>/.exec(told.text)![1]!,
  };
}

const hrefs = ({ responses }: Synced) => [...responses.keys()].sort();
const put = async (path: string, uid: string, day = '20260110') => {
  const { status } = await alice('PUT', path, CALENDAR_TYPE, eventOn(uid, day));
  assert.ok(status === 201 || status === 204, `${path}: ${status}`);
};

it('The home says that it has the report, and its token is the one of the report', async () => {
  const { text } = await alice(
    'PROPFIND',
    'r/',
    { depth: '0' },
    `<D:propfind><D:prop>${HOME_PROPS}</D:prop></D:propfind>`,
  );
  assert.match(text, /<D:report><D:sync-collection\/><\/D:report>/);
  assert.match(text, /getctag>[^<]+</);
  const first = await sync(alice, '');
  assert.equal(/<D:sync-token>([^<]*)/.exec(text)![1], first.token);
  const rooms = hrefsIn(await alice('PROPFIND', 'r/', { depth: '1' })).slice(1);
  assert.deepEqual(hrefs(first), rooms.sort());
});

it('It tells of rooms that have come, changed, got another name, and gone', async () => {
  const first = await sync(alice, '');
  assert.deepEqual(hrefs(await sync(alice, first.token)), []);
  assert.equal((await sync(alice, first.token)).token, first.token);

  assert.equal((await alice('MKCALENDAR', 'r/New/')).status, 201);
  const second = await sync(alice, first.token);
  assert.deepEqual(hrefs(second), ['/svc/r/New/']);
  assert.match(second.responses.get('/svc/r/New/')!, /<D:displayname>New<\/D:displayname>.*200 OK/);

  const colour =
    '<D:propertyupdate><D:set><D:prop><D:displayname>Shown</D:displayname></D:prop></D:set></D:propertyupdate>';
  assert.equal((await alice('PROPPATCH', 'r/New/', {}, colour)).status, 207);
  const third = await sync(alice, second.token);
  assert.deepEqual(hrefs(third), ['/svc/r/New/']);
  assert.match(third.responses.get('/svc/r/New/')!, /<D:displayname>Shown</);

  // its token has changed, by which a client sees that there is something to fetch
  await put('r/New/a.ics', 'home-a');
  const fourth = await sync(alice, third.token);
  assert.deepEqual(hrefs(fourth), ['/svc/r/New/']);

  assert.equal((await alice('MOVE', 'r/New/', { destination: '/svc/r/Newer/' })).status, 201);
  const fifth = await sync(alice, fourth.token);
  assert.deepEqual(hrefs(fifth), ['/svc/r/New/', '/svc/r/Newer/']);
  assert.match(fifth.responses.get('/svc/r/New/')!, /404 Not Found/);
  assert.match(fifth.responses.get('/svc/r/Newer/')!, /200 OK/);

  assert.equal((await alice('DELETE', 'r/Newer/')).status, 204);
  const sixth = await sync(alice, fifth.token);
  assert.deepEqual(hrefs(sixth), ['/svc/r/Newer/']);
  assert.match(sixth.responses.get('/svc/r/Newer/')!, /404 Not Found/);
  assert.deepEqual(hrefs(await sync(alice, sixth.token)), []);
  // since the beginning: it came and went
  assert.deepEqual(hrefs(await sync(alice, first.token)), []);
});

it('Nobody is told of another one’s rooms, nor takes another one’s token', async () => {
  assert.equal((await alice('MKCALENDAR', 'r/Secret/')).status, 201);
  const own = await sync(alice, '');
  assert.ok(own.responses.has('/svc/r/Secret/'));
  assert.ok(!(await sync(bob, '', { level: 'infinite' })).text.includes('Secret'));
  for (const token of [own.token, 'data:,1-1', 'data:,nothing', 'data:,more;1', `${own.token}A`]) {
    const { status, text } = await bob('REPORT', 'r/', {}, syncBody(token));
    assert.equal(status, 403, token);
    assert.match(text, /<D:valid-sync-token\/>/);
  }
});

it('With all levels it tells what is in calendars and address books, and what is to be asked alone', async () => {
  const level = 'infinite';
  assert.equal((await alice('MKCALENDAR', 'r/Deep/')).status, 201);
  await put('r/Deep/1.ics', 'deep-1');
  await put('r/Deep/2.ics', 'deep-2');
  const first = await sync(alice, '', { level });
  for (const href of ['/svc/r/Deep/', '/svc/r/Deep/1.ics', '/svc/r/Deep/2.ics']) {
    assert.match(first.responses.get(href)!, /200 OK/, href);
  }
  assert.match(first.responses.get('/svc/r/Lobby/')!, /403 Forbidden.*<D:error><D:sync-traversal-supported\/>/);
  assert.ok(hrefs(first).every((href) => !href.startsWith('/svc/r/Lobby/') || href === '/svc/r/Lobby/'));
  assert.deepEqual(hrefs(await sync(alice, first.token, { level })), []);

  await put('r/Deep/3.ics', 'deep-3');
  assert.equal((await alice('DELETE', 'r/Deep/1.ics')).status, 204);
  const second = await sync(alice, first.token, { level });
  assert.deepEqual(hrefs(second), ['/svc/r/Deep/', '/svc/r/Deep/1.ics', '/svc/r/Deep/3.ics']);
  assert.match(second.responses.get('/svc/r/Deep/1.ics')!, /404 Not Found/);
  assert.match(second.responses.get('/svc/r/Deep/3.ics')!, /<D:getetag>"\d+"/);

  // a room that has gone takes its members with it; one that has come brings them
  assert.equal((await alice('MOVE', 'r/Deep/', { destination: '/svc/r/Deeper/' })).status, 201);
  const third = await sync(alice, second.token, { level });
  assert.deepEqual(hrefs(third), ['/svc/r/Deep/', '/svc/r/Deeper/', '/svc/r/Deeper/2.ics', '/svc/r/Deeper/3.ics']);
  assert.match(third.responses.get('/svc/r/Deep/')!, /404 Not Found/);
  // said once (RFC 6578 section 3.3)
  assert.doesNotMatch(second.text + third.text, LEFT_OUT);
});

it('Data of objects comes with them', async () => {
  const first = await sync(alice, '', { level: 'infinite' });
  assert.equal((await alice('MKCALENDAR', 'r/Data/')).status, 201);
  await put('r/Data/1.ics', 'data-1');
  const second = await sync(alice, first.token, { level: 'infinite', props: '<C:calendar-data/>' });
  assert.match(second.responses.get('/svc/r/Data/')!, /<D:prop><C:calendar-data\/><\/D:prop><D:status>HTTP\/1.1 404/);
  assert.match(second.text, /UID:data-1/);
});

it('A room that was made anew under its name is not taken for the old one', async () => {
  assert.equal((await alice('MKCALENDAR', 'r/Again/')).status, 201);
  await put('r/Again/1.ics', 'again-1');
  const { token } = await sync(alice, '', { level: 'infinite' });
  assert.equal((await alice('DELETE', 'r/Again/')).status, 204);
  assert.equal((await alice('MKCALENDAR', 'r/Again/')).status, 201);
  assert.deepEqual(hrefs(await sync(alice, token)), ['/svc/r/Again/']);
  // which members the client has of the old one nobody knows: it begins anew
  const refused = await alice('REPORT', 'r/', {}, syncBody(token, { level: 'infinite' }));
  assert.equal(refused.status, 403);
  assert.match(refused.text, /<D:valid-sync-token\/>/);
});

for (const level of ['1', 'infinite']) {
  it(`It is cut where the client says so, and goes on from there: level ${level}`, async () => {
    const whole = await sync(alice, '', { level });
    const seen = new Map<string, string>();
    let [token, isCut] = ['', true];
    while (isCut) {
      const piece = await sync(alice, token, { level, limit: 2 });
      isCut = / 507 /.test(piece.responses.get('/svc/r/') ?? '');
      piece.responses.delete('/svc/r/');
      assert.ok(piece.responses.size <= 2 && (piece.responses.size > 0 || !isCut), 'it goes on');
      for (const [href, response] of piece.responses) {
        assert.ok(!seen.has(href), `${href} twice`);
        seen.set(href, response);
      }
      token = piece.token;
    }
    assert.deepEqual([...seen].sort(), [...whole.responses].sort());
    assert.equal(token, whole.token);
    // the same for what has changed since
    const name = `Cut-${level}`;
    assert.equal((await alice('MKCALENDAR', `r/${name}/`)).status, 201);
    for (const uid of ['x', 'y', 'z']) await put(`r/${name}/${uid}.ics`, `${name}-${uid}`);
    const pieces: string[] = [];
    isCut = true;
    while (isCut) {
      const piece = await sync(alice, token, { level, limit: 1 });
      isCut = piece.responses.delete('/svc/r/');
      pieces.push(...piece.responses.keys());
      token = piece.token;
      assert.ok(pieces.length < 9, 'it ends');
    }
    const below = level === '1' ? [] : ['x', 'y', 'z'].map((uid) => `/svc/r/${name}/${uid}.ics`);
    assert.deepEqual(pieces.sort(), [`/svc/r/${name}/`, ...below]);
  });
}

it('What changes while it is told in pieces comes with the token after the last', async () => {
  const level = 'infinite';
  let { token } = await sync(alice, '', { level });
  assert.equal((await alice('MKCALENDAR', 'r/Pieces/')).status, 201);
  for (const uid of ['1', '2', '3']) await put(`r/Pieces/${uid}.ics`, `pieces-${uid}`);
  const first = await sync(alice, token, { level, limit: 2 });
  await put('r/Pieces/4.ics', 'pieces-4');
  const second = await sync(alice, first.token, { level });
  assert.ok(second.responses.has('/svc/r/Pieces/2.ics') && second.responses.has('/svc/r/Pieces/3.ics'));
  const seen = new Set([...first.responses.keys(), ...second.responses.keys()]);
  ({ token } = second);
  const third = await sync(alice, token, { level });
  for (const href of third.responses.keys()) seen.add(href);
  assert.ok(seen.has('/svc/r/Pieces/4.ics'));
  assert.deepEqual(hrefs(await sync(alice, third.token, { level })), []);
});

it('At a room server that is not ours rooms are told in the same way, and each is to be asked alone', async (t) => {
  const { path } = await startRealServer(t, { users: { carol: 4 } });
  const other = await startGateway(t, { backend: `unix:${path}` });
  const carol = davOf(other.as('carol', 'carolpw'));
  const first = await sync(carol, '');
  assert.ok(first.responses.has('/svc/r/Calendar/'), first.text);
  assert.equal((await carol('MKCOL', 'r/Made/')).status, 201);
  const second = await sync(carol, first.token);
  assert.deepEqual(hrefs(second), ['/svc/r/Made/']);
  assert.equal((await carol('DELETE', 'r/Made/')).status, 204);
  const third = await sync(carol, second.token);
  assert.match(third.responses.get('/svc/r/Made/')!, /404 Not Found/);
  const deep = await sync(carol, '', { level: 'infinite' });
  assert.ok(
    [...deep.responses.values()].every((response) => /sync-traversal-supported/.test(response)),
    deep.text,
  );
  assert.deepEqual(other.faults, []);
});

it('Of more rooms than a token can list it only tells whether all is as it was', async () => {
  const random = randomFrom(9);
  const letters = () => Array.from({ length: 110 }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[random(36)]).join('');
  for (let i = 0; i < MAX_SYNC_TOKEN_BYTES / 70; i++) {
    assert.equal((await alice('MKCOL', `r/${letters()}/`)).status, 201);
  }
  const first = await sync(alice, '', { props: '' });
  assert.ok(first.token.length < 100, first.token);
  assert.deepEqual(hrefs(await sync(alice, first.token, { limit: 1 })), []);
  const cut = await alice('REPORT', 'r/', {}, syncBody('', { limit: 1 }));
  assert.equal(cut.status, 403);
  assert.match(cut.text, /<D:number-of-matches-within-limits\/>/);
  assert.equal((await alice('MKCOL', 'r/One%20more/')).status, 201);
  const changed = await alice('REPORT', 'r/', {}, syncBody(first.token));
  assert.equal(changed.status, 403);
  assert.match(changed.text, /<D:valid-sync-token\/>/);
});

it('fails nowhere', () => assert.deepEqual(gateway.faults, []));

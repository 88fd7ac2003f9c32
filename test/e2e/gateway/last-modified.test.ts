// Last-Modified is when the version that is there was stored, on a room server of ours and on any other; and what is
// asked of it before a change.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { formatHttpDate } from '../../../src/http/conditional.ts';
import { contact } from '../../support/calendar-object.ts';
import { CALENDAR_TYPE, type Dav, davOf, eventOn, startDavWorld, type Told } from '../../support/dav-world.ts';
import { startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';

const START = 'Fri, 10 Jul 2026 10:00:00 GMT';
const CARD_TYPE = { 'content-type': 'text/vcard; charset=utf-8' };

const lastModified = ({ headers }: Told) => headers.get('last-modified')!;
const isRecent = (date: string) => Math.abs(Date.parse(date) - Date.now()) < 60_000;
const soon = () => formatHttpDate(Date.now() / 1000 + 3600);
/** some servers do not tell versions of one second from each other */
const nextSecond = () => setTimeout(1100 - (Date.now() % 1000));

/** `files` is a room whose members have names, `Calendar` and `Contacts` are alice's own. */
function behaves(alice: Dav, files: string): void {
  const putEvent = (path: string, day: string, headers = {}) =>
    alice('PUT', path, { ...CALENDAR_TYPE, ...headers }, eventOn(path.replaceAll('/', '-'), day));
  const told = async (path: string, name: string) => {
    const { text } = await alice('PROPFIND', path, { depth: '0' });
    return new RegExp(`<D:${name}>([^<]*)<`).exec(text)?.[1];
  };

  it('of an event, whenever it begins, and does not move', async () => {
    for (const [path, day] of [
      ['r/Calendar/past.ics', '20200710'],
      ['r/Calendar/future.ics', '20990710'],
    ] as const) {
      assert.equal((await putEvent(path, day)).status, 201);
      await nextSecond();
      const first = await alice('GET', path);
      assert.ok(isRecent(lastModified(first)), lastModified(first));
      assert.ok(isRecent((await told(path, 'getlastmodified'))!));
      assert.ok(isRecent((await told(path, 'creationdate'))!));
      assert.equal((await alice('GET', path, { 'if-modified-since': lastModified(first) })).status, 304);
      await nextSecond();
      assert.equal(lastModified(await alice('GET', path)), lastModified(first));
      assert.equal((await putEvent(path, '20980710')).status, 204);
      const second = await alice('GET', path, { 'if-modified-since': lastModified(first) });
      assert.deepEqual([second.status, second.text.includes('20980710')], [200, true]);
    }
  });

  it('of tasks, contacts, notes, pages and files', async () => {
    await alice('PUT', 'r/Contacts/a.vcf', CARD_TYPE, contact('a', 'A'));
    await alice('PUT', `${files}/a.txt`, {}, 'one');
    for (const path of ['r/Contacts/a.vcf', `${files}/a.txt`]) {
      assert.ok(isRecent(lastModified(await alice('GET', path))), path);
      assert.ok(isRecent((await told(path, 'getlastmodified'))!), path);
    }
  });

  it('tells versions of one second from each other', async () => {
    for (const path of [`${files}/quick.txt`, 'r/Calendar/quick.ics']) {
      const put = (n: number) =>
        path.endsWith('.ics') ? putEvent(path, `2030010${n}`) : alice('PUT', path, {}, String(n));
      await put(1);
      const first = await alice('GET', path);
      await put(2);
      const now = await alice('GET', path, { 'if-modified-since': lastModified(first) });
      assert.deepEqual([now.status, now.text === first.text], [200, false], path);
      await alice('DELETE', path);
      await put(3);
      const again = await alice('GET', path, { 'if-modified-since': lastModified(first) });
      assert.equal(again.status, 200, path);
    }
  });

  it('is asked before a PUT, a DELETE, a MOVE and what WebDAV changes', async () => {
    const path = `${files}/guarded.txt`;
    await alice('PUT', path, {}, 'kept');
    const modified = lastModified(await alice('GET', path));
    await nextSecond();
    const elsewhere = { destination: `/svc/${files}/other.txt` };
    const update = '<D:propertyupdate><D:set><D:prop><D:a/></D:prop></D:set></D:propertyupdate>';
    const lock =
      '<D:lockinfo><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
    const requests: [string, Record<string, string>, string?][] = [
      ['PUT', {}, 'new'],
      ['DELETE', {}],
      ['MOVE', elsewhere],
      ['COPY', elsewhere],
      ['PROPPATCH', {}, update],
      ['LOCK', {}, lock],
    ];
    const forms = [START, 'Friday, 10-Jul-20 10:00:00 GMT', 'Fri Jul 10 10:00:00 2020'];
    for (const [method, headers, body] of requests) {
      for (const date of forms) {
        const since = { 'if-unmodified-since': date === START ? 'Fri, 10 Jul 2020 10:00:00 GMT' : date };
        const { status } = await alice(method, path, { ...headers, ...since }, body);
        assert.equal(status, 412, `${method} ${date}`);
      }
    }
    assert.equal((await alice('GET', path)).text, 'kept');
    const both = { 'if-unmodified-since': forms[2]!, 'if-match': '*' };
    assert.equal((await alice('PUT', path, both, 'If-Match is stronger')).status, 204);
    assert.equal((await alice('PUT', path, { 'if-unmodified-since': 'yesterday' }, 'no date')).status, 204);
    assert.equal((await alice('PUT', path, { 'if-modified-since': soon() }, 'for reads')).status, 204);
    assert.equal((await alice('PUT', path, { 'if-unmodified-since': soon() }, 'as it was')).status, 204);
    assert.equal((await alice('DELETE', path, { 'if-unmodified-since': modified })).status, 412);
    await nextSecond();
    const latest = { 'if-unmodified-since': lastModified(await alice('GET', path)) };
    assert.equal((await alice('DELETE', path, latest)).status, 204);
    assert.equal((await alice('PUT', path, { 'if-unmodified-since': START }, 'nothing was there')).status, 201);
  });
}

const embedded = await startDavWorld({ after });
const ownFiles = await embedded.newRoom();
describe('Last-Modified on the embedded room server', () => {
  behaves(embedded.alice, ownFiles);

  it('is of what has come in the place of something older, and the first version tells the creation', async () => {
    const { alice, newRoom, newCalendar } = embedded;
    const room = await newRoom('old.txt', 'docs/', 'docs/a.txt');
    await nextSecond();
    await alice('PUT', `${room}/new.txt`, {}, 'new');
    const before = lastModified(await alice('GET', `${room}/new.txt`));
    await alice('MOVE', `${room}/old.txt`, { destination: `/svc/${room}/new.txt` });
    const since = { 'if-modified-since': before };
    assert.deepEqual((await alice('GET', `${room}/new.txt`, since)).text, 'old.txt');
    await nextSecond();
    const between = formatHttpDate(Date.now() / 1000 - 1);
    await alice('MOVE', `${room}/docs/`, { destination: `/svc/${room}/moved/` });
    assert.equal((await alice('GET', `${room}/moved/a.txt`, { 'if-modified-since': between })).status, 200);
    const calendar = await newCalendar();
    const put = (day: string) => alice('PUT', `${calendar}/a.ics`, CALENDAR_TYPE, eventOn('a', day));
    const created = async () =>
      /<D:creationdate>([^<]*)/.exec((await alice('PROPFIND', `${calendar}/a.ics`, { depth: '0' })).text)?.[1];
    await put('20300101');
    const first = await created();
    await nextSecond();
    await put('20300102');
    assert.equal(await created(), first);
  });
});

const real = await startRealServer({ after }, { users: { alice: 4 } });
const gateway = await startGateway({ after }, { backend: `unix:${real.path}` });
const there = davOf(gateway.as('alice', 'alicepw'));
await there('MKCOL', 'r/Files/');
describe('Last-Modified on any other room server', () => behaves(there, 'r/Files'));

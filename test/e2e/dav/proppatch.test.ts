// PROPPATCH: all changes or none.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, newRoom } = await startDavWorld({ after });
const set = (inner: string) => `<D:propertyupdate><D:set><D:prop>${inner}</D:prop></D:set></D:propertyupdate>`;
const MINE = '<x:mine xmlns:x="urn:x">1</x:mine>';
const asked = async (path: string) => {
  const body = '<D:propfind><D:prop><x:mine xmlns:x="urn:x"/></D:prop></D:propfind>';
  return /<x:mine[^>/]*>([^<]*)</.exec((await alice('PROPFIND', path, { depth: '0' }, body)).text)?.[1];
};

it('A property is set on a room, a file and a folder, each its own, and taken away', async () => {
  const room = await newRoom('a.txt', 'docs/');
  const paths = ['', 'a.txt', 'docs/'].map((name) => `${room}/${name}`);
  for (const [i, path] of paths.entries()) {
    const { status, text } = await alice('PROPPATCH', path, {}, set(MINE.replace('1', String(i))));
    assert.equal(status, 207, path);
    assert.match(text, /<x:mine xmlns:x="urn:x"\/><\/D:prop><D:status>HTTP\/1\.1 200 OK/);
  }
  assert.deepEqual(await Promise.all(paths.map(asked)), ['0', '1', '2']);
  const remove = '<D:propertyupdate><D:remove><D:prop><x:mine xmlns:x="urn:x"/></D:prop></D:remove></D:propertyupdate>';
  assert.equal((await alice('PROPPATCH', paths[1]!, {}, remove)).status, 207);
  assert.deepEqual(await Promise.all(paths.map(asked)), ['0', undefined, '2']);
});

it('What the server makes is not set, and takes the other changes with it', async () => {
  const room = await newRoom();
  const { status, text } = await alice('PROPPATCH', `${room}/`, {}, set(`${MINE}<D:getetag>x</D:getetag>`));
  assert.equal(status, 207);
  assert.match(text, /<D:getetag\/><\/D:prop><D:status>HTTP\/1\.1 403.*<D:cannot-modify-protected-property\/>/);
  assert.match(text, /<x:mine[^>]*\/><\/D:prop><D:status>HTTP\/1\.1 424/);
  assert.equal(await asked(`${room}/`), undefined);
});

it('Who may not is told which privilege is missing', async () => {
  const { status, text } = await bob('PROPPATCH', 'r/Lobby/', {}, set(MINE));
  assert.equal(status, 403);
  assert.match(
    text,
    /<D:need-privileges><D:resource><D:href>\/svc\/r\/Lobby\/<\/D:href><D:privilege><D:write-properties\/>/,
  );
});

it('The home, the principal, inbox and outbox keep what their user sets on each, and no one else’s', async () => {
  const paths = ['r/', 'u/alice/', 'u/alice/inbox/', 'u/alice/outbox/'];
  const alarm = (text: string) => `<C:default-alarm-vevent-date>${text}</C:default-alarm-vevent-date>`;
  const told = async (path: string, dav = alice) => {
    const body = '<D:propfind><D:prop><C:default-alarm-vevent-date/></D:prop></D:propfind>';
    return /<C:default-alarm-vevent-date>(.*?)</.exec((await dav('PROPFIND', path, { depth: '0' }, body)).text)?.[1];
  };
  for (const path of paths) {
    const { status, text } = await alice('PROPPATCH', path, {}, set(MINE + alarm(`alarm of ${path}`)));
    assert.match(`${status} ${text}`, /^207 .*200 OK/s, path);
  }
  for (const path of paths) {
    assert.deepEqual([await asked(path), await told(path)], ['1', `alarm of ${path}`], path);
    assert.equal((await alice('PROPPATCH', path)).status, 400, path);
    const all = await alice('PROPFIND', path, { depth: '0' });
    assert.match(all.text, new RegExp(`>alarm of ${path}<`), path);
    const { text } = await alice('PROPPATCH', path, {}, set(`${MINE}<D:displayname>x</D:displayname>`));
    assert.match(text, /<D:displayname\/><\/D:prop><D:status>HTTP\/1\.1 403.*cannot-modify-protected-property/, path);
    assert.match(text, /424 Failed Dependency/, path);
  }
  assert.equal(await told('r/', bob), undefined);
  for (const path of paths.slice(1))
    assert.match((await bob('PROPPATCH', path, {}, set(MINE))).text, /403|forbidden/i, path);
  assert.equal(await told('u/alice/', bob), undefined);
  const remove =
    '<D:propertyupdate><D:remove><D:prop><C:default-alarm-vevent-date/></D:prop></D:remove></D:propertyupdate>';
  assert.equal((await alice('PROPPATCH', 'u/alice/', {}, remove)).status, 207);
  assert.deepEqual([await told('u/alice/'), await told('r/')], [undefined, 'alarm of r/']);
});

it('What an inbox or a home does not have is kept there, too, beside the calendar for new events', async () => {
  const calendar =
    '<C:schedule-default-calendar-URL><D:href>/svc/r/Calendar/</D:href></C:schedule-default-calendar-URL>';
  const busy = '<C:calendar-free-busy-set><D:href>/svc/r/Calendar/</D:href></C:calendar-free-busy-set>';
  const both = await alice('PROPPATCH', 'u/alice/inbox/', {}, set(calendar + busy));
  assert.doesNotMatch(both.text, /403|424/);
  const home = await alice('PROPPATCH', 'r/', {}, set(busy));
  assert.match(home.text, /200 OK/);
  const body = '<D:propfind><D:prop><C:calendar-free-busy-set/></D:prop></D:propfind>';
  for (const path of ['r/', 'u/alice/inbox/']) {
    assert.ok((await alice('PROPFIND', path, { depth: '0' }, body)).text.includes(busy), path);
  }
});

it('What is no body is refused', async () => {
  assert.equal((await alice('PROPPATCH', 'r/Lobby/', {}, '<D:propfind/>')).status, 400);
  assert.equal((await alice('PROPPATCH', 'r/Nowhere/', {}, set(MINE))).status, 404);
});

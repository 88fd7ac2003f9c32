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

it('The home and principals keep nothing; what is no body is refused', async () => {
  for (const path of ['r/', 'u/alice/', 'u/alice/inbox/']) {
    const { status, text } = await alice('PROPPATCH', path, {}, set(MINE));
    assert.equal(status, 207, path);
    assert.match(text, /403 Forbidden/, path);
    assert.equal((await alice('PROPPATCH', path)).status, 400, path);
  }
  assert.equal((await alice('PROPPATCH', 'r/Lobby/', {}, '<D:propfind/>')).status, 400);
  assert.equal((await alice('PROPPATCH', 'r/Nowhere/', {}, set(MINE))).status, 404);
});

// MKCALENDAR, and MKCOL with a body: a room with the properties of the body, or none.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { alice, nobody, newRoom } = await startDavWorld({ after });
const mkcalendar = (inner: string) => `<C:mkcalendar><D:set><D:prop>${inner}</D:prop></D:set></C:mkcalendar>`;
const mkcol = (inner: string) => `<D:mkcol><D:set><D:prop>${inner}</D:prop></D:set></D:mkcol>`;
const typeOf = async (path: string) => {
  const { status, text } = await alice('PROPFIND', path, { depth: '0' });
  return status === 404 ? 404 : /<D:resourcetype>(.*?)<\/D:resourcetype>/.exec(text)![1];
};

it('A calendar is made without a body, and its answer is not kept', async () => {
  const made = await alice('MKCALENDAR', 'r/Plans/');
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/svc/r/Plans/']);
  assert.match(made.headers.get('cache-control')!, /no-cache/);
  assert.equal(await typeOf('r/Plans/'), '<D:collection/><C:calendar/>');
  assert.equal((await nobody('MKCALENDAR', 'r/Other/')).status, 401);
});

it('Nothing is made where something is, nor inside of a room, nor of another body', async () => {
  const room = await newRoom();
  const there = await alice('MKCALENDAR', `${room}/`);
  assert.equal(there.status, 403);
  assert.match(there.text, /<D:resource-must-be-null\/>/);
  const inner = await alice('MKCALENDAR', `${room}/inner/`);
  assert.equal(inner.status, 403);
  assert.match(inner.text, /calendar-collection-location-ok/);
  assert.equal((await alice('MKCALENDAR', 'r/Nowhere/inner/')).status, 409);
  assert.equal((await alice('MKCALENDAR', 'r/Unmade/', {}, '<D:mkcol/>')).status, 415);
  assert.equal(await typeOf('r/Unmade/'), 404);
});

it('What cannot be set is told, the rest as what would have gone, and nothing is made', async () => {
  const name = '<D:displayname>n</D:displayname>';
  const calendar = await alice('MKCALENDAR', 'r/Unmade/', {}, mkcalendar(`${name}<D:getetag>x</D:getetag>`));
  assert.equal(calendar.status, 207);
  assert.match(calendar.text, /<D:getetag\/><\/D:prop><D:status>HTTP\/1\.1 403/);
  assert.match(calendar.text, /<D:displayname\/><\/D:prop><D:status>HTTP\/1\.1 424/);
  const type = '<D:resourcetype><D:collection/><x:odd xmlns:x="urn:x"/></D:resourcetype>';
  const odd = await alice('MKCOL', 'r/Unmade/', {}, mkcol(type + name));
  assert.equal(odd.status, 403);
  assert.match(odd.text, /<D:mkcol-response.*<D:valid-resourcetype\/>/s);
  const journal = '<C:supported-calendar-component-set><C:comp name="VJOURNAL"/></C:supported-calendar-component-set>';
  assert.match(
    (await alice('MKCALENDAR', 'r/Unmade/', {}, mkcalendar(journal))).text,
    /supported-calendar-component\/>/,
  );
  assert.equal(await typeOf('r/Unmade/'), 404);
});

it('A body says what kind of room it is, and what is kept with it', async () => {
  const book = '<D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype><x:mine xmlns:x="urn:x">1</x:mine>';
  assert.equal((await alice('MKCOL', 'r/People/', {}, mkcol(book))).status, 201);
  assert.equal(await typeOf('r/People/'), '<D:collection/><CR:addressbook/>');
  const body = '<D:propfind><D:prop><x:mine xmlns:x="urn:x"/></D:prop></D:propfind>';
  assert.match((await alice('PROPFIND', 'r/People/', { depth: '0' }, body)).text, />1<\/x:mine>/);
  assert.equal((await alice('MKCOL', 'r/Plain/', {}, mkcol('<D:displayname>x</D:displayname>'))).status, 201);
  assert.equal(await typeOf('r/Plain/'), '<D:collection/>');
});

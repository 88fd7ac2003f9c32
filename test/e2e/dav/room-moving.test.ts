// MOVE and COPY of rooms.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { hrefsIn, startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, newRoom, newCalendar } = await startDavWorld({ after });
const to = (path: string, more: Record<string, string> = {}) => ({ destination: `/svc/${path}`, ...more });
const members = async (room: string) => {
  const told = await alice('PROPFIND', `${room}/`, { depth: '1' });
  return told.status === 404 ? 404 : hrefsIn(told).length - 1;
};

it('A room is moved as a whole, a copy may be without its messages', async () => {
  const room = await newRoom('a.txt', 'b.txt');
  assert.equal((await alice('MOVE', `${room}/`, to('r/Renamed/', { depth: '0' }))).status, 400);
  assert.equal((await alice('COPY', `${room}/`, to('r/Copied/', { depth: '1' }))).status, 400);
  const moved = await alice('MOVE', `${room}/`, to('r/Renamed/'));
  assert.deepEqual([moved.status, moved.headers.get('location')], [201, '/svc/r/Renamed/']);
  assert.deepEqual([await members(room), await members('r/Renamed')], [404, 2]);
  assert.equal((await alice('COPY', 'r/Renamed/', to('r/Copied/'))).status, 201);
  assert.equal((await alice('COPY', 'r/Renamed/', to('r/Bare/', { depth: '0' }))).status, 201);
  assert.deepEqual([await members('r/Copied'), await members('r/Bare'), await members('r/Renamed')], [2, 0, 2]);
});

it('No room is replaced, and none goes into another', async () => {
  const [room, other] = [await newRoom('a.txt'), await newRoom()];
  for (const method of ['MOVE', 'COPY']) {
    assert.equal((await alice(method, `${room}/`, to(`${other}/`))).status, 403, method);
    assert.equal((await alice(method, `${room}/`, to(`${other}/`, { overwrite: 'F' }))).status, 412, method);
    assert.equal((await alice(method, `${room}/`, to(`${other}/inner`))).status, 403, method);
    assert.equal((await alice(method, `${room}/`, to('r/Nowhere/inner'))).status, 409, method);
    assert.equal((await alice(method, 'r/Nowhere/', to('r/Free/'))).status, 404, method);
  }
  assert.deepEqual([await members(room), await members(other)], [1, 0]);
});

it('A calendar or an address book does not go into a room, which is told by the precondition', async () => {
  const [calendar, other] = [await newCalendar(), await newCalendar()];
  const type = '<D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype>';
  const book = `<D:mkcol><D:set><D:prop>${type}</D:prop></D:set></D:mkcol>`;
  assert.equal((await alice('MKCOL', 'r/Book/', {}, book)).status, 201);
  for (const method of ['MOVE', 'COPY']) {
    const refused = await alice(method, `${calendar}/`, to(`${other}/inner/`));
    assert.equal(refused.status, 403);
    assert.match(refused.text, /<C:calendar-collection-location-ok xmlns:C="urn:ietf:params:xml:ns:caldav"\/>/);
    assert.match((await alice(method, 'r/Book/', to(`${other}/inner/`))).text, /addressbook-collection-location-ok/);
  }
});

it('A copy is the caller’s own and of the same kind; only who may rename a room moves it', async () => {
  const calendar = await newCalendar();
  assert.equal((await alice('COPY', `${calendar}/`, to('r/Second%20calendar/'))).status, 201);
  assert.match((await alice('PROPFIND', 'r/Second%20calendar/', { depth: '0' })).text, /<C:calendar\/>/);
  assert.equal((await bob('MOVE', 'r/Town%20Square/', to('r/Mine/'))).status, 403);
  assert.equal((await bob('COPY', 'r/Town%20Square/', to('r/Mine/', { depth: '0' }))).status, 201);
  assert.equal((await alice('PROPFIND', 'r/Mine/', { depth: '0' })).status, 404, 'bob’s own');
});

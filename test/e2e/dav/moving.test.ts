// MOVE and COPY of messages and files.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, newCalendar, newRoom } = await startDavWorld({ after });
const to = (path: string, more: Record<string, string> = {}) => ({ destination: `/svc/${path}`, ...more });
const textAt = async (path: string) => {
  const { status, text } = await alice('GET', path);
  return status === 200 ? text : status;
};

it('A file keeps its number and its content under its new name', async () => {
  const room = await newRoom('a.txt');
  const number = (await alice('HEAD', `${room}/a.txt`)).headers.get('etag');
  const moved = await alice('MOVE', `${room}/a.txt`, to(`${room}/b.txt`));
  assert.equal(moved.status, 201);
  assert.equal(moved.headers.get('location'), `/svc/${room}/b.txt`);
  assert.deepEqual([await textAt(`${room}/a.txt`), await textAt(`${room}/b.txt`)], [404, 'a.txt']);
  assert.ok(number);
  assert.equal((await alice('COPY', `${room}/b.txt`, to(`${room}/c.txt`))).status, 201);
  assert.deepEqual([await textAt(`${room}/b.txt`), await textAt(`${room}/c.txt`)], ['a.txt', 'a.txt']);
});

it('What is there is replaced, unless Overwrite says F', async () => {
  const room = await newRoom('a.txt', 'b.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/b.txt`, { overwrite: 'F' }))).status, 412);
  assert.equal(await textAt(`${room}/b.txt`), 'b.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/b.txt`))).status, 204);
  assert.equal(await textAt(`${room}/b.txt`), 'a.txt');
});

it('A file takes no place of a folder that it lies in, and a folder’s otherwise', async () => {
  const room = await newRoom('docs/', 'docs/a.txt', 'top.txt');
  assert.equal((await alice('MOVE', `${room}/docs/a.txt`, to(`${room}/docs`))).status, 403);
  assert.equal(await textAt(`${room}/docs/a.txt`), 'docs/a.txt');
  assert.equal((await alice('MOVE', `${room}/top.txt`, to(`${room}/docs`))).status, 204);
  assert.deepEqual([await textAt(`${room}/docs`), await textAt(`${room}/docs/a.txt`)], ['top.txt', 404]);
});

it('Into a room as such a file keeps the last segment of its name, and replaces nothing', async () => {
  const [one, other] = [await newRoom('docs/', 'docs/a.txt'), await newRoom('a.txt')];
  assert.equal((await alice('MOVE', `${one}/docs/a.txt`, to(`${other}/`))).status, 412);
  const third = await newRoom();
  assert.equal((await alice('MOVE', `${one}/docs/a.txt`, to(`${third}/`))).status, 201);
  assert.equal(await textAt(`${third}/a.txt`), 'docs/a.txt');
});

it('Numbers are given by the room server, and letters keep their names', async () => {
  const room = await newRoom('a.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/999999`))).status, 201, 'a name among files');
  assert.equal((await alice('COPY', `${room}/a.txt`, to('r/Town%20Square/999999'))).status, 409);
  const letter = (await alice('PUT', 'r/Lobby/new?subj=hello', {}, 'text')).headers.get('location')!;
  assert.equal((await alice('MOVE', letter, to('r/Town%20Square/name.txt'))).status, 403);
  assert.equal((await alice('MOVE', letter, to('r/Nowhere/'))).status, 409);
  assert.equal((await alice('MOVE', `${room}/none.txt`, to(`${room}/b.txt`))).status, 404);
  assert.equal((await bob('MOVE', `${room}/a.txt`, to('r/Lobby/'))).status, 404, 'it is alice’s room');
});

const put = async (path: string, uid: string) => {
  assert.equal((await alice('PUT', path, CALENDAR_TYPE, eventOn(uid, '20260710'))).status, 201, path);
};
const uidAt = async (path: string) => /UID:(.*)/.exec(String(await textAt(path)))?.[1]?.trim();
const conflictWith = (href: string) =>
  `<C:no-uid-conflict xmlns:C="urn:ietf:params:xml:ns:caldav"><D:href>/svc/${href}</D:href></C:no-uid-conflict>`;

it('An event goes to another calendar under any name, and back', async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  await put(`${one}/a.ics`, 'of-a');
  assert.equal((await alice('COPY', `${one}/a.ics`, to(`${other}/b%20c.ics`))).status, 201);
  assert.deepEqual([await uidAt(`${one}/a.ics`), await uidAt(`${other}/b%20c.ics`)], ['of-a', 'of-a']);
  assert.equal((await alice('COPY', `${one}/a.ics`, to(`${other}/b%20c.ics`, { overwrite: 'F' }))).status, 412);
  assert.equal((await alice('MOVE', `${one}/a.ics`, to(`${other}/b%20c.ics`))).status, 204);
  assert.deepEqual([await textAt(`${one}/a.ics`), await uidAt(`${other}/b%20c.ics`)], [404, 'of-a']);
  assert.equal((await alice('MOVE', `${other}/b%20c.ics`, to(`${other}/d.ics`))).status, 201);
  assert.deepEqual([await textAt(`${other}/b%20c.ics`), await uidAt(`${other}/d.ics`)], [404, 'of-a']);
  assert.equal((await alice('MOVE', `${other}/d.ics`, to(`${one}/of-a.ics`))).status, 201);
  assert.equal(await uidAt(`${one}/of-a.ics`), 'of-a');
});

it('An event takes the place of none with another UID, and its UID is in a calendar once', async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  await put(`${one}/a.ics`, 'of-a');
  await put(`${one}/b.ics`, 'of-b');
  await put(`${other}/c.ics`, 'of-a');
  for (const method of ['COPY', 'MOVE']) {
    const refused = async (from: string, destination: string) => {
      const { status, text } = await alice(method, from, to(destination));
      assert.equal(status, 409, text);
      return text;
    };
    assert.ok((await refused(`${one}/b.ics`, `${other}/c.ics`)).includes(conflictWith(`${other}/c.ics`)));
    assert.ok((await refused(`${one}/a.ics`, `${other}/d.ics`)).includes(conflictWith(`${other}/c.ics`)));
    assert.ok((await refused(`${one}/b.ics`, `${one}/a.ics`)).includes(conflictWith(`${one}/a.ics`)));
    const kept = await alice(method, `${one}/b.ics`, to(`${other}/c.ics`, { overwrite: 'F' }));
    assert.equal(kept.status, 412);
  }
  const twice = await alice('COPY', `${one}/a.ics`, to(`${one}/e.ics`));
  assert.deepEqual([twice.status, twice.text.includes(conflictWith(`${one}/a.ics`))], [409, true]);
  assert.deepEqual([await uidAt(`${one}/a.ics`), await uidAt(`${one}/b.ics`)], ['of-a', 'of-b']);
  assert.equal(await uidAt(`${other}/c.ics`), 'of-a');
  // under the UID that is an alias of its name there: the same member
  assert.equal((await alice('MOVE', `${one}/a.ics`, to(`${other}/of-a.ics`))).status, 204);
  assert.equal(await uidAt(`${other}/c.ics`), 'of-a');
});

it('What a calendar does not take by PUT does not come under a name, either', async () => {
  const [calendar, files] = [await newCalendar(), await newRoom('a.txt')];
  await put(`${calendar}/a.ics`, 'of-a');
  const components =
    '<C:mkcalendar><D:set><D:prop><C:supported-calendar-component-set><C:comp name="VTODO"/>' +
    '</C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>';
  assert.equal((await alice('MKCALENDAR', 'r/Errands-of-mine/', {}, components)).status, 201);
  for (const [from, destination, condition] of [
    [`${calendar}/a.ics`, 'r/Errands-of-mine/a.ics', 'supported-calendar-component'],
    [`${files}/a.txt`, `${calendar}/b.ics`, 'valid-calendar-object-resource'],
  ] as const) {
    const { status, text } = await alice('COPY', from, to(destination));
    assert.equal(status, 403);
    assert.match(text, new RegExp(`<C:${condition} `));
  }
});

it('Location is the Destination as the client has named it, and answers', async () => {
  const files = await newRoom('a.txt', 'sub/', 'sub/b.txt');
  const [calendar, other] = [await newCalendar(), await newCalendar()];
  assert.equal((await alice('PUT', `${calendar}/e.ics`, CALENDAR_TYPE, eventOn('location', '20260110'))).status, 201);
  for (const [method, from, destination, status] of [
    ['COPY', `${files}/a.txt`, `${files}/a%20b%C3%BC.txt`, 201],
    ['COPY', `${files}/a.txt`, `${files}/sub/b.txt`, 204],
    ['COPY', `${calendar}/e.ics`, `${other}/a%20b.ics`, 201],
    ['MOVE', `${other}/a%20b.ics`, `${other}/c.ics`, 201],
    ['MOVE', `${other}/c.ics`, `${other}/location.ics`, 201],
  ] as const) {
    const done = await alice(method, from, to(destination));
    assert.deepEqual([done.status, done.headers.get('location')], [status, `/svc/${destination}`]);
    assert.equal((await alice('GET', destination)).status, 200);
  }
  // what lies in a folder keeps its name in the room
  const moved = await alice('MOVE', `${files}/sub/b.txt`, to(`${await newRoom()}/`));
  assert.match(moved.headers.get('location')!, /\/b\.txt$/);
});

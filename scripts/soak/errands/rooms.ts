// Rooms that are made, set up, shared, copied, moved and removed.

import { VIEW } from '../../../src/model.ts';
import { json, type Person } from '../person.ts';
import { withLock } from './locks.ts';

/** a room may be named with a slash behind it, and without */
export const roomErrands = ['', '/'].flatMap((slash) => [
  (person: Person) => visitRoom(person, slash),
  (person: Person) => moveRoom(person, slash),
  (person: Person) => makeByDav(person, slash),
]);

/** Of an administrator, in the room of somebody else. */
export async function setUpRoom(person: Person): Promise<void> {
  const name = person.fresh();
  await person.askAsNeighbour('POST', 'r/', json({ name, kind: 'public' }));
  await person.ask('PATCH', `r/${name}`, json({ room_aide: person.name, is_read_only: true, default_view: VIEW.blog }));
  await person.ask('PUT', `r/${name}/info.txt`);
  await person.ask('DELETE', `r/${name}`);
}

async function visitRoom(person: Person, slash: string): Promise<void> {
  const name = person.fresh();
  await person.ask('POST', 'r/', json({ name, kind: 'invitation', view: VIEW.files }));
  const room = `r/${name}${slash}`;
  for (const method of ['GET', 'PROPFIND', 'PROPPATCH', 'REPORT']) await person.ask(method, room);
  await person.ask('PATCH', room, json({ is_subject_required: false, rorder: 1 + person.random(100) }));
  await withLock(person, room, async () => {});
  for (const thing of ['info.txt', 'roompic'])
    for (const method of ['PUT', 'GET', 'DELETE']) await person.ask(method, `r/${name}/${thing}`);
  const membership = `r/${name}/members/${person.neighbour}`;
  await person.ask('PUT', membership, {});
  await person.askAsNeighbour('PUT', `r/${name}/shared.txt`);
  for (const list of ['members', 'stat', 'feed', 'mailbox', 'msgs.all']) await person.ask('GET', `r/${name}/${list}`);
  await person.ask('DELETE', membership);
  await person.ask('DELETE', room);
}

async function moveRoom(person: Person, slash: string): Promise<void> {
  const name = person.fresh();
  await person.ask('MKCOL', `r/${name}`, {});
  await person.ask('PUT', `r/${name}/file.txt`);
  for (const [method, to] of [
    ['COPY', `${name}-copied`],
    ['MOVE', `${name}-moved`],
  ] as const) {
    await person.ask(method, `r/${name}${slash}`, { headers: { destination: `/svc/r/${to}` } });
    await person.ask('GET', `r/${to}/file.txt`);
    await person.ask('DELETE', `r/${to}${slash}`);
  }
}

async function makeByDav(person: Person, slash: string): Promise<void> {
  for (const method of ['MKCOL', 'MKCALENDAR']) {
    const room = `r/${person.fresh()}${slash}`;
    await person.ask(method, room, {});
    await person.ask('DELETE', room);
  }
}

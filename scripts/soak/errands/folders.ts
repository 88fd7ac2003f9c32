// Files and folders in a room of files, at every path that a route has below the first name in a room.

import type { Person } from '../person.ts';
import { withLock } from './locks.ts';

/** What `r/:room/:name` goes on with: these words mean something below a message, and nothing in a folder. */
const BELOW = ['json', 'history', 'history/1', 'history/1/json', 'invitation', '2', '2/json', 'deep/down/file.txt'];

export const folderErrands = [
  ...BELOW.map((below) => (person: Person) => visitFile(person, below)),
  (person: Person) => visitFile(person, undefined),
  visitFolder,
];

/** `below`: the path in a folder; undefined: the file is in the room itself */
async function visitFile(person: Person, below: string | undefined): Promise<void> {
  const name = person.fresh();
  const top = `${person.room('Scratch')}/${name}`;
  const path = below === undefined ? top : `${top}/${below}`;
  const folders = (below ?? '').split('/').slice(0, -1);
  if (below !== undefined) await person.ask('MKCOL', top, {});
  for (let i = 1; i <= folders.length; i++) await person.ask('MKCOL', `${top}/${folders.slice(0, i).join('/')}`, {});
  await person.ask('MKCOL', path, {});
  await person.ask('DELETE', path);
  await person.ask('PUT', path);
  await visit(person, path);
  await withLock(person, path, async (token) => {
    await person.ask('PUT', path, { headers: { 'content-type': 'text/plain', if: `(${token})` }, body: 'in turn' });
  });
  await person.ask('COPY', path, { headers: { destination: `/svc/${top}-copied` } });
  await person.ask('MOVE', path, { headers: { destination: `/svc/${top}-moved` } });
  for (const left of [`${top}-copied`, `${top}-moved`]) await person.ask('DELETE', left);
  if (below !== undefined) await person.ask('DELETE', top);
}

async function visitFolder(person: Person): Promise<void> {
  const path = `${person.room('Scratch')}/${person.fresh()}/`;
  await person.ask('MKCOL', path, {});
  await person.ask('PUT', `${path}file.txt`);
  await visit(person, path);
  await withLock(person, path, async () => {});
  const [copied, moved] = [path.replace(/\/$/, '-copied/'), path.replace(/\/$/, '-moved/')];
  await person.ask('COPY', path, { headers: { destination: `/svc/${copied}` } });
  await person.ask('DELETE', copied);
  await person.ask('MOVE', path, { headers: { destination: `/svc/${moved}` } });
  await person.ask('DELETE', moved);
}

async function visit(person: Person, path: string): Promise<void> {
  for (const method of ['GET', 'PROPFIND', 'PROPPATCH']) await person.ask(method, path);
  await person.report(path, '<D:expand-property><D:property name="current-user-principal"/></D:expand-property>');
}

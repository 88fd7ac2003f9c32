// Accounts: one's own, its app passwords, and those that administrators make; floors.

import { basic } from '../../../test/support/gateway.ts';
import { json, type Person, type Told } from '../person.ts';

export const accountErrands = [openClient, describeOneself, sendInstantMessage, useAppPasswords];
/**
 * Passwords are for few: one that is set here costs the room server at each log-in what it costs anywhere, and all of
 * its time would go into that. An account may be named with a slash behind it, and without.
 */
export const adminErrands = [
  buildFloor,
  setPassword,
  ...['', '/'].map((slash) => (person: Person) => keepAccount(person, slash)),
];

/** As the web client is opened; it has a module in common with the server. */
async function openClient(person: Person): Promise<void> {
  for (const path of ['a/landing.html', 'src/limits/mime.ts', 'a/whoami', 'a/start']) await person.ask('GET', path);
}

async function describeOneself(person: Person): Promise<void> {
  for (const thing of ['bio', 'userpic'])
    for (const method of ['PUT', 'GET', 'DELETE']) await person.ask(method, `u/${person.name}/${thing}`);
}

/** The same one again: all sessions end, and who is in doubt whether it was set can log in. */
async function setPassword(person: Person): Promise<void> {
  await person.ask('POST', 'a/password', json({ old: person.name, new: person.name }));
  await person.ask('GET', 'a/whoami');
}

async function sendInstantMessage(person: Person): Promise<void> {
  await person.askAsNeighbour('GET', 'a/im'); // who does so takes messages from then on
  await person.ask('POST', 'a/im', json({ to: person.neighbour, text: `hello from ${person.fresh()}` }));
  await person.askAsNeighbour('GET', 'a/im');
}

interface NewPassword {
  secret: string;
  feed?: string;
}

/** Those that are there already are of errands that were broken off. */
async function useAppPasswords(person: Person): Promise<void> {
  const newPassword = async (fields: object): Promise<NewPassword | undefined> => {
    const made = await person.ask('POST', 'a/app-passwords', json({ name: person.fresh(), ...fields }));
    return made?.status === 201 ? (JSON.parse(made.text) as NewPassword) : undefined;
  };
  const reader = await newPassword({ scope: 'read', password: person.name });
  if (reader) {
    await person.ask(
      'GET',
      `${person.room('Mails')}/mailbox`,
      {},
      { authorization: basic(person.name, reader.secret) },
    );
  }
  const feed = await newPassword({ scope: 'feed', room: `Mails ${person.name}` });
  if (feed?.feed !== undefined) await person.ask('GET', feed.feed, {}, {});
  for (const { id } of rowsIn<{ id: number }>(await person.ask('GET', 'a/app-passwords'))) {
    await person.ask('DELETE', `a/app-passwords/${id}`);
  }
}

/** There are few floors: those that an errand has left behind that was broken off are torn down first. */
async function buildFloor(person: Person): Promise<void> {
  const floors = rowsIn<{ num: number; name: string }>(await person.ask('GET', 'f/'));
  const left = floors.filter(({ name }) => name.includes(`${person.name}-`));
  for (const { num } of left) await person.ask('DELETE', `f/${num}`);
  const made = await person.ask('POST', 'f/', json({ name: person.fresh() }));
  const floor = made?.headers.get('location')?.split('/').at(-1);
  if (floor === undefined) return;
  await person.ask('GET', `f/${floor}`);
  await person.ask('PATCH', `f/${floor}`, json({ name: person.fresh() }));
  await person.ask('DELETE', `f/${floor}`);
}

async function keepAccount(person: Person, slash: string): Promise<void> {
  const name = person.fresh();
  const account = `u/${name}${slash}`;
  await person.ask('POST', 'u/', json({ username: name, password: name }));
  await person.ask('GET', account);
  await person.ask('PATCH', account, json({ axlevel: 4 }));
  await person.ask('GET', 'a/start', {}, { authorization: basic(name) });
  await person.ask('PATCH', account, json({ password: `${name}-other` }));
  await person.ask('DELETE', account);
}

function rowsIn<T>(told: Told | undefined): T[] {
  return told?.status === 200 ? (JSON.parse(told.text) as T[]) : [];
}

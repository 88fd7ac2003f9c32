// The rooms at the side: those that everybody has come in the order of their use.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
// @ts-expect-error: the web client has no types
import { groupsOf, roomOfRole, setRooms } from '../../../static/model/room-list.js';

it('one’s own rooms stand in the order of their use, then what one has made, then each floor by name', () => {
  const own = (name: string) => ({ name, is_mailbox: true, is_zapped: false, floor: 0, rorder: 0 });
  const shared = (name: string) => ({ ...own(name), is_mailbox: false });
  const names = ['Archive', 'Calendar', 'Bees', 'Mail', 'Trash', 'Contacts', 'Tasks', 'Drafts', 'Sent Items', 'Notes'];
  const rooms = [...names.map(own), shared('Trash'), shared('Lobby'), shared('Mail')];
  setRooms({ floors: [{ num: 0, name: 'Main Floor' }], rooms });
  const [first, second] = groupsOf({ own: 'Yours', forgotten: 'Forgotten' });
  const namesOf = ({ rooms }: { rooms: { name: string }[] }) => rooms.map(({ name }) => name).join(', ');
  assert.equal(namesOf(first), 'Mail, Calendar, Tasks, Contacts, Notes, Drafts, Sent Items, Archive, Trash, Bees');
  assert.equal(namesOf(second), 'Lobby, Mail, Trash');
});

it('one’s own room for something is found unless a shared one has the same name, which a Citadel server would take', () => {
  const own = (name: string) => ({ name, is_mailbox: true, is_zapped: false, floor: 0, rorder: 0, default_view: 1 });
  const shared = (name: string) => ({ ...own(name), is_mailbox: false });
  const found = (...rooms: object[]) => {
    setRooms({ floors: [], rooms });
    return roomOfRole('trash')?.name;
  };
  assert.equal(found(own('Mail'), own('Trash')), 'Trash');
  assert.equal(found(own('Mail'), shared('Trash')), undefined);
  assert.equal(found(own('Mail'), own('Trash'), shared('trash')), undefined);
});

/** What the page counts, and where it goes next, for a reader of the language. */
async function countedIn(language: string) {
  const url = (path: string) => JSON.stringify(new URL(`../../../static/${path}`, import.meta.url).href);
  const worker = new Worker(
    `(async () => {
      Object.defineProperty(globalThis, 'navigator', { value: { languages: ['${language}'] } });
      const list = await import(${url('model/room-list.js')});
      const { user } = await import(${url('model/session.js')});
      const { mayHaveArrivals } = await import(${url('model/arrivals.js')});
      user.set({ username: 'ann' });
      const rooms = [
        ['Mail', 1], ['Drafts', 9], ['Entwürfe', 9], ['Sent Items', 1], ['Archive', 1],
        ['0000000007.Trash', 1], ['Papelera', 1], ['Archive 2012', 1], ['Trash', 0, true],
      ].map(([name, default_view, isShared = false], i) => ({
        name, default_view, is_mailbox: !isShared, is_zapped: false, floor: 0, rorder: 0, unread: 2 ** i, hasnewmsgs: 1,
      }));
      list.setRooms({ floors: [{ num: 0, name: 'Main Floor' }], rooms: [...rooms] });
      const route = [];
      for (let at; route.length < 8; route.push(at)) at = list.nextUnreadRoom(at)?.name;
      const arriving = rooms.filter((room) => mayHaveArrivals(room, 0, 0)).map(({ name }) => name);
      require('node:worker_threads').parentPort.postMessage({
        title: list.roomTitle('Sent Items'), total: list.totalUnread(), route, arriving,
        quiet: rooms.filter((room) => list.unreadCount(room) === 0).map(({ name }) => name),
      });
    })();`,
    { eval: true },
  );
  const [counted] = await once(worker, 'message');
  await worker.terminate();
  return counted as { title: string; total: number; route: string[]; arriving: string[]; quiet: string[] };
}

for (const [language, sent] of Object.entries({ en: 'Sent', de: 'Gesendet', es: 'Enviados', fr: 'Envoyés' })) {
  it(`what is in the trash, in drafts, sent or archived counts nowhere (${language})`, async () => {
    const { title, total, route, arriving, quiet } = await countedIn(language);
    assert.match(title, new RegExp(sent), 'the page speaks this language');
    assert.deepEqual(quiet, ['Drafts', 'Entwürfe', 'Sent Items', 'Archive', '0000000007.Trash']);
    const news = ['Mail', 'Papelera', 'Archive 2012', 'Trash'];
    assert.deepEqual(arriving, news);
    assert.equal(total, 1 + 64 + 128 + 256);
    assert.deepEqual([...new Set(route)].sort(), [...news].sort());
  });
}

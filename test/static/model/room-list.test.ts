// The rooms at the side: those that everybody has come in the order of their use.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { groupsOf, setRooms } from '../../../static/model/room-list.js';

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

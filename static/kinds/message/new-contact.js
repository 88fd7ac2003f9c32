// Where somebody is kept as a contact.

import { VIEW } from '../../../src/model.ts';
import { routeTo } from '../../core/router.js';
import { ownRoom } from '../../model/room-list.js';

/**
 * The address of the form for a new contact in one's own address book, filled in; undefined where there is none.
 * @param {{ name: string, address: string }} person
 */
export function newContactAddress({ name, address }) {
  const room = ownRoom(VIEW.addressBook);
  return room && routeTo(room.name, 'new', name, address);
}

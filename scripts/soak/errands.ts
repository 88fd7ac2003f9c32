// Errands of the people of a soak: requests that build on each other, so that each does what it is for. What an errand
// makes it takes away; where a request fails the rest comes to nothing, and what is left is in nobody's way.

import { accountErrands, adminErrands } from './errands/accounts.ts';
import { calendarErrands } from './errands/calendars.ts';
import { folderErrands } from './errands/folders.ts';
import { mailErrands } from './errands/mails.ts';
import { roomErrands, setUpRoom } from './errands/rooms.ts';
import type { Person } from './person.ts';

export type Errand = (person: Person) => Promise<void>;

export const ERRANDS: readonly Errand[] = [
  ...folderErrands,
  ...roomErrands,
  ...mailErrands,
  ...calendarErrands,
  ...accountErrands,
];
/** there are few administrators, so that these are much of what they do */
export const ADMIN_ERRANDS: readonly Errand[] = [...adminErrands, setUpRoom];

/** Runs one that this person may run. */
export function runErrand(person: Person): Promise<void> {
  const isAdministering = person.isAdmin && person.random(2) === 0;
  return person.pick(isAdministering ? ADMIN_ERRANDS : ERRANDS)!(person);
}

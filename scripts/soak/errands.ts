// Errands of the people of a soak: requests that build on each other, so that each does what it is for. What an errand
// makes it takes away; where a request fails the rest comes to nothing, and what is left is in nobody's way.

import { accountErrands, adminErrands } from './errands/accounts.ts';
import { calendarErrands } from './errands/calendars.ts';
import { folderErrands } from './errands/folders.ts';
import { mailErrands } from './errands/mails.ts';
import { roomErrands, setUpRoom } from './errands/rooms.ts';
import type { Person } from './person.ts';

export type Errand = (person: Person) => Promise<void>;

const FOR_ALL: readonly Errand[] = [
  ...folderErrands,
  ...roomErrands,
  ...mailErrands,
  ...calendarErrands,
  ...accountErrands,
];

/** What this one may do. */
export function errandsOf({ isAdmin }: Person): readonly Errand[] {
  return isAdmin ? [...FOR_ALL, ...adminErrands, setUpRoom] : FOR_ALL;
}

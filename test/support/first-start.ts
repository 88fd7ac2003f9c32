// The data folder of an embedded room server after its first start: what the start makes, with passwords that cost a
// thousandth of an ordinary one to check. For servers whose first start is not what a test is about.

import { createFirstAdmin, createServerRooms } from '../../src/backend/maintenance/bootstrap.ts';
import { hashPassword } from '../../src/backend/store/passwords.ts';
import { openStore, type Store } from '../../src/backend/store/store.ts';
import { createUser } from '../../src/backend/store/users.ts';
import { fillDemo } from '../../src/extra/demo/demo.ts';

/** scrypt N: a log-in takes a millisecond */
export const LOW_PASSWORD_COST = 16;

export interface FirstStart {
  adminPassword: string;
  /** fill with the content of --demo */
  demo: boolean;
  /** in their order; a user without a level gets that of every new user */
  users: readonly { name: string; password: string; level?: number }[];
}

/** The store of a new folder, open. */
export async function firstStart(folder: string, { adminPassword, demo, users }: FirstStart): Promise<Store> {
  const store = openStore(folder);
  createServerRooms(store);
  await createFirstAdmin(store, adminPassword, LOW_PASSWORD_COST);
  if (demo) await fillDemo(store, LOW_PASSWORD_COST);
  for (const { name, password, level } of users) {
    const hash = password === '' ? null : await hashPassword(password, LOW_PASSWORD_COST);
    createUser(store, name, hash, level);
  }
  return store;
}

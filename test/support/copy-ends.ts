// What `vestibule copy` opens at its target, without a copy: rooms as it names them, sessions at an ordinary server.

import type { TestContext } from 'node:test';
import type { Room } from '../../src/extra/migrate/model.ts';
import { openSessions, type Sessions } from '../../src/extra/migrate/sessions.ts';
import { Connection } from '../../src/room-server/connection/connection.ts';
import { logIn } from '../../src/room-server/connection/identity.ts';

/** A room that anybody may enter, unless told. */
export function copiedRoom(name: string, more: Partial<Room> = {}): Room {
  return { name, flags: 2, floor: 0, order: 0, flags2: 0, view: 0, password: '', directory: '', admin: '', ...more };
}

/** The administrator's, and those of users whose passwords are known: of `ann` it is `annpw`. */
export async function sessionsAt(t: TestContext, path: string, known: readonly string[] = []): Promise<Sessions> {
  const admin = await Connection.open({ path });
  await logIn(admin, { user: 'admin', password: 'adminpw' });
  const sessions = openSessions({ path }, admin, 'admin', new Map(known.map((name) => [name, `${name}pw`])));
  t.after(() => sessions.close());
  return sessions;
}

// Connections to an ordinary room server for `vestibule copy`: the administrator's, and those of users whose
// passwords are known.

import { AppError } from '../../errors.ts';
import { MAX_COPY_SESSIONS } from '../../limits/backend.ts';
import { accountName } from '../../protocol/names.ts';
import { Connection } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import type { ServerAddress } from '../../room-server/connection/open-socket.ts';

export interface Sessions {
  admin: Connection;
  adminName: string;
  /** Logged in as this user; undefined: the password is not known, or no longer right. */
  as(name: string): Promise<Connection | undefined>;
  /** One more, not logged in. */
  open(): Promise<Connection>;
  close(): void;
}

/** `passwords`: of accounts, by accountName; may grow. */
export function openSessions(
  address: ServerAddress,
  admin: Connection,
  adminName: string,
  passwords: ReadonlyMap<string, string>,
): Sessions {
  /** the one used last is the last */
  const others = new Map<string, Connection>();
  const open = () => Connection.open(address);
  return {
    admin,
    adminName,
    open,
    async as(name) {
      const key = accountName(name);
      if (key === accountName(adminName)) return admin;
      const known = others.get(key);
      others.delete(key);
      if (known && !known.isClosed) {
        others.set(key, known);
        return known;
      }
      const password = passwords.get(key);
      if (password === undefined) return undefined;
      const connection = await open();
      try {
        await logIn(connection, { user: name, password });
      } catch (error) {
        connection.close();
        if (error instanceof AppError && error.code === 'not_logged_in') return undefined;
        throw error;
      }
      const [oldest] = others;
      if (oldest && others.size >= MAX_COPY_SESSIONS) {
        oldest[1].close();
        others.delete(oldest[0]);
      }
      others.set(key, connection);
      return connection;
    },
    close() {
      admin.close();
      for (const connection of others.values()) connection.close();
    },
  };
}

export function sameAccount(one: string, other: string): boolean {
  return accountName(one) === accountName(other) && accountName(one) !== '';
}

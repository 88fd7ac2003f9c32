// Connections to an ordinary room server: the administrator's, and those of users with known passwords.

import { AppError } from '../../errors.ts';
import { MAX_COPY_SESSIONS } from '../../limits/backend.ts';
import { accountName } from '../../protocol/names.ts';
import { Connection } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import type { ServerAddress } from '../../room-server/connection/socket.ts';

export interface Sessions {
  admin: Connection;
  adminName: string;
  /** Logged in as this user; undefined: the password is unknown or wrong. */
  as(name: string): Promise<Connection | undefined>;
  /** A new connection without log-in. */
  open(): Promise<Connection>;
  close(): void;
}

/** `passwords`: by accountName; may grow. */
export function openSessions(
  address: ServerAddress,
  admin: Connection,
  adminName: string,
  passwords: ReadonlyMap<string, string>,
): Sessions {
  /** least recently used first */
  const others = new Map<string, Connection>();
  const open = () => Connection.open(address);
  return {
    admin,
    adminName,
    open,
    async as(name) {
      const key = accountName(name);
      if (key === accountName(adminName)) return admin;
      const existing = others.get(key);
      others.delete(key);
      if (existing && !existing.isClosed) {
        others.set(key, existing);
        return existing;
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

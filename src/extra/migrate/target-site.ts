// Shared by the parts of an ordinary room server as target: connections, owners of rooms, and temporary rooms. Enters
// rooms transiently, except for users whose visits are set.

import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { VIEW } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { messageNumbers } from '../../protocol/message-fields.ts';
import { needsRecipient, personalName } from '../../protocol/room-facts.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { createRoomCommand } from '../../room-server/room-admin.ts';
import type { Room, User } from './model.ts';
import { type Sessions, sameAccount } from './sessions.ts';

/** Room in which mailbox messages are posted first: mailboxes accept only mail with recipients. */
export const STAGING = 'Vestibule copy: mail under way';
/** Temporary name of a room until all its settings are applied, so that an interrupted run is recognized. */
export const UNFINISHED = 'Vestibule copy: a room that is being made';
const PASSWORD_BYTES = 4; // rooms store nine characters (quirk Q35)
const ALL = command('MSGS', 'ALL');

export interface Site {
  sessions: Sessions;
  admin: Connection;
  /** at the target */
  users: readonly User[];
  /** Sends a command as the administrator. */
  ask(verb: string): Promise<Answer>;
  /** The same; throws unless it succeeds. */
  done(verb: string): Promise<Answer>;
  ownerOf(room: Room): User | undefined;
  /** A connection with all rights in a room. Throws forbidden if it needs a user's unknown password. */
  masterOf(room: Room): Promise<Connection>;
  /** The same, in the room. */
  inRoom(room: Room): Promise<Connection>;
  /** Moves the administrator into a temporary room, which is created on first use. */
  enterOwn(name: typeof STAGING | typeof UNFINISHED, view: number): Promise<void>;
  /** The room is no longer temporary. */
  giveAway(name: typeof UNFINISHED): void;
  /** Enters the staging room with its password, so that no invitation is needed. */
  enterStaging(connection: Connection): Promise<void>;
  /** Removes the temporary rooms. */
  clear(): Promise<void>;
}

export function openSite(sessions: Sessions): Site {
  const { admin } = sessions;
  const ask = (verb: string) => admin.ask(verb);
  const done = async (verb: string) => expectClass(await ask(verb), REPLY.done);
  const used = new Set<string>();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');

  return {
    sessions,
    admin,
    users: [],
    ask,
    done,
    ownerOf({ name }) {
      return this.users.find(({ num }) => num === personalName(name).owner);
    },
    async masterOf(room) {
      const owner = this.ownerOf(room);
      const connection = owner ? await sessions.as(owner.name) : admin;
      if (!connection) throw new AppError('forbidden', `The password of ${owner!.name} is unknown.`);
      return connection;
    },
    async inRoom(room) {
      const connection = await this.masterOf(room);
      await enterRoom(connection, { name: shortName(room), password: room.password }, true);
      return connection;
    },
    async enterOwn(name, view) {
      if (!used.has(name)) {
        const create = createRoomCommand(
          name === STAGING
            ? { name, kind: 'password', password, floor: 0, view }
            : { name, kind: 'invitation', password: '', floor: 0, view },
        );
        const made = await ask(create);
        if (made.code === STATUS.alreadyExists) {
          // left by an interrupted run
          await enterRoom(admin, { name, password: '' }, true);
          await done(command('KILL', 1));
          await done(create);
        } else expectClass(made, REPLY.done);
        used.add(name);
      }
      await enterRoom(admin, { name, password: '' }, true);
    },
    giveAway: (name) => void used.delete(name),
    async enterStaging(connection) {
      await this.enterOwn(STAGING, VIEW.board);
      // knowing the room allows posting; the room is removed at the end
      if (connection !== admin) await enterRoom(connection, { name: STAGING, password });
    },
    async clear() {
      for (const name of [STAGING, UNFINISHED]) {
        if ((await ask(command('GOTO', name, '', 1))).code === STATUS.done) await done(command('KILL', 1));
      }
    },
  };
}

/** Rethrows errors other than refusals, such as a lost connection. */
export function ifRefused(error: unknown): false {
  if (error instanceof AppError && error.backendCode !== undefined) return false;
  throw error;
}

export async function numbersIn(connection: Connection): Promise<number[]> {
  return messageNumbers(expectClass(await connection.ask(ALL), REPLY.listing).lines);
}

export function shortName({ name }: Room): string {
  return personalName(name).name;
}

/** For a room with an owner. */
export function isMailbox({ name, view }: Room): boolean {
  return needsRecipient({ name, isPersonal: true, defaultView: view }, view);
}

/** The connection that acts for a user, possibly the administrator's. */
export async function connectionOf({ sessions, admin }: Site, user: string): Promise<Connection | undefined> {
  return sameAccount(user, sessions.adminName) ? admin : sessions.as(user);
}

// What all parts of an ordinary room server as a target share: who is logged in, whose a room is, and the rooms that
// are there for the copy alone. Everything is entered transiently, but by those whose visits are set.

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
import { expectClass } from '../../room-server/connection/refusal.ts';
import { createRoomCommand } from '../../room-server/room-admin.ts';
import type { Room, User } from './model.ts';
import { type Sessions, sameAccount } from './sessions.ts';

/** Where messages for the mailboxes of users are posted first: a mailbox itself takes nothing without a recipient. */
export const STAGING = 'Vestibule copy: mail under way';
/**
 * A room gets this name first, then all its settings at once with its own: what is broken off is never taken for it.
 */
export const UNFINISHED = 'Vestibule copy: a room that is being made';
const PASSWORD_BYTES = 4; // a room keeps nine characters (quirk Q35)
const ALL = command('MSGS', 'ALL');

export interface Site {
  sessions: Sessions;
  admin: Connection;
  /** of the target */
  users: readonly User[];
  /** what the administrator asks */
  ask(verb: string): Promise<Answer>;
  /** The same; throws unless it is done. */
  done(verb: string): Promise<Answer>;
  ownerOf(room: Room): User | undefined;
  /**
   * The connection that may do everything in a room. Throws forbidden where it is of a user whose password is not
   * known.
   */
  masterOf(room: Room): Promise<Connection>;
  /** The same, which has entered it. */
  inRoom(room: Room): Promise<Connection>;
  /** The administrator goes into a room for the copy alone, which is new when it is first entered. */
  enterOwn(name: typeof STAGING | typeof UNFINISHED, view: number): Promise<void>;
  /** It is no longer one for the copy alone. */
  giveAway(name: typeof UNFINISHED): void;
  /** Whoever is to post there goes into it: with its password, so that nobody has to be invited. */
  enterStaging(connection: Connection): Promise<void>;
  /** Nothing of what was made for the copy alone remains. */
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
      if (!connection) throw new AppError('forbidden', `The password of ${owner!.name} is not known.`);
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
          // a copy was broken off
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
      // who may post there is who knows it; it goes when the copy ends
      if (connection !== admin) await enterRoom(connection, { name: STAGING, password });
    },
    async clear() {
      for (const name of [STAGING, UNFINISHED]) {
        if ((await ask(command('GOTO', name, '', 1))).code === STATUS.done) await done(command('KILL', 1));
      }
    },
  };
}

/** What one user may not is no reason to stop; a lost connection is. */
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

/** Of a room that has an owner. */
export function isMailbox({ name, view }: Room): boolean {
  return needsRecipient({ name, isPersonal: true, defaultView: view }, view);
}

/** By which the copy is logged in as a user, be it the administrator. */
export async function connectionOf({ sessions, admin }: Site, user: string): Promise<Connection | undefined> {
  return sameAccount(user, sessions.adminName) ? admin : sessions.as(user);
}

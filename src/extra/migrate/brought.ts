// The migration state kept at the target: what was migrated, and the progress of each floor, account and room. What
// people delete or rename is not migrated again, and their changes are preserved. The embedded room server has tables
// for it (XFER); elsewhere it is a room with messages as a log.

import { AppError } from '../../errors.ts';
import { BROUGHT_BATCH_MESSAGES } from '../../limits/backend.ts';
import { BATCH_MESSAGES } from '../../limits/dav.ts';
import { VIEW } from '../../model.ts';
import { command, toInt } from '../../protocol/fields.ts';
import { messageNumbers } from '../../protocol/message-fields.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { createRoomCommand } from '../../room-server/room-admin.ts';
import { BROUGHT_ROOM } from '../../room-server/rooms.ts';

const NOTEBOOK = { name: BROUGHT_ROOM, kind: 'invitation', password: '', floor: 0, view: VIEW.board } as const;
const HEADER = 'Content-Type: text/plain; charset=utf-8\n\n';

export type Kind = 'floor' | 'user' | 'room';
/** made: being migrated; done: a run has completed with it, so its settings are not set again */
export type Step = 'made' | 'done';

export interface Brought {
  /** undefined: unknown to earlier runs */
  step(kind: Kind, name: string): Promise<Step | undefined>;
  /** Durable when it resolves. */
  note(kind: Kind, names: readonly string[], step: Step): Promise<void>;
  /** How often each message was migrated to a room, by key (see Listed). */
  messages(room: string): Promise<Map<string, number>>;
}

export function openOwnBrought(connection: Connection): Brought {
  let steps: Map<string, string> | undefined;
  const load = async () => {
    const { lines } = expectClass(await connection.ask(command('XFER', 'steps')), REPLY.listing);
    return new Map(lines.map((line) => cut(line)).map(([kind, rest]) => [`${kind}|${cut(rest)[1]}`, cut(rest)[0]]));
  };
  return {
    async step(kind, name) {
      steps ??= await load();
      return steps.get(`${kind}|${keyOf(kind, name)}`) as Step | undefined;
    },
    async note(kind, names, step) {
      steps ??= await load();
      for (const name of names) {
        const key = keyOf(kind, name);
        if (steps.get(`${kind}|${key}`) === step) continue;
        expectClass(await connection.ask(command('XFER', 'step', kind, step, key)), REPLY.done);
        steps.set(`${kind}|${key}`, step);
      }
    },
    async messages(room) {
      const { lines } = expectClass(await connection.ask(command('XFER', 'brought', nameKey(room))), REPLY.listing);
      return new Map(lines.map((line) => [cut(line)[1], toInt(line)]));
    },
  };
}

export interface BroughtRoom extends Brought {
  /** A message was posted in the room or, with -1, removed because it was incomplete. */
  add(room: string, key: string, times: 1 | -1): Promise<void>;
  /** Makes all entries durable. */
  flush(): Promise<void>;
}

export function openBroughtRoom(admin: Connection): BroughtRoom {
  let known: Promise<{ steps: Map<string, Step>; times: Map<string, Map<string, number>> }> | undefined;
  let isThere = false;
  let waiting: string[] = [];
  let waitingMessages = 0;

  const load = async () => {
    const steps = new Map<string, Step>();
    const times = new Map<string, Map<string, number>>();
    for await (const [what, ...rest] of rows()) {
      if (what === 'message') {
        const [room, key, count] = rest;
        if (typeof room === 'string' && typeof key === 'string') addTo(times, room, key, count === -1 ? -1 : 1);
      } else if (rest[1] === 'made' || rest[1] === 'done') steps.set(`${what}|${rest[0]}`, rest[1]);
    }
    return { steps, times };
  };

  async function* rows(): AsyncGenerator<unknown[]> {
    const there = await admin.ask(command('GOTO', BROUGHT_ROOM, '', 1));
    if (there.code === STATUS.noSuchRoom) return;
    expectClass(there, REPLY.done);
    isThere = true;
    const numbers = messageNumbers(expectClass(await admin.ask(command('MSGS', 'ALL')), REPLY.listing).lines);
    for (let at = 0; at < numbers.length; at += BATCH_MESSAGES) {
      const batch = numbers.slice(at, at + BATCH_MESSAGES);
      for (const { lines } of await admin.askAll(batch.map((msgnum) => command('MSG2', msgnum, 2)))) {
        yield* lines.flatMap(parseRow);
      }
    }
  }

  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    if (!isThere) {
      const made = await admin.ask(createRoomCommand(NOTEBOOK));
      if (made.code !== STATUS.alreadyExists) expectClass(made, REPLY.done);
      isThere = true;
    }
    await enterRoom(admin, { name: BROUGHT_ROOM, password: '' }, true);
    const text = `${HEADER}${waiting.join('\n')}\n`;
    expectClass(await admin.start(command('ENT0', 1, '', '', 4, 'What was brought', '', 1)), REPLY.sendTextThenListing);
    const [number] = await admin.sendText([Buffer.from(text)]);
    if (toInt(number) < 1)
      throw new AppError('internal', `The room server refuses to store the migration state (${number}).`);
    waiting = [];
    waitingMessages = 0;
  };

  return {
    flush,
    async step(kind, name) {
      known ??= load();
      return (await known).steps.get(`${kind}|${keyOf(kind, name)}`);
    },
    async note(kind, names, step) {
      known ??= load();
      const { steps } = await known;
      for (const name of names) {
        const key = keyOf(kind, name);
        if (steps.get(`${kind}|${key}`) === step) continue;
        steps.set(`${kind}|${key}`, step);
        waiting.push(JSON.stringify([kind, key, step]));
      }
      await flush();
    },
    async messages(room) {
      known ??= load();
      return new Map((await known).times.get(nameKey(room)));
    },
    async add(room, key, times) {
      known ??= load();
      addTo((await known).times, nameKey(room), key, times);
      waiting.push(JSON.stringify(['message', nameKey(room), key, times]));
      if (++waitingMessages >= BROUGHT_BATCH_MESSAGES) await flush();
    },
  };
}

function addTo(rooms: Map<string, Map<string, number>>, room: string, key: string, count: number): void {
  const times = rooms.getOrInsertComputed(room, () => new Map<string, number>());
  times.set(key, (times.get(key) ?? 0) + count);
}

/** The form in which room servers compare names of this kind. */
function keyOf(kind: Kind, name: string): string {
  return kind === 'user' ? accountName(name) : nameKey(name);
}

/** `'a|b|c'` → `['a', 'b|c']` */
function cut(line: string): [string, string] {
  const bar = line.indexOf('|');
  return bar < 0 ? [line, ''] : [line.slice(0, bar), line.slice(bar + 1)];
}

/** Skips header lines and malformed rows. */
function parseRow(line: string): unknown[][] {
  if (!line.startsWith('[')) return [];
  try {
    const row: unknown = JSON.parse(line.trimEnd());
    return Array.isArray(row) ? [row] : [];
  } catch {
    return [];
  }
}

// Attacks on what is given out in turn.

import crypto from 'node:crypto';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { GroupCommit } from '../../src/backend/store/group-commit.ts';
import { hashPassword, verifyPassword } from '../../src/backend/store/passwords.ts';
import { VERBS } from '../../src/backend/verbs/table.ts';
import { StoreClient } from '../../src/extra/resp/store-client.ts';
import { parseStoreAddress } from '../../src/fleet/store-address.ts';
import { newLogInQueue } from '../../src/gateway/caller.ts';
import { RenderedMessages } from '../../src/gateway/message/rendered-messages.ts';
import { MAX_SESSIONS_PER_ACCOUNT } from '../../src/limits/backend.ts';
import { EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT, SLOT_POLL_MS } from '../../src/limits/protocol.ts';
import type { RenderJob } from '../../src/render/job.ts';
import { RenderThreads } from '../../src/render/threads.ts';
import type { Connection } from '../../src/room-server/connection/connection.ts';
import { IdentityConnections } from '../../src/room-server/connection/identity-connections.ts';
import { Slots } from '../../src/room-server/connection/slots.ts';
import { runningAsker, SerialQueue } from '../../src/system/fair-queue.ts';
import { inTurns, TurnQueue } from '../../src/system/turn-queue.ts';
import { serve } from '../http/serving.ts';
import { type Attack, attackQueue, gates, MANY, type Outcome, type Queue, work } from './attacks.ts';
import type { Ending } from './gateway.ts';
import { largeText, textJob } from './render-threads.ts';
import { startRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

const SLICES = 3;
const nothing = () => {};

/** A report of some objects, each a turn; or one object that takes several. */
function report(makeSteps: (begin: () => void) => Iterable<() => unknown>): (gone: AbortSignal) => Queue {
  return () => {
    const begun: string[] = [];
    return {
      begun,
      step: nothing,
      async ask(who) {
        const { gone } = runningAsker();
        const steps: (() => unknown)[] = [...makeSteps(() => void begun.push(who))];
        for await (const _ of inTurns<() => unknown, unknown>([steps], (step) => step() as undefined, {
          turnMs: 0,
          gone,
        }));
      },
    };
  };
}

function* long(begin: () => void): Generator<undefined, undefined> {
  yield; // the first step is made before it queues
  begin();
  yield;
  return undefined;
}

/** Pipelined on one connection, in front of a handler that takes some milliseconds. */
async function attackListener(t: Ending): Promise<Outcome> {
  const begun: string[] = [];
  const { port } = await serve(t as TestContext, async (exchange) => {
    work(5);
    begun.push(exchange.remoteAddress === '127.0.0.2' ? 'ann' : 'mallory');
    exchange.response.end();
  });
  const dial = (localAddress: string) =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket.resume()));
      t.after(() => void socket.destroy());
    });
  const [mallory, ann] = await Promise.all([dial('127.0.0.1'), dial('127.0.0.2')]);
  return attackQueue(() => ({
    begun,
    step: nothing,
    ask: (who) => (who === 'ann' ? ann : mallory)!.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    async leave() {
      mallory!.destroy();
      for (let round = 0; round < 3; round++) await nextRound(); // until the server has seen it
    },
  }));
}

/** Commands that take a turn each, pipelined on as many sessions as there are requests. */
async function attackRoomServer(t: Ending): Promise<Outcome> {
  const { socketPath } = await startRoomServer(t, { users: { mallory: 4, ann: 4 } });
  const begun: string[] = [];
  const verb = VERBS.get('ECHO')!;
  (t as TestContext).mock.method(verb, 'run', ({ user }: { user: { name: string } }) => {
    work(5);
    begun.push(user.name);
    return '200 ok\n';
  });
  const logIn = (who: string) => WireClient.login(socketPath, who, `${who}pw`);
  const clients = await Promise.all(Array.from({ length: MANY }, () => logIn('mallory')));
  const ann = await logIn('ann');
  return attackQueue(
    () => ({
      begun,
      step: nothing,
      ask: (who, n) => (who === 'ann' ? ann : clients[n]!).write('ECHO a\n'.repeat(SLICES)),
      // a peer that has closed its side may still read: only a reply that cannot be written tells
      last: MANY,
      leave() {
        for (const client of clients) client.close();
      },
    }),
    SLICES,
  );
}

async function attackCommits(): Promise<Outcome> {
  let waited = 0;
  const commits = new GroupCommit({
    transaction<T>(run: () => T): T {
      waited++;
      return run();
    },
  });
  const sessions = MAX_SESSIONS_PER_ACCOUNT + EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT;
  void commits.run(0, nothing);
  for (let n = 1; n <= sessions; n++) void commits.run(n, nothing);
  waited = 0;
  await commits.run(sessions + 1, nothing);
  return { waited, begunAfterGone: 0 };
}

async function attackHashes(t: Ending): Promise<Outcome> {
  const stored = await hashPassword('right', 2);
  const begun: string[] = [];
  const { wait, step } = gates();
  const hash = async (
    password: string,
    _salt: Buffer,
    length: number,
    _: unknown,
    done: (...made: unknown[]) => void,
  ) => {
    begun.push(password);
    await wait();
    done(null, Buffer.alloc(length));
  };
  const { mock } = (t as TestContext).mock.method(crypto, 'scrypt', hash as never);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  // connections with the same password share its check
  let salt = 1e6;
  const saltFor = () => stored.replace(/\$[\w-]{22}\$/, `$${String(salt++).padStart(22, 'A')}$`);
  return attackQueue(() => ({ begun, step, ask: (who) => verifyPassword(saltFor(), who, runningAsker()) }));
}

function attackThreads(): Promise<Outcome> {
  const begun: string[] = [];
  const busy: EventEmitter[] = [];
  const spawn = () => {
    const worker = Object.assign(new EventEmitter(), {
      ref: nothing,
      unref: nothing,
      terminate: nothing,
      postMessage({ source }: RenderJob) {
        begun.push(/mallory|ann/.exec(Buffer.from(source).toString())![0]);
        busy.push(worker);
      },
    });
    return worker as unknown as Worker;
  };
  const threads = new RenderThreads({ spawn, logError: nothing, count: 2 });
  return attackQueue(() => ({
    begun,
    ask(who) {
      const { turnKey, gone } = runningAsker();
      return threads.run(textJob(who), turnKey, gone);
    },
    step: () => busy.shift()?.emit('message', { json: undefined }),
  }));
}

function attackRenderings(): Promise<Outcome> {
  const begun: string[] = [];
  const { wait, step } = gates();
  const readings = new RenderedMessages({
    async run(_: RenderJob, caller: string) {
      begun.push(caller);
      await wait();
      return Buffer.from('{}');
    },
  } as unknown as RenderThreads);
  const fetch = async () => textJob(largeText('x'));
  return attackQueue(() => ({
    begun,
    step,
    ask: (who, n) => readings.get({ key: `${who} ${n}`, isSmall: false, fetch }),
  }));
}

async function attackPool(): Promise<Outcome> {
  const slots = new Slots(1);
  const begun: string[] = [];
  await slots.open(undefined, async () => {});
  return attackQueue(() => ({
    begun,
    async step() {
      if (slots.state.open > 0) slots.release();
      await sleep(SLOT_POLL_MS + 2);
    },
    ask: (who) =>
      slots.open(
        () => false,
        async () => void begun.push(who),
        runningAsker().gone,
      ),
  }));
}

/** Guests, who are one identity. */
function attackConnections(): Promise<Outcome> {
  const { wait, step } = gates();
  const connection = { isIdle: true, openedAt: Date.now() + 1000, close: nothing } as unknown as Connection;
  const connections = new IdentityConnections({ maxAgeMs: 1e9, open: async () => connection, closed: nothing }, 1);
  const begun: string[] = [];
  return attackQueue(() => ({
    begun,
    step,
    async ask(who) {
      const lent = await connections.acquire();
      begun.push(who);
      await wait();
      connections.release(lent);
    },
  }));
}

/** A store that answers one command at each step. */
async function attackStore(t: Ending): Promise<Outcome> {
  const begun: string[] = [];
  const { wait, step } = gates();
  const listener = createServer((socket) => {
    let done = Promise.resolve();
    socket.on('data', (bytes) => {
      for (const [who] of bytes.toString().matchAll(/mallory|ann/g)) {
        done = done.then(async () => {
          begun.push(who);
          await wait();
          socket.write('+OK\r\n');
        });
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const client = new StoreClient(parseStoreAddress(`redis://127.0.0.1:${port}`)!, undefined);
  t.after(() => {
    client.close();
    listener.close();
  });
  return attackQueue(() => ({
    begun,
    last: MANY,
    step: async () => {
      step();
      await sleep(1);
    },
    ask: (who) => client.ask('key', ['GET', who]),
  }));
}

export const QUEUE_ATTACKS = {
  requests: attackListener,
  turns: () =>
    attackQueue(
      report((begin) => Array.from({ length: SLICES }, () => begin)),
      SLICES,
    ),
  transfers: () =>
    attackQueue(() => {
      const turns = new TurnQueue();
      const begun: string[] = [];
      function* steps(who: string): Generator<undefined, undefined> {
        for (let n = 0; n < SLICES; n++, yield) begun.push(who);
        return undefined;
      }
      return {
        begun,
        step: nothing,
        ask(who) {
          const { gone } = runningAsker();
          return turns.run(steps(who), 0, () => gone.throwIfAborted());
        },
      };
    }, SLICES),
  largeItems: () => attackQueue(report((begin) => [() => long(begin)])),
  changes: () => {
    const changes = new SerialQueue();
    const begun: string[] = [];
    const { wait, step } = gates();
    return attackQueue(() => ({
      begun,
      step,
      ask(who) {
        const change = async () => {
          begun.push(who);
          await wait();
        };
        return changes.run('name', change, runningAsker().gone);
      },
    }));
  },
  roomServer: attackRoomServer,
  commits: attackCommits,
  logIns: () => {
    const logIns = newLogInQueue();
    const begun: string[] = [];
    const { wait, step } = gates();
    return attackQueue(() => ({
      begun,
      step,
      async ask(who) {
        const leave = await logIns.enter(who, runningAsker().gone);
        begun.push(who);
        await wait();
        leave();
      },
    }));
  },
  hashes: attackHashes,
  renderings: attackRenderings,
  renderThreads: attackThreads,
  pool: attackPool,
  waiting: attackConnections,
  store: attackStore,
} satisfies Record<string, Attack>;

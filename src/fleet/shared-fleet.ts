// Shares a LocalFleet between the processes of one server: the first process has it, the others call it. Contents of
// uploads are accessed on disk by each process. Each process has a copy of the revocations, which every request needs.

import { MAX_REVOCATIONS } from '../limits/sessions.ts';
import type { Throttle } from '../system/throttle.ts';
import type { CallHandler, Calls } from './calls.ts';
import type { Fleet, LocalFleet } from './fleet.ts';
import type { Locks } from './locks.ts';
import { type FleetNotice, localNotices } from './notices.ts';
import { goneUpload, readContent, type Uploads } from './uploads.ts';

/** A revoked session and its expiry in Unix seconds. */
type Revoked = readonly [sessionId: string, untilSeconds: number];

const THROTTLE: readonly (keyof Throttle)[] = ['check', 'failed', 'succeeded', 'withdrawn'];
const LOCKS: readonly (keyof Locks)[] = [
  'add',
  'isEmpty',
  'inCollection',
  'refresh',
  'noteMade',
  'remove',
  'removeFrom',
];

/** The side of the first process. */
export interface SharedFleet {
  /** for its own requests */
  fleet: Fleet;
  /** Adds a process; returns what it may call. */
  join(calls: () => Calls): Readonly<Record<string, CallHandler>>;
  /** The process has ended. */
  leave(calls: Calls): void;
}

export function shareFleet(local: LocalFleet): SharedFleet {
  const joined = new Set<Calls>();

  /** Resolves when every process refuses the session. */
  async function revoke(sessionId: string, untilSeconds: number): Promise<void> {
    await local.revocations.revoke(sessionId, untilSeconds);
    const revoked: Revoked[] = [[sessionId, untilSeconds]];
    // a process that has ended loads all when it restarts
    await toAll('revoked', revoked);
  }

  /** A process that has ended caches nothing. */
  async function tell(notice: FleetNotice): Promise<void> {
    await Promise.all([local.notices.tell(notice), toAll('notice', notice)]);
  }

  async function toAll(name: string, notice: unknown): Promise<void> {
    await Promise.allSettled([...joined].map((calls) => calls.call(name, notice)));
  }

  return {
    fleet: { ...local, revocations: { ...local.revocations, revoke }, notices: { ...local.notices, tell } },
    join(callsOf) {
      return {
        ...handlersOf('throttle', local.throttle, THROTTLE),
        ...handlersOf('locks', local.locks, LOCKS),
        ...handlersOf('uploads', local.uploads, ['get', 'remove', 'list']),
        'revocations.revoke': revoke,
        'notices.tell': tell,
        'revocations.begin': async () => {
          joined.add(callsOf());
          return [...local.revocations.entries()] satisfies Revoked[];
        },
        'uploads.pathOf': (ref: string) => local.uploads.pathOf(ref),
        'uploads.add': (owner: string, record: { uploadfilename: string; contenttype: string }, save: number) =>
          local.uploads.add(owner, record, (path, maxBytes) => callsOf().call<number>('save', save, path, maxBytes)),
      };
    },
    leave: (calls) => void joined.delete(calls),
  };
}

/** Handlers for methods of a part, named `part.method`. */
function handlersOf<T extends object>(part: string, it: T, methods: readonly (keyof T & string)[]) {
  return Object.fromEntries(
    methods.map((method): [string, CallHandler] => [
      `${part}.${method}`,
      (...args) => (it[method] as (...args: unknown[]) => unknown)(...args),
    ]),
  );
}

type Save = (path: string, maxBytes: number) => Promise<number>;

/** The side of another process: its Fleet, and what the first process may call. */
export interface RemoteFleet {
  fleet: Fleet;
  handlers: Readonly<Record<string, CallHandler>>;
  /** Call before the first request. */
  begin(): Promise<void>;
}

/** Uses the fleet of the first process. */
export function remoteFleet(callsOf: () => Calls): RemoteFleet {
  const revocations = new RevokedSessions();
  const heard = localNotices();
  /** uploads being written, by the announced number */
  const saves = new Map<number, Save>();
  let lastSave = 0;
  const call = <T>(name: string, ...args: unknown[]) => callsOf().call<T>(name, ...args);

  const uploads: Uploads = {
    async add(owner, record, save) {
      const number = ++lastSave;
      saves.set(number, save);
      try {
        return await call('uploads.add', owner, record, number);
      } finally {
        saves.delete(number);
      }
    },
    get: (owner, ref) => call('uploads.get', owner, ref),
    async *open(record, start = 0, end = record.contentlength - 1) {
      const path = await call<string | undefined>('uploads.pathOf', record.ref);
      if (path === undefined) throw goneUpload();
      yield* readContent(path, start, end);
    },
    remove: (owner, ref) => call('uploads.remove', owner, ref),
    list: (owner) => call('uploads.list', owner),
    // the first process reports them and removes expired ones
    totals: () => undefined,
    sweep: async () => {},
  };
  return {
    fleet: {
      throttle: proxyOf<Throttle>('throttle', THROTTLE, call),
      revocations: {
        revoke: (sessionId, untilSeconds) => call('revocations.revoke', sessionId, untilSeconds),
        isRevoked: (sessionId) => revocations.has(sessionId),
      },
      uploads,
      locks: proxyOf<Locks>('locks', LOCKS, call),
      notices: { tell: (notice) => call('notices.tell', notice), listen: heard.listen },
      close: async () => {},
    },
    handlers: {
      notice: heard.tell,
      revoked: (list: readonly Revoked[]) => revocations.add(list),
      save: (number: number, path: string, maxBytes: number) => {
        const save = saves.get(number);
        if (!save) throw goneUpload();
        return save(path, maxBytes);
      },
    },
    async begin() {
      revocations.add(await call<Revoked[]>('revocations.begin'));
    },
  };
}

/** An object whose methods call the other process. */
function proxyOf<T extends object>(
  part: string,
  methods: readonly (keyof T & string)[],
  call: (name: string, ...args: unknown[]) => Promise<unknown>,
): T {
  return Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => call(`${part}.${method}`, ...args)]),
  ) as T;
}

/** A copy of the first process's revocations. Drops expired ones when full. */
class RevokedSessions {
  readonly #untilOf = new Map<string, number>();

  add(list: readonly Revoked[]): void {
    for (const [sessionId, until] of list) this.#untilOf.set(sessionId, until);
    if (this.#untilOf.size <= MAX_REVOCATIONS) return;
    const now = Date.now() / 1000;
    for (const [sessionId, until] of this.#untilOf) if (until <= now) this.#untilOf.delete(sessionId);
  }

  has(sessionId: string): boolean {
    return this.#untilOf.has(sessionId);
  }
}

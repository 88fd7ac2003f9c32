// One Fleet for several processes of one server: the first one has it, in memory and on disk (LocalFleet), and answers
// the calls of the others, which have a Fleet each that asks it. Bytes of uploads cross no channel: all processes see
// the same disk. Which sessions are revoked is known in each process: it is asked with every request.

import { MAX_REVOCATIONS } from '../limits/sessions.ts';
import type { Throttle } from '../system/throttle.ts';
import type { CallHandler, Calls } from './calls.ts';
import type { Fleet, LocalFleet } from './fleet.ts';
import type { Locks } from './locks.ts';
import { type FleetNotice, localNotices } from './notices.ts';
import { goneUpload, readContent } from './upload-files.ts';
import type { Uploads } from './uploads.ts';

/** A session that is logged out, and the Unix second until which that is to be known. */
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

/** What the first process has of it. */
export interface SharedFleet {
  /** for its own requests */
  fleet: Fleet;
  /** Begins to share with a process that calls by `calls`; answers what it may call. */
  join(calls: () => Calls): Readonly<Record<string, CallHandler>>;
  /** That process is gone. */
  leave(calls: Calls): void;
}

export function shareFleet(local: LocalFleet): SharedFleet {
  const joined = new Set<Calls>();

  /** Answers when every process knows: from then on the session is refused by all. */
  async function revoke(sessionId: string, untilSeconds: number): Promise<void> {
    await local.revocations.revoke(sessionId, untilSeconds);
    const revoked: Revoked[] = [[sessionId, untilSeconds]];
    // one that has ended meanwhile is given all when it starts again
    await toAll('revoked', revoked);
  }

  /** One that has ended meanwhile remembers nothing. */
  async function tell(notice: FleetNotice): Promise<void> {
    await Promise.all([local.notices.tell(notice), toAll('notice', notice)]);
  }

  async function toAll(name: string, told: unknown): Promise<void> {
    await Promise.allSettled([...joined].map((calls) => calls.call(name, told)));
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

/** Of the methods of a part: `part.method`. */
function handlersOf<T extends object>(part: string, it: T, methods: readonly (keyof T & string)[]) {
  return Object.fromEntries(
    methods.map((method): [string, CallHandler] => [
      `${part}.${method}`,
      (...args) => (it[method] as (...args: unknown[]) => unknown)(...args),
    ]),
  );
}

type Save = (path: string, maxBytes: number) => Promise<number>;

/** What another process has: the Fleet for its requests, and what the first process may call. */
export interface RemoteFleet {
  fleet: Fleet;
  handlers: Readonly<Record<string, CallHandler>>;
  /** Before the first request. */
  begin(): Promise<void>;
}

/** Asks the process that shares its own by `calls`. */
export function remoteFleet(callsOf: () => Calls): RemoteFleet {
  const revocations = new RevokedSessions();
  const heard = localNotices();
  /** of uploads that are being written, by the number they were announced with */
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
    // the first process tells of them, and removes what has expired
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

/** An object whose methods all ask the other process. */
function proxyOf<T extends object>(
  part: string,
  methods: readonly (keyof T & string)[],
  call: (name: string, ...args: unknown[]) => Promise<unknown>,
): T {
  return Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => call(`${part}.${method}`, ...args)]),
  ) as T;
}

/** As many as the first process keeps; what has expired goes when it is full. */
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

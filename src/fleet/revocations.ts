// Sessions that were logged out before their cookie expires. A log-out revokes, every request with a cookie asks. On
// disk: a file of lines `<until> <session id>`, appended to, and rewritten at every start and when most of it has
// expired.

import { open } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { MAX_REVOCATIONS } from '../limits/sessions.ts';
import { readIfThere, writeAtomically } from '../system/atomic-file.ts';
import { SerialQueue } from '../system/serial-queue.ts';
import { storageFault } from '../system/storage-fault.ts';

export interface Revocations {
  /**
   * `untilSeconds`: the last moment at which a cookie of this session, renewed ones included, could be valid.
   * When it returns, the revocation survives a crash. Throws insufficient_storage.
   */
  revoke(sessionId: string, untilSeconds: number): Promise<void>;
  isRevoked(sessionId: string): boolean | Promise<boolean>;
}

export interface LocalRevocations extends Revocations {
  isRevoked(sessionId: string): boolean;
  /** All, each with the Unix second until which it is remembered. */
  entries(): Iterable<[sessionId: string, untilSeconds: number]>;
  /** Forgets the sessions whose cookies have expired. */
  sweep(): Promise<void>;
}

const LINE = /^(\d{1,12}) ([\w-]{1,64})$/;

/** smaller files are not worth rewriting while running */
const MIN_STALE_LINES = 1000;

/** Reads what of `path` still counts; the file is created when missing. At most `limit` sessions are remembered. */
export async function openLocalRevocations(path: string, limit = MAX_REVOCATIONS): Promise<LocalRevocations> {
  const untilOf = await load(path);
  let lines = 0;
  /** one write at a time: nothing is appended to a file that is being replaced */
  const writes = new SerialQueue();

  function forgetExpired(): void {
    const now = nowSeconds();
    for (const [id, until] of untilOf) if (until <= now) untilOf.delete(id);
  }

  /** Leaves out what is expired, and the torn last line of a process that died while writing it. */
  async function rewrite(): Promise<void> {
    await writeAtomically(path, [...untilOf].map(([id, until]) => `${until} ${id}\n`).join(''));
    lines = untilOf.size;
  }

  async function append(line: string): Promise<void> {
    const file = await open(path, 'a', 0o600);
    try {
      // The leading line break parts this line from one that a full disk has cut.
      await file.appendFile(`\n${line}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    lines++;
  }

  await rewrite();
  return {
    async revoke(sessionId, untilSeconds) {
      const until = Math.max(Math.ceil(untilSeconds), untilOf.get(sessionId) ?? 0);
      const line = revocationLine(sessionId, until);
      if (until <= nowSeconds()) return;
      if (untilOf.size >= limit) forgetExpired();
      if (untilOf.size >= limit && !untilOf.has(sessionId)) {
        throw tooManyRevocations();
      }
      untilOf.set(sessionId, until);
      await writes.run(path, () => append(line)).catch((error: unknown) => Promise.reject(storageFault(error)));
    },

    isRevoked: (sessionId) => untilOf.has(sessionId),

    entries: () => untilOf.entries(),

    async sweep() {
      forgetExpired();
      if (lines > 2 * untilOf.size + MIN_STALE_LINES) await writes.run(path, rewrite);
    },
  };
}

/** As it is kept. Throws bad_request for what is no session id. */
export function revocationLine(sessionId: string, untilSeconds: number): string {
  const line = `${untilSeconds} ${sessionId}`;
  if (!LINE.test(line)) throw new AppError('bad_request', 'Not a session id.');
  return line;
}

export function tooManyRevocations(): AppError {
  return new AppError('insufficient_storage', 'Too many sessions have been logged out. Try again later.');
}

async function load(path: string): Promise<Map<string, number>> {
  const untilOf = new Map<string, number>();
  const now = nowSeconds();
  for (const line of (await readIfThere(path)).split('\n')) {
    const [, until, id] = LINE.exec(line) ?? [];
    if (until && id && Number(until) > now) untilOf.set(id, Math.max(untilOf.get(id) ?? 0, Number(until)));
  }
  return untilOf;
}

function nowSeconds(): number {
  return Date.now() / 1000;
}

// Sessions that were logged out before their cookie expires; checked for every request with a cookie. Stored in a file
// of lines `<until> <session id>`, which is appended to, and rewritten at start and when most lines have expired.

import { open } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { MAX_REVOCATIONS } from '../limits/sessions.ts';
import { SerialQueue } from '../system/fair-queue.ts';
import { readIfThere, writeAtomically } from '../system/file-pieces.ts';
import { storageFault } from '../system/operator-errors.ts';

export interface Revocations {
  /**
   * `untilSeconds`: when the last cookie of this session expires. Once it resolves, the revocation survives a crash.
   * Throws insufficient_storage.
   */
  revoke(sessionId: string, untilSeconds: number): Promise<void>;
  isRevoked(sessionId: string): boolean | Promise<boolean>;
}

export interface LocalRevocations extends Revocations {
  isRevoked(sessionId: string): boolean;
  /** All revocations with their expiry. */
  entries(): Iterable<[sessionId: string, untilSeconds: number]>;
  /** Removes expired revocations. */
  sweep(): Promise<void>;
}

const LINE = /^(\d{1,12}) ([\w-]{1,64})$/;

/** smaller files are not worth rewriting while running */
const MIN_STALE_LINES = 1000;

/** Loads the file, or creates it. `limit`: maximum number of sessions. */
export async function openLocalRevocations(path: string, limit = MAX_REVOCATIONS): Promise<LocalRevocations> {
  const untilOf = await load(path);
  let lines = 0;
  /** serializes appending and replacing */
  const writes = new SerialQueue();

  function forgetExpired(): void {
    const now = nowSeconds();
    for (const [id, until] of untilOf) if (until <= now) untilOf.delete(id);
  }

  /** Drops expired lines, and a torn line after a crash. */
  async function rewrite(): Promise<void> {
    await writeAtomically(path, [...untilOf].map(([id, until]) => `${until} ${id}\n`).join(''));
    lines = untilOf.size;
  }

  async function append(line: string): Promise<void> {
    const file = await open(path, 'a', 0o600);
    try {
      // the leading line break separates this line from one truncated by a full disk
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

/** Throws bad_request for an invalid session id. */
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

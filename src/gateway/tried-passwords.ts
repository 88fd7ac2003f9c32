// The latest room passwords of callers. A password is tried once, however many requests bring it: a page sends several
// at a time, and a typing error must not count for each.

import { MAX_CACHE_ENTRIES, RIGHT_PASSWORD_SECONDS, WRONG_PASSWORD_SECONDS } from '../limits/sessions.ts';
import { BoundedMap } from '../system/bounded-map.ts';

/** Undefined: it was no guess, or the room server was not asked. */
export type PasswordOutcome = 'right' | 'wrong' | undefined;

export class TriedPasswords {
  readonly #latest = new BoundedMap<string, { password: string; outcome: 'right' | 'wrong'; until: number }>(
    MAX_CACHE_ENTRIES,
  );
  readonly #underWay = new Map<string, Promise<PasswordOutcome>>();

  /** `key`: of room and identity. Concurrent attempts at the same password are one. */
  async outcomeOf(key: string, password: string, attempt: () => Promise<PasswordOutcome>): Promise<PasswordOutcome> {
    const latest = this.#latest.get(key);
    if (latest?.password === password && performance.now() < latest.until) return latest.outcome;
    const same = `${key}\0${password}`;
    const outcome = await this.#underWay.getOrInsertComputed(same, () =>
      attempt().finally(() => this.#underWay.delete(same)),
    );
    const seconds = outcome === 'right' ? RIGHT_PASSWORD_SECONDS : WRONG_PASSWORD_SECONDS;
    if (outcome) this.#latest.set(key, { password, outcome, until: performance.now() + seconds * 1000 });
    return outcome;
  }
}

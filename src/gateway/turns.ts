// Changes of one thing, one after the other: whether a name is free is asked before it is taken. Holds within this gateway;
// between two gateways the room server's order decides (settleName of post-body.ts).

import { nameKey } from '../protocol/names.ts';

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `change` when all earlier ones with this key have ended, however they ended. */
  async take<T>(key: string, change: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(change, change);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}

/** The key of a name in a room. */
export function turnOf(room: string, name: string): string {
  return `${nameKey(room)}/${name}`;
}

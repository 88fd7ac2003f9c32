// Who waits for a rendering.

import type { RoomContext } from '../room-context.ts';
import type { ReadingTurn } from './readings.ts';

/** Callers are served in turn: accounts, and of guests their networks. */
export async function readingTurn({ exchange, app, caller }: RoomContext): Promise<ReadingTurn> {
  const account = () => app.pool.accountOf(caller.identity);
  return {
    caller: caller.isGuest ? `network ${exchange.remoteNetwork}` : `user ${await account()}`,
    signal: exchange.gone,
  };
}

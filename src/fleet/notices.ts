// What one gateway of a fleet tells the others: something that they remember is no longer so, or instant messages came
// or were fetched, which each of them keeps for the page that asks it.

/** An instant message, with its id. */
interface ComeInstant {
  id: string;
  time: number;
  sender: string;
  address: string;
  isBroadcast: boolean;
  text: string;
}

export type FleetNotice =
  /** password, level or the account itself has changed, by the room server's number */
  (
    | { about: 'account'; usernum: number }
    /** this session has got another cookie */
    | { about: 'replaced session'; sessionId: string }
    /** somebody without a session was told of the messages of an inbox up to this one */
    | { about: 'inbox'; account: string; seen: number }
    /** instant messages came by one gateway (`come`), or were fetched at it (`taken`); room-server/instant-mailbox.ts
     */
    | { about: 'instant'; from: string; owner: string; come: readonly ComeInstant[]; taken: readonly string[] }
    /** this gateway was away, and may have missed any of the others, of all room servers */
    | { about: 'gap' }
  ) & {
    /** the room server that it is about (server-fleet.ts); absent: the one that has no name */
    server?: string;
  };

export interface FleetNotices {
  /** Answers when every gateway has taken it, this one included. */
  tell(notice: FleetNotice): Promise<void>;
  /** From now on `take` is called with each notice. */
  listen(take: (notice: FleetNotice) => void): void;
}

/** Of a single gateway: it tells itself. */
export function localNotices(): FleetNotices {
  const listeners: ((notice: FleetNotice) => void)[] = [];
  return {
    async tell(notice) {
      for (const take of listeners) take(notice);
    },
    listen: (take) => void listeners.push(take),
  };
}

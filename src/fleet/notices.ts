// What one gateway of a fleet tells the others because they remember something that is no longer so.

export type FleetNotice =
  /** password, level or the account itself has changed, by the room server's number */
  (
    | { about: 'account'; usernum: number }
    /** this session has got another cookie */
    | { about: 'replaced session'; sessionId: string }
    /** somebody without a session was told of the messages of an inbox up to this one */
    | { about: 'inbox'; account: string; seen: number }
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

// Notices between the gateways of a fleet: to invalidate caches, and to pass on instant messages that each gateway
// keeps for its pages.

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
  /** an account's password, level or existence has changed */
  (
    | { about: 'account'; usernum: number }
    /** the session has a new cookie */
    | { about: 'replaced session'; sessionId: string }
    /** a client without session was notified of inbox messages up to this one */
    | { about: 'inbox'; account: string; seen: number }
    /**
     * instant messages arrived at a gateway (`come`), or were fetched there (`taken`); room-server/instant-mailbox.ts
     */
    | { about: 'instant'; from: string; owner: string; come: readonly ComeInstant[]; taken: readonly string[] }
    /** this gateway may have missed notices, of any room server */
    | { about: 'gap' }
  ) & {
    /** the room server concerned (fleet.ts); undefined: the default one */
    server?: string;
  };

export interface FleetNotices {
  /** Resolves when every gateway has received it, including this one. */
  tell(notice: FleetNotice): Promise<void>;
  /** Registers a callback for all further notices. */
  listen(take: (notice: FleetNotice) => void): void;
}

/** For a single gateway. */
export function localNotices(): FleetNotices {
  const listeners: ((notice: FleetNotice) => void)[] = [];
  return {
    async tell(notice) {
      for (const take of listeners) take(notice);
    },
    listen: (take) => void listeners.push(take),
  };
}

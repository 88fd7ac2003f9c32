// A follower of a Watch: the changes since its position. Nothing is buffered for a slow follower; it gets everything
// since its position when it asks again.

import { MAX_EVENT_NUMBERS } from '../../limits/http.ts';
import { nameKey } from '../../protocol/names.ts';
import type { Watch, WatchListener } from './watch.ts';
import type { WatchedRoom } from './watched-rooms.ts';

/** Everything up to here has been delivered; enough to resume on another gateway. */
export interface Position {
  /** highest message number in the inbox */
  inbox: number;
  /** Unix seconds of the latest change of a room */
  mtime: number;
  /** the watched room and its highest message number; '' for none */
  room: string;
  highest: number;
}

/** With the position after it. */
export type Change = { position: Position } & (
  | { kind: 'mail'; count: number }
  | { kind: 'messages'; room: string; numbers: number[] }
  | { kind: 'room'; name: string; mtime: number; isGone: boolean }
  | { kind: 'instant' }
);

export class Follower implements WatchListener {
  readonly #watch: Watch;
  readonly #onClose: () => void;
  readonly room: WatchedRoom | undefined;
  #position: Position;
  #change: number;
  /** rooms changed at this time or later have not been delivered */
  #roomsSince: number | undefined;
  /** delivered counter of instant messages */
  #arrivals = 0;
  #isFresh = true;
  #isClosed = false;
  #wake: (() => void) | undefined;

  /** `from`: the position to resume from; `after`: a message number of the room, everything above is new. */
  constructor(
    watch: Watch,
    room: WatchedRoom | undefined,
    { from, after }: { from?: Position | undefined; after?: number | undefined },
    onClose: () => void,
  ) {
    this.#watch = watch;
    this.#onClose = onClose;
    this.room = room;
    this.#change = watch.rooms.change;
    this.#roomsSince = from?.mtime;
    const isSameRoom = from !== undefined && room !== undefined && nameKey(from.room) === nameKey(room.name);
    this.#position = {
      inbox: from?.inbox ?? watch.inbox.highest,
      mtime: from?.mtime ?? watch.rooms.latest,
      room: room?.name ?? '',
      highest: (isSameRoom ? from.highest : after) ?? room?.highest ?? 0,
    };
  }

  get position(): Position {
    return this.#position;
  }

  get change(): number {
    return this.#change;
  }

  get isEnded(): boolean {
    return this.#isClosed || this.#watch.isEnded;
  }

  /** The changes since the last call; moves the position. */
  async changes(): Promise<Change[]> {
    this.#isFresh = false;
    const changes: Change[] = [];
    const mail = await this.#watch.newIn(this.#watch.inbox, this.#position.inbox);
    const afterMail = this.#moveTo({ inbox: mail.upTo });
    if (mail.numbers.length > 0) changes.push({ kind: 'mail', count: mail.numbers.length, position: afterMail });
    const arrivals = this.#watch.instantArrivals;
    if (arrivals > this.#arrivals) changes.push({ kind: 'instant', position: this.#position });
    this.#arrivals = Math.max(this.#arrivals, arrivals);
    if (this.room) changes.push(...(await this.#newMessages(this.room)));
    const rooms =
      this.#roomsSince === undefined
        ? this.#watch.rooms.since(this.#change)
        : this.#watch.rooms.changedAt(this.#roomsSince);
    this.#roomsSince = undefined;
    this.#change = this.#watch.rooms.change;
    for (const each of rooms) {
      const position = this.#moveTo({ mtime: Math.max(this.#position.mtime, each.mtime) });
      changes.push({ kind: 'room', ...each, position });
    }
    return changes;
  }

  /** Resolves with true when there may be changes or the watch has ended, with false after `ms`. */
  async wait(ms: number): Promise<boolean> {
    if (this.#isFresh || this.isEnded) return true;
    return new Promise((resolve) => {
      const settle = (isWoken: boolean) => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(isWoken);
      };
      const timer = setTimeout(settle, ms, false);
      this.#wake = () => settle(true);
    });
  }

  wake(): void {
    this.#isFresh = true;
    this.#wake?.();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#wake?.();
  }

  async #newMessages(room: WatchedRoom): Promise<Change[]> {
    const { numbers, upTo } = await this.#watch.newIn(room, this.#position.highest);
    const changes: Change[] = [];
    for (let i = 0; i < numbers.length; i += MAX_EVENT_NUMBERS) {
      const some = numbers.slice(i, i + MAX_EVENT_NUMBERS);
      const position = this.#moveTo({ highest: some.at(-1)! });
      changes.push({ kind: 'messages', room: room.name, numbers: some, position });
    }
    this.#moveTo({ highest: upTo });
    return changes;
  }

  #moveTo(step: Partial<Position>): Position {
    this.#position = { ...this.#position, ...step };
    return this.#position;
  }
}

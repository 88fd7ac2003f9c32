// What a kind of room is to the shell. A kind touches no element but those inside its host.

import type { Command } from '../core/commands.js';
import type { Delta, RoomStore } from '../model/room-store.js';
import type { PaneAction } from '../ui/pane.js';

/** the top bar of a phone: a way back, a title, at most three actions */
export interface Bar {
  title: string;
  /** undefined leads to the list of rooms */
  back?: { href: string; label: string };
  actions: PaneAction[];
}

export interface Context {
  store: RoomStore;
  /** the user's own name, '' for a guest */
  username: string;
  /** for the phone; the head of a pane says the same on a desk */
  setBar(bar: Bar): void;
  /** other ways to show the room, for its head */
  looks?: PaneAction[];
  /** from the list of the room back to the list of rooms */
  leaveRoom(): void;
}

export interface View<R = unknown> {
  /** What the address says behind the room; undefined for what the kind does not know. */
  parseRoute(rest: string[]): R | undefined;
  /** Shows it and moves the focus there. Answers what the title of the window begins with. Throws Problem. */
  show(route: R, signal: AbortSignal): Promise<string | undefined>;
  /** The store has changed already. */
  update(delta: Delta): void;
  unmount(): void;
  commands: Command[];
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has addresses of its own
export type Mount = (host: HTMLElement, context: Context) => View<any>;

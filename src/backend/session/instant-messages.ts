// Instant messages between sessions, and who is in chat mode (protocol section 18.10). Both are in memory only.

import { MAX_INSTANT_MESSAGES } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import { mainAddressOf } from '../store/addresses.ts';
import type { InstantMessage } from '../store/records.ts';
import type { Session } from './session.ts';

export const INSTANT_FLAG = { broadcast: 1, logOff: 2 } as const;

/** In chat mode, and still in the room of that chat. */
export function isChatting({ room, chatRoom }: Session): boolean {
  return chatRoom !== undefined && chatRoom === room;
}

/** Sessions with a user. */
export function loggedInSessions({ server }: Session): Session[] {
  return [...server.sessions].filter((other) => other.user);
}

/** Adds the message to each receiver's queue and notifies it; a full queue drops it. */
export function deliverInstant(session: Session, receivers: Session[], text: string, flags: number): void {
  const { user, store } = session;
  const message: InstantMessage = {
    time: now(),
    flags,
    sender: user?.name ?? '',
    address: user ? mainAddressOf(store, user) : '',
    text,
  };
  for (const receiver of receivers) {
    if (receiver.instantMessages.length >= MAX_INSTANT_MESSAGES) continue;
    receiver.instantMessages.push(message);
    receiver.noticeInstantMessage();
  }
}

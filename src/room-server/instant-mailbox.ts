// Instant messages (verbs SEXP and GEXP, protocol section 18.10): sending, and a mailbox for the received ones. Each
// gateway of a fleet, and each of its processes, has its own session with the room server, which may get a copy of a
// message or be the only one that gets it; a waiting page asks any of them. So mailboxes notify each other of messages
// that came and that were fetched. A message is identified by its time, sender, text, and how many such a session has
// had.

import { hash, randomUUID } from 'node:crypto';
import { MAX_INSTANT_MESSAGES } from '../limits/backend.ts';
import { INSTANT_KEPT_MS, MAX_INSTANT_BOXES, MAX_TAKEN_INSTANTS, MAX_WAITING_INSTANT_CHARS } from '../limits/http.ts';
import { command, splitFields, toInt } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import { writeText } from './connection/connection.ts';
import { type Identity, identityKey } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import type { InstantListener } from './connection/receiver.ts';
import type { KnownRefusals } from './connection/server-errors.ts';

type KeptMessage = InstantMessage & { id: string };

/** Notification between mailboxes. */
export interface InstantChange {
  /** id of the sending mailbox */
  from: string;
  /** hash of the identity */
  owner: string;
  come: readonly KeptMessage[];
  /** ids */
  taken: readonly string[];
}

interface Box {
  /** by id, oldest first */
  waiting: Map<string, InstantMessage>;
  /** total of the waiting texts */
  chars: number;
  /** ids, oldest first */
  taken: Set<string>;
  /** number of messages with the same time, sender and text */
  counts: Map<string, number>;
  arrivals: number;
  /** performance.now() */
  touched: number;
}

export class InstantMailbox {
  readonly #pool: Pool;
  readonly #tell: (change: InstantChange) => Promise<void>;
  readonly #id = randomUUID();
  /** by owner; least recently used first */
  readonly #boxes = new Map<string, Box>();
  #chars = 0;
  /** by owner */
  readonly #listeners = new Map<string, Set<InstantListener>>();
  /** by identity */
  readonly #followed = new Map<string, InstantListener>();
  /** by identity; shared by concurrent callers */
  readonly #taking = new Map<string, Promise<InstantMessage[]>>();
  /** by identity; shared by concurrent callers */
  readonly #collecting = new Map<string, Promise<KeptMessage[]>>();
  #arrivals = 0;

  /** `tell` notifies the other mailboxes and resolves when they have received it. */
  constructor(pool: Pool, tell: (change: InstantChange) => Promise<void> = async () => {}) {
    this.#pool = pool;
    this.#tell = tell;
  }

  /** Notifies `listener` until the returned function is called; one per identity. */
  listen(identity: Identity, listener: InstantListener): () => void {
    const [owner, key] = [ownerOf(identity), identityKey(identity)];
    const stop = this.#attend(identity, listener);
    this.#followed.set(key, listener);
    this.#listeners.getOrInsertComputed(owner, () => new Set()).add(listener);
    return () => {
      const others = this.#listeners.get(owner);
      others?.delete(listener);
      if (others?.size === 0) this.#listeners.delete(owner);
      if (this.#followed.get(key) !== listener) return;
      this.#followed.delete(key);
      stop();
    };
  }

  /** Increases when messages arrive; 0 while none waits. */
  arrivals(identity: Identity): number {
    const box = this.#boxes.get(ownerOf(identity));
    return box && box.waiting.size > 0 ? box.arrivals : 0;
  }

  /** All messages since the last call, at any mailbox, oldest first. Throws the errors of the room server. */
  take(identity: Identity): Promise<InstantMessage[]> {
    const key = identityKey(identity);
    return this.#taking.getOrInsertComputed(key, () => {
      // messages between two calls may also be asked for at another gateway
      if (!this.#followed.has(key)) this.#attend(identity, { arrived() {}, lost() {}, isFollowed: () => false });
      return this.#take(identity).finally(() => this.#taking.delete(key));
    });
  }

  /** Receives a notification of any mailbox. */
  hear({ from, owner, come, taken }: InstantChange): void {
    if (from === this.#id) return;
    const box = this.#boxOf(owner);
    const fresh = come.filter(({ id, ...message }) => this.#put(box, id, message));
    for (const id of taken) this.#remove(box, id);
    if (fresh.some(({ id }) => box.waiting.has(id))) this.#wake(owner, box);
  }

  /** Collects messages as they arrive for this identity, and notifies all. */
  #attend(identity: Identity, { lost, isFollowed }: InstantListener): () => void {
    const arrived = () => {
      // full: the room server will refuse further ones to their senders
      const waiting = this.#boxes.get(ownerOf(identity))?.waiting.size ?? 0;
      if (waiting < MAX_INSTANT_MESSAGES) void this.#fetch(identity).catch(() => {}); // the connection is lost
    };
    return this.#pool.listenForInstantMessages(identity, { arrived, lost, isFollowed });
  }

  async #take(identity: Identity): Promise<InstantMessage[]> {
    await this.#collect(identity);
    const owner = ownerOf(identity);
    const box = this.#boxOf(owner);
    const messages = [...box.waiting.values()];
    const taken = [...box.waiting.keys()];
    for (const id of taken) this.#remove(box, id);
    if (taken.length > 0) await this.#tellAll({ from: this.#id, owner, come: [], taken });
    return messages;
  }

  async #fetch(identity: Identity): Promise<void> {
    const come = await this.#collect(identity);
    if (come.length === 0) return;
    const owner = ownerOf(identity);
    // a notified page may ask at any gateway, so all get it first
    await this.#tellAll({ from: this.#id, owner, come, taken: [] });
    this.#wake(owner, this.#boxOf(owner));
  }

  /** Moves the room server's messages into the box; returns the new ones. */
  #collect(identity: Identity): Promise<KeptMessage[]> {
    const key = identityKey(identity);
    return this.#collecting.getOrInsertComputed(key, async () => {
      try {
        const messages = await takeInstantMessages(this.#pool, identity);
        if (messages.length === 0) return [];
        const box = this.#boxOf(ownerOf(identity));
        const kept = messages.map((message) => ({ ...message, id: idOf(message, box) }));
        return kept.filter(({ id, ...message }) => this.#put(box, id, message));
      } finally {
        this.#collecting.delete(key);
      }
    });
  }

  /** Ignores failures: the change has happened in any case. */
  async #tellAll(change: InstantChange): Promise<void> {
    await this.#tell(change).catch(() => {});
  }

  #wake(owner: string, box: Box): void {
    box.arrivals = ++this.#arrivals;
    for (const listener of this.#listeners.get(owner) ?? []) listener.arrived();
  }

  #boxOf(owner: string): Box {
    this.#keepBounds();
    const fresh = {
      waiting: new Map(),
      chars: 0,
      taken: new Set<string>(),
      counts: new Map(),
      arrivals: 0,
      touched: 0,
    };
    const box = this.#boxes.get(owner) ?? fresh;
    box.touched = performance.now();
    this.#boxes.delete(owner);
    this.#boxes.set(owner, box);
    return box;
  }

  /** False: it is known already. */
  #put(box: Box, id: string, message: InstantMessage): boolean {
    if (box.waiting.has(id) || box.taken.has(id)) return false;
    box.waiting.set(id, message);
    this.#grow(box, message.text.length);
    return true;
  }

  #remove(box: Box, id: string): void {
    const message = box.waiting.get(id);
    if (message) this.#grow(box, -message.text.length);
    box.waiting.delete(id);
    box.taken.add(id);
    if (box.taken.size > MAX_TAKEN_INSTANTS) box.taken.delete(box.taken.values().next().value!);
  }

  #grow(box: Box, chars: number): void {
    box.chars += chars;
    this.#chars += chars;
  }

  /**
   * Drops the least recently used boxes that have expired or are too many; above the bound of all texts, the oldest
   * messages of the user who sent the most.
   */
  #keepBounds(): void {
    const expired = performance.now() - INSTANT_KEPT_MS;
    for (const [owner, { chars, touched }] of this.#boxes) {
      if (this.#boxes.size <= MAX_INSTANT_BOXES && touched > expired) break;
      this.#boxes.delete(owner);
      this.#chars -= chars;
    }
    if (this.#chars <= MAX_WAITING_INSTANT_CHARS) return;
    const sent = new Map<string, number>();
    for (const { waiting } of this.#boxes.values()) {
      for (const { sender, text } of waiting.values()) sent.set(sender, (sent.get(sender) ?? 0) + text.length);
    }
    const [most] = [...sent].reduce((a, b) => (b[1] > a[1] ? b : a));
    for (const box of this.#boxes.values()) {
      for (const [id, { sender }] of box.waiting) {
        if (sender === most && this.#chars > MAX_WAITING_INSTANT_CHARS / 2) this.#remove(box, id);
      }
    }
  }
}

/** By session key, else by user name as spelled; never by password. */
function ownerOf({ user, key }: Identity): string {
  return hash('sha256', key === undefined ? `user\0${user}` : `key\0${key}`, 'base64url');
}

/** The same for all copies of a message. */
function idOf({ time, sender, text }: InstantMessage, { counts }: Box): string {
  const same = hash('sha256', `${time}\0${sender}\0${text}`, 'base64url');
  const count = (counts.get(same) ?? 0) + 1;
  counts.delete(same);
  counts.set(same, count);
  if (counts.size > MAX_TAKEN_INSTANTS) counts.delete(counts.keys().next().value!);
  return `${same}.${count}`;
}

/** bit in the flags of GEXP */
const BROADCAST = 1;
const SENDING: KnownRefusals = {
  [STATUS.notOpen]: ['conflict', 'This user is offline or accepts no instant messages.'],
};

interface InstantMessage {
  /** Unix seconds */
  time: number;
  sender: string;
  address: string;
  isBroadcast: boolean;
  text: string;
}

/**
 * Sends to all sessions of `to`; `broadcast` means all users. Throws not_found (570), conflict if nobody would receive
 * it (553), forbidden for a broadcast by a non-administrator (550).
 */
export function sendInstantMessage(pool: Pool, identity: Identity, to: string, text: string): Promise<void> {
  return pool.withConnection(identity, (connection) => writeText(connection, command('SEXP', to, '-'), text, SENDING));
}

/** Those since the last call, oldest first; see Pool.takeInstantMessages. */
export async function takeInstantMessages(pool: Pool, identity: Identity): Promise<InstantMessage[]> {
  const answers = await pool.takeInstantMessages(identity);
  return answers.map(({ text, lines }) => {
    // `more|time|flags|sender|node|address`
    const fields = splitFields(text);
    return {
      time: toInt(fields[1]),
      sender: fields[3] ?? '',
      address: fields[5] ?? '',
      isBroadcast: (toInt(fields[2]) & BROADCAST) !== 0,
      text: lines.join('\n'),
    };
  });
}

// Instant messages (verbs SEXP and GEXP, protocol section 18.10): sending, and a mailbox for the received ones. Each
// gateway of a fleet, and each of its processes, has its own session with the room server, which may get a copy of a
// message or be the only one that gets it; a waiting page asks any of them. So mailboxes notify each other of messages
// that came and that were fetched. A message is identified by its time, sender, text, and how many such a session has
// had.

import { hash, randomUUID } from 'node:crypto';
import { MAX_INSTANT_MESSAGES } from '../limits/backend.ts';
import { INSTANT_KEPT_MS, MAX_INSTANT_BOXES, MAX_TAKEN_INSTANTS, MAX_WAITING_INSTANT_CHARS } from '../limits/events.ts';
import { command, splitFields, toInt } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import { writeText } from './connection/connection.ts';
import { type Identity, identityKey } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import type { InstantListener } from './connection/receiver.ts';
import type { KnownRefusals } from './connection/server-errors.ts';

type KeptMessage = InstantMessage & { id: string };

/** What one mailbox tells the others. */
export interface InstantChange {
  /** which mailbox */
  from: string;
  /** whose messages: a hash */
  owner: string;
  come: readonly KeptMessage[];
  /** ids */
  taken: readonly string[];
}

interface Box {
  /** by id, oldest first */
  waiting: Map<string, InstantMessage>;
  /** of the texts that wait */
  chars: number;
  /** ids, oldest first */
  taken: Set<string>;
  /** how many a session has had of the same time, sender and text */
  counts: Map<string, number>;
  arrivals: number;
  /** of performance.now() */
  touched: number;
}

export class InstantMailbox {
  readonly #pool: Pool;
  readonly #tell: (change: InstantChange) => Promise<void>;
  readonly #id = randomUUID();
  /** by owner; who was used last is last */
  readonly #boxes = new Map<string, Box>();
  #chars = 0;
  /** by owner */
  readonly #listeners = new Map<string, Set<InstantListener>>();
  /** by identity */
  readonly #followed = new Map<string, InstantListener>();
  /** by identity; those who ask at the same moment get the same */
  readonly #taking = new Map<string, Promise<InstantMessage[]>>();
  /** by identity; a message that two have asked for has come once */
  readonly #collecting = new Map<string, Promise<KeptMessage[]>>();
  #arrivals = 0;

  /** `tell`: to the other mailboxes, answered when they have it. */
  constructor(pool: Pool, tell: (change: InstantChange) => Promise<void> = async () => {}) {
    this.#pool = pool;
    this.#tell = tell;
  }

  /** Tells `listener` until the returned function is called; one for each identity at a time. */
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

  /** As Pool.lookForInstantMessages. */
  look(identity: Identity): Promise<void> {
    return this.#pool.lookForInstantMessages(identity);
  }

  /** Grows when messages arrive; 0 while none waits. */
  arrivals(identity: Identity): number {
    const box = this.#boxes.get(ownerOf(identity));
    return box && box.waiting.size > 0 ? box.arrivals : 0;
  }

  /** All that have come since the last call, at any mailbox, oldest first. Throws what the room server answers. */
  take(identity: Identity): Promise<InstantMessage[]> {
    const key = identityKey(identity);
    return this.#taking.getOrInsertComputed(key, () => {
      // what comes between two calls is for whoever asks at another gateway, too
      if (!this.#followed.has(key)) this.#attend(identity, { arrived() {}, lost() {}, isFollowed: () => false });
      return this.#take(identity).finally(() => this.#taking.delete(key));
    });
  }

  /** Another mailbox, or this one, has told so. */
  hear({ from, owner, come, taken }: InstantChange): void {
    if (from === this.#id) return;
    const box = this.#boxOf(owner);
    const fresh = come.filter(({ id, ...message }) => this.#put(box, id, message));
    for (const id of taken) this.#remove(box, id);
    if (fresh.some(({ id }) => box.waiting.has(id))) this.#wake(owner, box);
  }

  /** What arrives on the connection of this identity is collected, and told to all. */
  #attend(identity: Identity, { lost, isFollowed }: InstantListener): () => void {
    const arrived = () => {
      // who fetches nothing gets no more: the room server refuses them, and the sender is told so
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
    // a page that is told asks at any gateway: all have it before
    await this.#tellAll({ from: this.#id, owner, come, taken: [] });
    this.#wake(owner, this.#boxOf(owner));
  }

  /** What the room server has, into the box; answers what is new there. */
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

  /** What it tells of has happened, whether the others hear it or not. */
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

  /** False for one that it has or had already. */
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

  /** Who has not been heard of for the longest time goes first. */
  #keepBounds(): void {
    const expired = performance.now() - INSTANT_KEPT_MS;
    for (const [owner, { chars, touched }] of this.#boxes) {
      const isFull = this.#boxes.size > MAX_INSTANT_BOXES || this.#chars > MAX_WAITING_INSTANT_CHARS;
      if (!isFull && touched > expired) return;
      this.#boxes.delete(owner);
      this.#chars -= chars;
    }
  }
}

/** A session by its key, which nobody guesses; else the user as he spells it: nothing is told of a password. */
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

const BROADCAST = 1;
const SENDING: KnownRefusals = {
  [STATUS.notOpen]: ['conflict', 'This user is not here, or takes no instant messages.'],
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
 * Sends to everybody logged in as `to`; `broadcast` is all users. Throws not_found (570), conflict when nobody would
 * get it (553), forbidden for a broadcast of others than administrators (550).
 */
export function sendInstantMessage(pool: Pool, identity: Identity, to: string, text: string): Promise<void> {
  return pool.withConnection(identity, (connection) => writeText(connection, command('SEXP', to, '-'), text, SENDING));
}

/** What has come since the last call, oldest first; see Pool.takeInstantMessages. */
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

// The room that is open: its messages by number, and what changes in it. What is mounted hears of changes as
// `{ added, removed, changed }`; nothing here costs more in a room of many messages but reading it all anew.

import { ROOM_MACRO } from '../../src/protocol/room-facts.ts';
import { MOST_ROWS, MOST_SHORT_ROWS, markAllSeen, readMailbox, readShortRows } from '../api/messages.js';
import { readBanner, readRoom } from '../api/rooms.js';
import { inTurn } from '../core/in-turn.js';
import { setMarks } from './marks.js';
import { goingFrom, orLater } from './outbox.js';
import { later, settle } from './pending.js';
import { isSentRoom, setOpenCount, setUnread } from './room-list.js';
import { user } from './session.js';

/** @import { Mailbox, MailboxEntry as Row, Room } from '../api/interface.d.ts' */
/** @import { Action } from './pending.js' */

/**
 * @typedef {{ added: Row[], removed: Row[], changed: Row[] }} Delta
 */

/**
 * Who reads, and which rooms hold messages that people write to each other.
 * @typedef {{ isGuest: boolean, isTalk: (info: Room) => boolean }} Reader
 */

/** The room server's other name of one's own rooms, which goes with any of them. */
export const MAIL = ROOM_MACRO.mail;

/**
 * Messages that are going, by user and room: whoever comes back to the room can still undo it.
 * @type {Map<string, Map<number, Row>>}
 */
const hiddenIn = new Map();

/** @param {string} room */
function hiddenOf(room) {
  const key = `${user.get()?.username}\n${room}`;
  const hidden = hiddenIn.get(key) ?? new Map();
  hiddenIn.set(key, hidden);
  return hidden;
}

export class RoomStore {
  /** ascending by number, which is by time of arrival @type {Row[]} */
  rows = [];
  /** @type {Map<number, Row>} */
  byNumber = new Map();
  unread = 0;
  /** messages in the room, also those that are not read yet */
  total = 0;
  isComplete = false;
  banner = '';
  /** @type {Set<(delta: Delta) => void>} */
  #listeners = new Set();
  /** @type {Promise<void> | undefined} */
  #reading;
  /** called unread while they were being opened @type {Set<number>} */
  #leftUnread = new Set();
  /** how many marks of each are on the way to the server @type {Map<number, number>} */
  #marking = new Map();

  /** @param {Room} info @param {Reader} reader */
  constructor(info, { isGuest, isTalk }) {
    this.info = info;
    /** those that are going: they can still come back @type {Map<number, Row>} */
    this.hidden = hiddenOf(info.name);
    this.isGuest = isGuest;
    /** whether many messages can be changed in one request: rooms of entries change one by one */
    this.isTalk = isTalk(info);
  }

  get name() {
    return this.info.name;
  }

  /** the highest number, 0 in an empty room */
  get highest() {
    return Math.max(this.rows.at(-1)?.msgnum ?? 0, ...this.hidden.keys());
  }

  /** Whether a text can be written here as far as the room tells; the room server has the last word. */
  get canPost() {
    return !this.isGuest && (!this.info.is_read_only || this.info.is_room_aide);
  }

  get canDelete() {
    return !this.isGuest && this.info.can_delete_messages;
  }

  /** Answers what ends it. @param {(delta: Delta) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {Partial<Delta>} delta */
  tell({ added = [], removed = [], changed = [] }) {
    setUnread(this.name, this.unread);
    for (const listener of [...this.#listeners]) listener({ added, removed, changed });
  }

  /**
   * The first rows, and how many messages there are.
   * @param {Row[]} rows ascending
   * @param {number} total
   * @param {number} unread
   */
  fill(rows, total, unread) {
    this.#insert(this.#unknown(rows));
    this.total = total - this.#going().size;
    this.isComplete = rows.length >= total;
    this.#count(unread - unseen([...this.hidden.values()]));
    setUnread(this.name, this.unread);
  }

  /** Rows above those that are there, of a room that was not read to its beginning. Throws Problem. */
  loadOlder() {
    if (this.isComplete) return Promise.resolve();
    this.#reading ??= this.#readOlder().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOlder() {
    const before = this.rows[0]?.msgnum;
    const { msgs } = await readMailbox(this.name, { last: MOST_ROWS, before });
    const added = this.#unknown(msgs);
    this.isComplete = msgs.length < MOST_ROWS;
    this.#insert(added);
    this.tell({ added });
  }

  /** Also those whose way out waits for the connection. */
  #going = () => new Set([...this.hidden.keys(), ...goingFrom(this.name)]);

  /** @param {Row[]} rows */
  #unknown(rows) {
    const going = this.#going();
    return rows.filter(({ msgnum }) => !this.byNumber.has(msgnum) && !going.has(msgnum));
  }

  /** @param {Row[]} rows ascending */
  #insert(rows) {
    if (this.#hasNoNews()) for (const row of rows) row.seen = true;
    for (const row of rows) this.byNumber.set(row.msgnum, row);
    if (rows.length === 0) return;
    const [first] = this.rows;
    if (first && rows[0].msgnum < first.msgnum) {
      this.rows = [...rows, ...this.rows].sort((a, b) => a.msgnum - b.msgnum);
    } else {
      this.rows.push(...rows);
      if (rows[0].msgnum < (this.rows.at(-rows.length - 1)?.msgnum ?? 0)) this.rows.sort((a, b) => a.msgnum - b.msgnum);
    }
  }

  /** @param {Row[]} rows */
  #drop(rows) {
    for (const { msgnum } of rows) {
      if (!this.byNumber.delete(msgnum)) continue;
      this.rows.splice(placeOf(this.rows, msgnum), 1);
    }
  }

  /**
   * Looks whether something has changed here; answers the rows that have come. Throws Problem.
   * @returns {Promise<Row[]>}
   */
  refresh() {
    return inTurn(async () => {
      /** @type {Row[]} */
      const added = [];
      let page = await this.#readAfter(this.highest);
      added.push(...page.msgs);
      while (page.msgs.length >= MOST_ROWS) {
        page = await this.#readAfter(page.msgs[page.msgs.length - 1].msgnum);
        added.push(...page.msgs);
      }
      this.info = await readRoom(this.name);
      const fresh = this.#unknown(added);
      const hidden = [...this.hidden.values()];
      const count = this.total + this.#going().size + fresh.length;
      const unread = this.unread + unseen(hidden) + unseen(fresh);
      const isSame = count === page.total_messages && (this.#hasNoNews() || unread === page.new_messages);
      const there = isSame ? undefined : await this.#readThere();
      this.#take(fresh, there, page);
      return fresh;
    });
  }

  /** @param {number} after */
  #readAfter(after) {
    return readMailbox(this.name, { after });
  }

  /** Those that are there of the rows that are known, or of the latest of them; Throws Problem. */
  async #readThere() {
    const known = this.rows.length + this.hidden.size;
    const isFew = known < MOST_SHORT_ROWS;
    const { msgs } = await readShortRows(this.name, isFew ? MOST_SHORT_ROWS : undefined);
    return msgs;
  }

  /** @param {Row[]} added @param {Row[] | undefined} there @param {Mailbox} counts */
  #take(added, there, counts) {
    const numbers = there && new Set(there.map(({ msgnum }) => msgnum));
    const lowest = there?.[0]?.msgnum ?? 0;
    const removed = numbers ? this.rows.filter(({ msgnum }) => msgnum >= lowest && !numbers.has(msgnum)) : [];
    const changed = (there ?? []).flatMap((row) => {
      const known = this.byNumber.get(row.msgnum);
      if (
        !known ||
        this.#marking.has(row.msgnum) ||
        this.#hasNoNews() ||
        (known.seen === row.seen && known.subject === row.subject)
      )
        return [];
      return [Object.assign(known, { seen: row.seen, subject: row.subject })];
    });
    this.#drop(removed);
    this.#insert(added);
    this.total = counts.total_messages - this.#going().size;
    this.#count(counts.new_messages - unseen([...this.hidden.values()]));
    if (added.length + removed.length + changed.length === 0) return setUnread(this.name, this.unread);
    this.tell({ added, removed, changed });
  }

  /** @param {number} told by the server, of messages that are not known here as well */
  #count(told) {
    this.unread = this.isComplete || this.#hasNoNews() ? unseen(this.rows) : told;
  }

  /**
   * Marks of these are shown at once, and as they were where the server refuses. Those without a row here are marked as
   * well. Answers which ones have changed. Throws Problem.
   * @param {number[]} numbers
   * @param {boolean} seen
   */
  async setSeen(numbers, seen) {
    if (!seen) for (const each of numbers) if (this.byNumber.get(each)?.seen === false) this.#leftUnread.add(each);
    const msgnums = numbers.filter((each) => this.byNumber.get(each)?.seen !== seen);
    if (this.isGuest || msgnums.length === 0) return [];
    this.#mark(msgnums, seen);
    for (const msgnum of msgnums) this.#marking.set(msgnum, (this.#marking.get(msgnum) ?? 0) + 1);
    try {
      await setMarks({ room: this.name, msgnums, seen });
      return msgnums;
    } catch (problem) {
      this.#mark(msgnums, !seen);
      throw problem;
    } finally {
      for (const msgnum of msgnums) {
        const left = (this.#marking.get(msgnum) ?? 1) - 1;
        if (left === 0) this.#marking.delete(msgnum);
        else this.#marking.set(msgnum, left);
      }
    }
  }

  /**
   * Its text is there, so it counts as read; not where the reader has called it unread meanwhile. Throws Problem.
   * @param {number} msgnum
   */
  async setOpened(msgnum) {
    if (!this.#leftUnread.delete(msgnum)) await this.setSeen([msgnum], true);
  }

  /** Nothing is kept of what guests have read, and what one has sent is none to oneself. */
  #hasNoNews() {
    return this.isGuest || isSentRoom(this.info);
  }

  /** @param {number[]} numbers @param {boolean} seen */
  #mark(numbers, seen) {
    const rows = numbers.flatMap((each) => this.byNumber.get(each) ?? []);
    for (const row of rows) row.seen = seen;
    // where all rows are here, what has none has gone
    const count = this.isComplete ? rows.length : numbers.length;
    this.unread = Math.max(0, this.unread + (seen ? -count : count));
    this.tell({ changed: rows });
  }

  /** Everything that is here counts as read. Throws Problem. */
  async setAllSeen() {
    const { highest } = this;
    await inTurn(() =>
      orLater(
        () => ({ kind: 'all-seen', room: this.name, last: highest }),
        () => markAllSeen(this.name, highest),
      ),
    );
    const changed = this.rows.filter((row) => !row.seen && row.msgnum <= highest);
    for (const row of changed) row.seen = true;
    this.unread = 0;
    this.tell({ changed });
  }

  /**
   * Takes messages away: at once from the list, from the server when it cannot be undone any more.
   * @param {number[]} numbers
   * @param {Omit<Action, 'revert'>} action
   */
  remove(numbers, action) {
    const rows = numbers.flatMap((each) => this.byNumber.get(each) ?? []);
    const unread = rows.filter((row) => !row.seen).length;
    for (const row of rows) this.hidden.set(row.msgnum, row);
    this.#drop(rows);
    this.unread -= unread;
    this.total -= rows.length;
    this.tell({ removed: rows });
    const revert = () => {
      const back = rows.filter(({ msgnum }) => this.hidden.delete(msgnum));
      const store = openStoreOf(this.name) ?? this;
      // above the rows that are read so far they come with the others
      const first = store.isComplete ? 0 : (store.rows[0]?.msgnum ?? 0);
      const added = store === this ? back : back.filter(({ msgnum }) => msgnum > first);
      store.#insert(added);
      store.unread += unread;
      store.total += back.length;
      store.tell({ added });
    };
    const send = async (/** @type {boolean} */ keepalive) => {
      await action.send(keepalive);
      for (const row of rows) this.hidden.delete(row.msgnum);
    };
    return later({ ...action, send, revert });
  }
}

/** @type {RoomStore | undefined} */
let openStore;

/** @param {RoomStore | undefined} store undefined for none */
export function setOpenRoom(store) {
  openStore = store;
  setOpenCount(store);
}

/** Undefined where it is not open. @param {string} name */
export const openStoreOf = (name) => (openStore?.name === name ? openStore : undefined);

/** How many of them are unread. @param {Row[]} rows */
const unseen = (rows) => rows.reduce((sum, row) => sum + (row.seen ? 0 : 1), 0);

/** Where the number stands, in rows that ascend. @param {Row[]} rows @param {number} msgnum */
export function placeOf(rows, msgnum) {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle].msgnum < msgnum) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Throws Problem.
 * @param {string} name @param {Reader} reader @param {AbortSignal} [signal]
 */
export async function openRoom(name, reader, signal) {
  await settle(name);
  const [info, { msgs, total_messages, new_messages }] = await Promise.all([
    readRoom(name, signal),
    readMailbox(name, { last: MOST_ROWS }, signal),
  ]);
  const store = new RoomStore(info, reader);
  store.banner = info.has_info ? await readBanner(info.name, signal).catch(() => '') : '';
  store.fill(
    msgs.sort((a, b) => a.msgnum - b.msgnum),
    total_messages,
    new_messages,
  );
  return store;
}

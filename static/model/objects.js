// What the members of a room say, where each is an object with a UID: a task, a contact, a note. A change is shown at
// once and written when those before it are; where somebody was faster it is made again to what is there now, or not.

import { readEntry, writeEntry } from '../api/groupware.js';
import { changeMessages } from '../api/messages.js';
import { messageOf, Problem } from '../api/request.js';
import { UNDO_SECONDS } from './pending.js';

/** @import { Delta, RoomStore } from './room-store.js' */

/**
 * `read` makes of a text what is shown, undefined for what is none. `key` is the UID, or `number:12` for what has none.
 * @template T
 * @typedef {object} ObjectStyle
 * @property {(text: string, msgnum: number) => T & { uid: string } | undefined} read
 * @property {(msgnums: number[] | undefined, signal?: AbortSignal) => Promise<{ msgnum: number, text: string }[]>} load
 *   undefined: all of them
 * @property {string} type as which a new one is stored
 * @property {boolean} [isListed] the text that load gives is not the whole one
 * @property {boolean} [isByUid] addressed by UIDs, not by numbers
 */

/**
 * @template T
 * @typedef {{ key: string, msgnum: number, text: string, said: T & { uid: string } }} Known
 */

/** @template T */
export class Objects {
  /** @type {Map<string, Known<T>>} */
  byKey = new Map();
  /** keys by number @type {Map<number, string>} */
  #keys = new Map();
  /** numbers of what went while all of them were asked for @type {Set<number>} */
  #gone = new Set();
  /** the last thing to be written of each @type {Map<string, Promise<unknown>>} */
  #writing = new Map();

  /** @param {RoomStore} store @param {ObjectStyle<T>} style @param {() => void} changed */
  constructor(store, style, changed) {
    this.store = store;
    this.style = style;
    this.changed = changed;
  }

  /** All that there are. Throws Problem. @param {AbortSignal} signal */
  async load(signal) {
    this.#gone.clear();
    const found = await this.style.load(undefined, signal);
    signal.throwIfAborted();
    for (const { msgnum, text } of found)
      if (!this.store.hidden.has(msgnum) && !this.#gone.has(msgnum)) this.#keep(msgnum, text);
    void this.#readRows();
  }

  /** What is deleted has to be a row of the room's list. */
  async #readRows() {
    try {
      while (!this.store.isComplete) await this.store.loadOlder();
    } catch {
      // the next look at the room tries again
    }
  }

  /** @param {number} msgnum @param {string} text */
  #keep(msgnum, text) {
    const said = this.style.read(text, msgnum);
    if (!said) return;
    const key = said.uid || `number:${msgnum}`;
    const before = this.byKey.get(key);
    if (before && before.msgnum > msgnum) return;
    if (before) this.#keys.delete(before.msgnum);
    this.byKey.set(key, { key, msgnum, text, said });
    this.#keys.set(msgnum, key);
  }

  /** @param {number} msgnum */
  #drop(msgnum) {
    const key = this.#keys.get(msgnum);
    if (key === undefined) this.#gone.add(msgnum);
    this.#keys.delete(msgnum);
    if (key !== undefined && this.byKey.get(key)?.msgnum === msgnum) this.byKey.delete(key);
  }

  /** undefined where there is none @param {number} msgnum */
  keyOf = (msgnum) => this.#keys.get(msgnum);

  /** What the room's store says: what is new is read. Throws Problem. @param {Delta} delta */
  async update({ added, removed }) {
    const fresh = added.map(({ msgnum }) => msgnum).filter((msgnum) => !this.#keys.has(msgnum));
    const read = fresh.length > 0 ? await this.style.load(fresh) : [];
    for (const { msgnum, text } of read) if (this.store.byNumber.has(msgnum)) this.#keep(msgnum, text);
    for (const { msgnum } of removed) if (!this.store.byNumber.has(msgnum)) this.#drop(msgnum);
    if (read.length + removed.length > 0) this.changed();
  }

  /**
   * The whole text, also of what the list knows in part. Throws Problem.
   * @param {string} key
   * @param {AbortSignal} [signal]
   */
  async textOf(key, signal) {
    const known = this.byKey.get(key);
    if (!known || !this.style.isListed) return known?.text;
    return readEntry(this.store.name, known.msgnum, { signal });
  }

  /**
   * A new one, under its UID. Throws Problem: 412 where there is one already.
   * @param {{ uid: string, text: string }} object @param {string} [type]
   */
  async add(object, type = this.style.type) {
    const msgnum = await this.put(object, type);
    this.changed();
    await this.store.refresh({ own: msgnum });
  }

  /**
   * The same of many, after which the room's store is to be refreshed.
   * @param {{ uid: string, text: string }} object @param {string} [type]
   */
  async put({ uid, text }, type = this.style.type) {
    const msgnum = await writeEntry(this.store.name, uid, type, text);
    this.#keep(msgnum, text);
    return msgnum;
  }

  /**
   * Throws Problem; what was shown is then as it was before. `isMerged` false: what somebody else has changed meanwhile
   * is not changed again (412).
   * @param {string} key
   * @param {(text: string) => string | undefined} change undefined leaves it as it is
   * @param {{ type?: string, isMerged?: boolean }} [options]
   */
  async change(key, change, { type = this.style.type, isMerged = true } = {}) {
    const known = this.byKey.get(key);
    if (!known) return;
    const shown = this.style.isListed ? undefined : change(known.text);
    if (shown !== undefined) this.#show(key, shown);
    const before = this.#writing.get(key) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => this.#write(key, change, type, isMerged));
    this.#writing.set(key, writing);
    try {
      await writing;
    } catch (problem) {
      const now = this.byKey.get(key);
      if (now && shown !== undefined) await this.#readAgain(now.msgnum);
      throw problem;
    } finally {
      if (this.#writing.get(key) === writing) this.#writing.delete(key);
    }
  }

  /** @param {string} key @param {string} text */
  #show(key, text) {
    const known = this.byKey.get(key);
    const said = known && this.style.read(text, known.msgnum);
    if (!known || !said) return;
    this.byKey.set(key, { ...known, said, text });
    this.changed();
  }

  /**
   * @param {string} key
   * @param {(text: string) => string | undefined} change
   * @param {string} type
   * @param {boolean} isMerged
   */
  async #write(key, change, type, isMerged) {
    const { name } = this.store;
    for (let tries = 0; ; tries++) {
      const known = this.byKey.get(key);
      if (!known) return;
      // what is kept, not what is shown already
      const kept = await readEntry(name, known.msgnum);
      const text = change(kept);
      if (text === undefined || text === kept) return;
      try {
        const address = this.style.isByUid ? known.said.uid || String(known.msgnum) : String(known.msgnum);
        const msgnum = await writeEntry(name, address, type, text, known.msgnum);
        this.#keep(msgnum, text);
        this.changed();
        await this.store.refresh({ own: msgnum });
        return;
      } catch (problem) {
        const isOvertaken = problem instanceof Problem && (problem.status === 412 || problem.status === 404);
        if (!isOvertaken || !isMerged || tries > 0) throw problem;
        await this.store.refresh();
        await this.update({ added: [...this.store.rows], removed: [known].map(asRow), changed: [], isNew: false });
      }
    }
  }

  /** @param {number} msgnum */
  async #readAgain(msgnum) {
    const [kept] = await this.style.load([msgnum]).catch(() => []);
    if (kept) this.#keep(msgnum, kept.text);
    this.changed();
  }

  /**
   * Takes them away, at once from what is shown; answers what undoes it.
   * @param {string[]} keys @param {{ refused: (reason: string) => void, over: () => void }} told
   */
  remove(keys, { refused, over }) {
    const gone = keys.flatMap((key) => this.byKey.get(key) ?? []);
    const numbers = gone.map(({ msgnum }) => msgnum);
    const pending = this.store.remove(numbers, {
      rooms: [this.store.name],
      send: (keepalive) =>
        changeMessages(this.store.name, numbers, { delete: true }, { isMany: this.store.isTalk, keepalive }),
      over,
      refused: (problem) => refused(messageOf(problem)),
    });
    return { undo: () => pending.undo(), seconds: UNDO_SECONDS };
  }
}

/** @param {{ msgnum: number }} known */
const asRow = ({ msgnum }) => /** @type {import('../api/interface.d.ts').MailboxEntry} */ ({ msgnum });

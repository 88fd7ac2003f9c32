// What the members of a room say, where each is an object with a UID: a task, a contact, a note. A change is shown at
// once and written when those before it are, merged with what others have changed meanwhile (object-writing.js).
// Without a connection it waits in the outbox, and is shown as it will be.

import { writeObject } from '../api/calendars.js';
import { changeMessages } from '../api/messages.js';
import { messageOf } from '../api/request.js';
import { mergeVersions } from '../formats/merge.js';
import { askVersion } from '../ui/versions.js';
import { keepUndecided, writeOver } from './object-writing.js';
import { numberOf, orLater, outbox } from './outbox.js';
import { objectWork } from './outbox-joining.js';
import { nameOfKey, waitingObjects } from './waiting-objects.js';
import { WholeTexts } from './whole-texts.js';

/** @import { Ask } from './object-writing.js' */
/** @import { ObjectWork, Version } from './outbox-joining.js' */
/** @import { Delta, RoomStore } from './room-store.js' */
/** @import { Known, ObjectStyle } from './object-style.d.ts' */

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
  #outbox = waitingObjects('');

  /** @param {RoomStore} store @param {ObjectStyle<T>} style @param {() => void} changed */
  constructor(store, style, changed) {
    this.store = store;
    this.style = style;
    this.changed = changed;
    this.whole = new WholeTexts(store.name);
    /** nothing is shown here any more */
    this.end = outbox.subscribe(() => this.#look());
  }

  /** All that there are. Throws Problem. @param {AbortSignal} signal */
  async load(signal) {
    this.#gone.clear();
    const found = await this.style.load(undefined, signal);
    signal.throwIfAborted();
    for (const { msgnum, text } of found)
      if (!this.store.hidden.has(msgnum) && !this.#gone.has(msgnum)) this.#keep(msgnum, text);
    this.#look();
    void this.#readRows();
  }

  /** Whether something is done to it that waits for the connection. @param {string} key */
  isWaiting = (key) => this.#outbox.waiting.has(key);

  /** What could not be done, for another device was faster. @param {string} [key] */
  conflictOf = (key) => this.#outbox.conflicts.get(key ?? '');

  /** What waits is shown, and no more what does not. */
  #look() {
    const { waiting: before } = this.#outbox;
    this.#outbox = waitingObjects(this.store.name);
    const { waiting } = this.#outbox;
    const fresh = [...waiting].filter(([key, { text }]) => !before.has(key) || before.get(key)?.text !== text);
    for (const [key, work] of fresh) this.#pretend(key, work);
    if (fresh.length > 0) this.changed();
    const over = [...before].filter(([key]) => !waiting.has(key));
    if (over.length > 0) void this.#settle(over);
  }

  /** @param {string} key @param {ObjectWork} work */
  #pretend(key, { text, base }) {
    const known = this.byKey.get(key);
    if (text === undefined) return void this.byKey.delete(key);
    const msgnum = known?.msgnum ?? (base ? numberOf(base.etag) : 0);
    const said = this.style.read(text, msgnum);
    if (said) this.byKey.set(key, { key, msgnum, kept: base?.text ?? '', ...known, said, text });
  }

  /** They were sent, or thrown away: what is there now is shown. @param {[string, ObjectWork][]} over */
  async #settle(over) {
    await this.#catchUp().catch(() => {});
    for (const [key, { base, text }] of over) {
      if (this.isWaiting(key)) continue;
      const known = this.byKey.get(key);
      const isOld = known ? known.msgnum === 0 || `"${known.msgnum}"` === base?.etag : text === undefined;
      if (!isOld) continue;
      if (known) this.byKey.delete(key);
      if (base && this.store.byNumber.has(numberOf(base.etag))) this.#keep(numberOf(base.etag), base.text);
    }
    this.changed();
  }

  /** Reads what has come; these may have gone. Throws Problem. @param {{ msgnum: number }[]} [gone] */
  async #catchUp(gone = []) {
    await this.store.refresh();
    const removed = /** @type {import('../api/interface.d.ts').MailboxEntry[]} */ (gone);
    await this.update({ added: [...this.store.rows], removed, changed: [] });
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
    this.byKey.set(key, { key, msgnum, text, kept: text, said });
    this.#keys.set(msgnum, key);
    const work = this.#outbox.waiting.get(key);
    if (work) this.#pretend(key, work);
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
    return this.#outbox.waiting.get(key)?.text ?? this.whole.read(known.msgnum, signal);
  }

  /**
   * What is to be there, undefined: nothing. Throws Problem.
   * @param {{ key: string, said: T, msgnum?: number, kept?: string }} object @param {string} [text]
   * @param {string} [type]
   */
  async #workOf({ key, said, msgnum = 0, kept = '' }, text, type = this.style.type) {
    const { place, isListed, titleOf } = this.style;
    const isWhole = !isListed || msgnum === 0 || text === undefined;
    const before = isWhole ? kept : await this.whole.read(msgnum);
    const base = msgnum > 0 ? { etag: `"${msgnum}"`, text: before } : undefined;
    const { name: room } = this.store;
    return objectWork({ room, name: nameOfKey(key), type, text, base, title: titleOf(said), place: [place, key] });
  }

  /**
   * A new one, under its UID. Throws Problem: 412 where there is one already.
   * @param {{ uid: string, text: string }} object @param {string} [type]
   */
  async add(object, type = this.style.type) {
    const said = this.style.read(object.text, 0);
    const msgnum = await orLater(
      () => said && this.#workOf({ key: object.uid, said }, object.text, type),
      () => this.put(object, type),
      this.store.name,
    );
    this.changed();
    if (msgnum !== undefined) await this.store.refresh();
  }

  /**
   * The same of many, after which the room's store is to be refreshed.
   * @param {{ uid: string, text: string }} object @param {string} [type]
   */
  async put({ uid, text }, type = this.style.type) {
    const msgnum = numberOf(await writeObject(this.store.name, uid, text, undefined, type));
    this.#keep(msgnum, text);
    return msgnum;
  }

  /**
   * What somebody else has changed meanwhile stays; who has changed the same is asked about. Throws Problem, Undecided;
   * what was shown is then as it was before.
   * @param {string} key
   * @param {(text: string) => string | undefined} change undefined leaves it as it is
   * @param {{ type?: string, base?: string, ask?: Ask, isForm?: boolean }} [options] `base`: the text that the reader
   *   has seen; `isForm`: what he has not decided about stays where he has written it
   */
  async change(key, change, { type = this.style.type, base, ask = askVersion, isForm = false } = {}) {
    const known = this.byKey.get(key);
    const seen = base ?? (await this.textOf(key));
    const text = seen === undefined ? undefined : change(seen);
    if (seen === undefined || text === undefined || text === seen) return;
    const isShown = known && !this.style.isListed;
    if (isShown) this.#show(key, mergeVersions(seen, text, known.text, 'mine') ?? text);
    const etag = known && known.msgnum > 0 && seen === known.kept ? `"${known.msgnum}"` : '';
    const said = known?.said ?? this.style.read(text, 0);
    if (!said) return;
    const { name: room } = this.store;
    const { place, titleOf } = this.style;
    const what = { room, name: nameOfKey(key), type, text, title: titleOf(said), place: [place, key] };
    const written = { ...objectWork(what), base: { etag, text: seen } };
    const before = this.#writing.get(key) ?? Promise.resolve();
    const writing = before
      .catch(() => {})
      .then(() =>
        orLater(
          () => this.#waitingWork(key, written),
          () =>
            isForm ? this.#write(key, written, ask) : keepUndecided(written, () => this.#write(key, written, ask)),
          this.store.name,
        ),
      );
    this.#writing.set(key, writing);
    try {
      await writing;
    } catch (problem) {
      const now = this.byKey.get(key);
      if (now && isShown) await this.#readAgain(now);
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

  /** The same, to what waits already. @param {string} key @param {ObjectWork & { base: Version }} work */
  #waitingWork(key, work) {
    const known = this.byKey.get(key);
    const waiting = this.#outbox.waiting.get(key)?.text;
    const base = known && known.msgnum > 0 ? { etag: `"${known.msgnum}"`, text: work.base.text } : work.base;
    if (waiting === undefined || work.text === undefined) return { ...work, base };
    return { ...work, base, text: mergeVersions(work.base.text, work.text, waiting, 'mine') ?? work.text };
  }

  /** @param {string} key @param {ObjectWork & { base: Version }} work @param {Ask} ask */
  async #write(key, work, ask) {
    // one that has just been sent
    if (this.byKey.get(key)?.msgnum === 0) await this.#catchUp();
    const byUid = this.style.isByUid;
    const now = await writeOver(work, ask, {
      isKnown: work.base.etag !== '',
      address: (there) => (byUid || !there ? work.name : String(numberOf(there.etag))),
    });
    if (!now) return this.#catchUp(this.byKey.has(key) ? [/** @type {Known<T>} */ (this.byKey.get(key))] : []);
    const msgnum = numberOf(now.etag);
    this.#keep(msgnum, now.text);
    this.changed();
    await this.store.refresh();
  }

  /** @param {{ msgnum: number, kept: string }} known */
  async #readAgain({ msgnum, kept }) {
    const [now] = await this.style.load([msgnum]).catch(() => []);
    this.#keep(msgnum, now?.text ?? kept);
    this.changed();
  }

  /**
   * Takes them away, at once from what is shown; answers what undoes it, and what sends it.
   * @param {string[]} keys @param {{ refused: (reason: string) => void, over: () => void }} told
   */
  remove(keys, { refused, over }) {
    const gone = keys.flatMap((key) => this.byKey.get(key) ?? []);
    const { name } = this.store;
    const numbers = gone.map(({ msgnum }) => msgnum).filter((msgnum) => msgnum > 0);
    const pending = this.store.remove(numbers, {
      rooms: [name],
      send: async (keepalive) => {
        const sent = [];
        for (const each of gone) {
          // a new one may have been sent meanwhile
          const known = (each.msgnum === 0 && this.byKey.get(each.key)) || each;
          const done = orLater(
            () => this.#workOf(known),
            () => changeMessages(name, [known.msgnum], { delete: true }, { isMany: false, keepalive }),
            name,
          );
          sent.push(done);
          // a page that is being left waits for nothing
          if (!keepalive) await done;
        }
        await Promise.all(sent);
      },
      over,
      refused: (problem) => refused(messageOf(problem)),
    });
    for (const { key } of gone) this.byKey.delete(key);
    this.changed();
    const undo = () => {
      for (const known of gone) {
        this.byKey.set(known.key, known);
        if (known.msgnum > 0) this.#keys.set(known.msgnum, known.key);
      }
      pending.undo();
      this.changed();
    };
    return { undo, send: () => pending.send() };
  }
}

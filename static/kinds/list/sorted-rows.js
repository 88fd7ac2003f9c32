// The members of a room in another order than that of their arrival: entries by name, events by time.

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { Delta } from '../../model/room-store.js' */

export class SortedRows {
  /** @type {Row[]} */
  rows = [];
  /** @type {Map<Row, number>} */
  #places = new Map();

  /** @param {Row[]} rows @param {(a: Row, b: Row) => number} compare */
  constructor(rows, compare) {
    this.compare = compare;
    this.#arrange([...rows]);
  }

  /** @param {Row[]} rows */
  #arrange(rows) {
    this.rows = rows.sort(this.compare);
    this.#places = new Map(this.rows.map((row, i) => [row, i]));
  }

  /** @param {Row} row */
  indexOf = (row) => this.#places.get(row) ?? -1;

  /** @param {Delta} delta */
  update({ added, removed }) {
    if (added.length + removed.length === 0) return;
    const gone = new Set(removed);
    this.#arrange([...this.rows.filter((row) => !gone.has(row)), ...added]);
  }
}

/** @param {Row} a @param {Row} b */
export const bySubject = (a, b) => a.subject.localeCompare(b.subject) || a.msgnum - b.msgnum;

/** @param {Row} a @param {Row} b */
export const byTime = (a, b) => a.time - b.time || a.msgnum - b.msgnum;

// Messages that answer each other, by their references (RFC 5322 section 3.6.4), in the order of their latest one. A
// message that comes or goes costs no work that grows with the list, but for what an array does to make room.

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */

/**
 * What stands in one row of the list. `rows` ascend; there is at least one.
 * @typedef {{ rows: Row[], ids: Set<number> }} Conversation
 */

/** from so many on it is cheaper to sort once */
const MANY = 64;

/** @param {Conversation} conversation */
export const latestOf = ({ rows }) => rows[rows.length - 1];

/** @param {Conversation} conversation */
export const numbersOf = ({ rows }) => rows.map(({ msgnum }) => msgnum);

export class Conversations {
  /** ascending by the latest message @type {Conversation[]} */
  list = [];
  /** @type {Map<number, Conversation>} */
  #byNumber = new Map();
  /** by the hash of a Message-ID, also of messages that are answered and not here @type {Map<number, Conversation>} */
  #byId = new Map();

  /** @param {Iterable<Row>} rows ascending @param {boolean} isFlat each message by itself */
  constructor(rows, isFlat) {
    this.isFlat = isFlat;
    this.add([...rows]);
  }

  /** @param {number} msgnum */
  of(msgnum) {
    return this.#byNumber.get(msgnum);
  }

  /** -1 where it is not (any more). @param {Conversation} conversation */
  indexOf(conversation) {
    if (conversation.rows.length === 0) return -1;
    const at = this.#place(latestOf(conversation).msgnum);
    return this.list[at] === conversation ? at : -1;
  }

  /** @param {number} msgnum of a latest message */
  #place(msgnum) {
    let from = 0;
    let to = this.list.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (latestOf(this.list[middle]).msgnum < msgnum) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** @param {Row[]} rows */
  add(rows) {
    if (rows.length < MANY) {
      for (const row of rows) this.#list(this.#join(row, true));
      return;
    }
    for (const row of rows) this.#join(row, false);
    this.list = [...new Set(this.#byNumber.values())];
    for (const { rows: members } of this.list) members.sort((a, b) => a.msgnum - b.msgnum);
    this.list.sort((a, b) => latestOf(a).msgnum - latestOf(b).msgnum);
  }

  /**
   * The conversation that the row belongs to now; out of the list where `isListed`.
   * @param {Row} row
   * @param {boolean} isListed
   */
  #join(row, isListed) {
    const ids = this.isFlat ? [] : idsOf(row);
    const found = [...new Set(ids.flatMap((id) => this.#byId.get(id) ?? []))];
    const conversation = found[0] ?? { rows: [], ids: new Set() };
    if (isListed) for (const each of found) this.#unlist(each);
    for (const other of found.slice(1)) {
      for (const member of other.rows) this.#byNumber.set(member.msgnum, conversation);
      for (const id of other.ids) this.#hold(conversation, id);
      conversation.rows = [...conversation.rows, ...other.rows].sort((a, b) => a.msgnum - b.msgnum);
      other.rows = [];
    }
    for (const id of ids) this.#hold(conversation, id);
    const last = conversation.rows.at(-1);
    conversation.rows.push(row);
    if (isListed && last && last.msgnum > row.msgnum) conversation.rows.sort((a, b) => a.msgnum - b.msgnum);
    this.#byNumber.set(row.msgnum, conversation);
    return conversation;
  }

  /** @param {Conversation} conversation @param {number} id */
  #hold(conversation, id) {
    conversation.ids.add(id);
    this.#byId.set(id, conversation);
  }

  /** @param {Conversation} conversation */
  #list(conversation) {
    this.list.splice(this.#place(latestOf(conversation).msgnum), 0, conversation);
  }

  /** @param {Conversation} conversation */
  #unlist(conversation) {
    const at = this.indexOf(conversation);
    if (at >= 0) this.list.splice(at, 1);
  }

  /** @param {Row[]} rows */
  remove(rows) {
    for (const { msgnum } of rows) {
      const conversation = this.#byNumber.get(msgnum);
      if (!conversation) continue;
      this.#unlist(conversation);
      this.#byNumber.delete(msgnum);
      conversation.rows = conversation.rows.filter((row) => row.msgnum !== msgnum);
      if (conversation.rows.length > 0) this.#list(conversation);
    }
  }
}

/** Hashes of its own Message-ID and of those that it answers. @param {Row} row */
const idsOf = ({ msgidhash, references }) => [msgidhash, ...references];

// Compares what a recorded server answered with what another one answers to the same command: byte for byte, but for
// the values that differ from run to run (README.md of the recordings): times, message ids and their hashes, UUIDs and
// session numbers. Those are captured when they first appear, and must stay the same from then on.

import { hashMessageId } from '../../src/protocol/lookup3.ts';

/** the recordings were made within these hours */
const RECORDED = { from: 1_795_219_000, to: 1_795_226_000 };
const VALUES = /\b[0-9A-F]{8}-[0-9A-F]{8}@vm|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{10}\b/g;
const DATE_LINE = /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}\r$/;
const GENERATED_PASSWORD = /^200 [0-9a-f]{16}$/;

export class Comparison {
  /** recorded → here */
  readonly #values = new Map<string, string>();
  readonly #hashes = new Map<string, string>();
  readonly #sessions = new Map<string, string>();
  readonly #startedAt = Math.floor(Date.now() / 1000) - 1;

  /** A recorded command in words that mean the same here. */
  translate(command: string): string {
    const byValue = command.replace(VALUES, (value) => this.#values.get(value) ?? value);
    return byValue.replace(/^(TERM|REQT) (\d+)/i, (whole, verb, id) =>
      this.#sessions.has(id) ? `${verb} ${this.#sessions.get(id)}` : whole,
    );
  }

  isSame(command: string, recorded: string, actual: string): boolean {
    const verb = command.slice(0, 4).toUpperCase();
    const [left, right] = [recorded.split('\n'), actual.split('\n')];
    if (left.length !== right.length) return false;
    return left.every((line, i) => this.#isSameLine(command, verb, i, line, right[i]!));
  }

  #isSameLine(command: string, verb: string, index: number, recorded: string, actual: string): boolean {
    if (recorded === actual) {
      for (const value of recorded.match(VALUES) ?? []) this.#isSameValue(value, value);
      if (verb === 'RWHO' || verb === 'INFO')
        this.#capture(this.#sessions, recorded.split('|')[0]!, actual.split('|')[0]!);
      return true;
    }
    for (const shape of [DATE_LINE, GENERATED_PASSWORD]) if (shape.test(recorded)) return shape.test(actual);
    // INFO line 1 and RWHO field 0 are session numbers
    if (verb === 'INFO' && index === 1) return this.#capture(this.#sessions, recorded, actual);
    let [left, right] = [recorded, actual];
    if (verb === 'RWHO' && /^\d+\|/.test(left) && /^\d+\|/.test(right)) {
      if (!this.#capture(this.#sessions, left.split('|')[0]!, right.split('|')[0]!)) return false;
      [left, right] = [left.replace(/^\d+/, ''), right.replace(/^\d+/, '')];
    }
    if (verb === 'MSGS' && /\|9$/.test(command.trim())) {
      [left, right] = [left, right].map((row) => row.replace(/(^|[|,])-?\d{6,10}(?=[|,])(?!\d)/g, '$1-')) as [
        string,
        string,
      ];
      if (!this.#hashesAgree(recorded, actual)) return false;
    }
    if (left.replace(VALUES, '·') !== right.replace(VALUES, '·')) return false;
    const [ours, theirs] = [right.match(VALUES) ?? [], left.match(VALUES) ?? []];
    return theirs.every((value, i) => this.#isSameValue(value, ours[i]!));
  }

  #isSameValue(recorded: string, actual: string): boolean {
    if (/^\d{10}$/.test(recorded)) {
      if (recorded === actual) return true;
      const time = Number(actual);
      const isRecorded = Number(recorded) > RECORDED.from && Number(recorded) < RECORDED.to;
      return isRecorded && time >= this.#startedAt && time <= Date.now() / 1000 + 1;
    }
    if (!this.#capture(this.#values, recorded, actual)) return false;
    if (!recorded.includes('@')) return true;
    this.#hashes.set(String(hashMessageId(recorded)), String(hashMessageId(actual)));
    // the second half is the message number
    return recorded.slice(9) === actual.slice(9);
  }

  #hashesAgree(recorded: string, actual: string): boolean {
    const hashes = /(?<=[|,])-?\d{6,10}(?=[|,])/g;
    const [theirs, ours] = [recorded.match(hashes) ?? [], actual.match(hashes) ?? []];
    return theirs.every((hash, i) => {
      if (/^\d{10}$/.test(hash) && this.#isSameValue(hash, ours[i] ?? '')) return true;
      return this.#hashes.has(hash)
        ? this.#hashes.get(hash) === ours[i]
        : this.#capture(this.#hashes, hash, ours[i] ?? '');
    });
  }

  #capture(known: Map<string, string>, recorded: string, actual: string): boolean {
    const value = known.get(recorded);
    if (value !== undefined) return value === actual;
    known.set(recorded, actual);
    return true;
  }
}

// What one of the people of a soak has posted into a room, and deleted there: messages, each of which has a number.

import { hash } from 'node:crypto';
import { type Person, typed } from './person.ts';

/** `doubt`: whether it is there is not known, for the answer did not say */
type Fate = 'kept' | 'deleted' | 'doubt';

interface Entry {
  digest: string;
  number: number | undefined;
  fate: Fate;
}

export const digestOf = (bytes: string): string => hash('sha256', bytes);

export class MessageLedger {
  readonly #person: Person;
  readonly #room: string;
  readonly #entries = new Map<string, Entry>();

  /** `room`: its path */
  constructor(person: Person, room: string) {
    this.#person = person;
    this.#room = room;
  }

  get written(): number {
    return this.#entries.size;
  }

  /** Of these, those whose answer said what became of them. */
  get acknowledged(): number {
    return this.#entries.values().reduce((sum, { fate }) => sum + (fate === 'doubt' ? 0 : 1), 0);
  }

  async post(): Promise<void> {
    const { random } = this.#person;
    const subject = this.#person.fresh();
    const length = random(50) === 0 ? 20_000 : 1 + random(200);
    const body = `${subject} says ${random(1e9)} words\n`.repeat(length);
    const entry: Entry = { digest: digestOf(body), number: undefined, fate: 'doubt' };
    this.#entries.set(subject, entry);
    const answer = await this.#person.ask('PUT', `${this.#room}/new?subj=${subject}`, typed('text/plain', body));
    if (answer?.status === 201) {
      entry.fate = 'kept';
      entry.number = Number(answer.headers.get('location')!.split('/').at(-1));
    } else if (answer && answer.status < 500) {
      entry.fate = 'deleted'; // it says that nothing was done
    }
  }

  /** Path of one that is there. */
  somePath(): string | undefined {
    const entry = this.#some();
    return entry && `${this.#room}/${entry.number}`;
  }

  #some(): Entry | undefined {
    const kept = [...this.#entries.values()].filter(({ fate, number }) => fate === 'kept' && number !== undefined);
    return this.#person.pick(kept);
  }

  async remove(): Promise<void> {
    const entry = this.#some();
    if (!entry) return;
    entry.fate = 'doubt';
    const answer = await this.#person.ask('DELETE', `${this.#room}/${entry.number}`);
    if (answer?.status === 204) entry.fate = 'deleted';
    else if (answer?.status === 401) entry.fate = 'kept';
    else if (answer && answer.status < 500)
      this.#person.complain(`deleting ${entry.number} was answered ${answer.status}`);
  }

  async readBack(): Promise<void> {
    const entry = this.#some();
    if (!entry) return;
    const answer = await this.#person.ask('GET', `${this.#room}/${entry.number}`);
    if (!answer || answer.status >= 500 || answer.status === 401) return;
    if (answer.status !== 200 || digestOf(answer.text) !== entry.digest) {
      this.#person.complain(`message ${entry.number} was read as ${answer.status}, ${answer.text.length} bytes`);
    }
  }

  /** All that was acknowledged is there once, and whole; what was deleted is not, nor anything that nobody posted. */
  async settleUp(): Promise<void> {
    const person = this.#person;
    const list = await person.ask('GET', `${this.#room}/mailbox`);
    if (list?.status !== 200) return person.complain(`the list of messages: ${list?.status}`);
    const { msgs } = JSON.parse(list.text) as { msgs: { msgnum: number; subject: string }[] };
    const found = Map.groupBy(msgs, ({ subject }) => subject);
    for (const [subject, { fate, digest }] of this.#entries) {
      const there = found.get(subject) ?? [];
      found.delete(subject);
      const isRight =
        fate === 'kept' ? there.length === 1 : fate === 'deleted' ? there.length === 0 : there.length <= 1;
      if (!isRight) person.complain(`${subject} (${fate}) is there ${there.length} times`);
      for (const { msgnum } of there) {
        const read = await person.ask('GET', `${this.#room}/${msgnum}`);
        if (!read || digestOf(read.text) !== digest) person.complain(`${subject} has changed`);
      }
    }
    for (const subject of found.keys()) person.complain(`nobody posted ${subject}`);
  }
}

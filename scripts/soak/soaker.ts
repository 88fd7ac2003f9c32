// What one of the people of a soak does: posts and deletes messages, writes objects over and over, runs errands, asks
// every route there is, breaks off, and reads slowly. At the end the ledgers are compared with what is there.

import { setTimeout as sleep } from 'node:timers/promises';
import { VIEW } from '../../src/model.ts';
import { runErrand } from './errands.ts';
import { MessageLedger } from './message-ledger.ts';
import { type ObjectKind, ObjectLedger } from './object-ledger.ts';
import { json, type Person } from './person.ts';
import { everyRoute } from './routes.ts';
import { Scratch } from './scratch.ts';

const OBJECT_KINDS: readonly ObjectKind[] = ['files', 'calendar', 'addressBook'];
const ROUTES = everyRoute();

export class Soaker {
  readonly #person: Person;
  readonly #messages: MessageLedger;
  readonly #objects: readonly ObjectLedger[];
  readonly #scratch: Scratch;

  constructor(person: Person) {
    this.#person = person;
    this.#messages = new MessageLedger(person, person.room('Kept'));
    this.#objects = OBJECT_KINDS.map((kind) => new ObjectLedger(person, person.room(`Kept-${kind}`), kind));
    this.#scratch = new Scratch(person);
  }

  get written(): number {
    return this.#ledgers.reduce((sum, { written }) => sum + written, 0);
  }

  /** Of these, those whose answer said what became of them. */
  get acknowledged(): number {
    return this.#ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  get #ledgers(): (MessageLedger | ObjectLedger)[] {
    return [this.#messages, ...this.#objects];
  }

  /** Before anything is disturbed. */
  async settle(): Promise<void> {
    await this.#newRoom('Kept', VIEW.board);
    for (const kind of OBJECT_KINDS) await this.#newRoom(`Kept-${kind}`, VIEW[kind]);
    await this.#scratch.make();
  }

  async #newRoom(kind: string, view: number): Promise<void> {
    const { name } = this.#person;
    const made = await this.#person.ask('POST', 'r/', json({ name: `${kind} ${name}`, kind: 'personal', view }));
    if (made?.status !== 201) throw new Error(`${name} has no room: ${made?.status}`);
  }

  async live(isOver: () => boolean): Promise<void> {
    const { random } = this.#person;
    while (!isOver()) {
      const chance = random(13);
      if (chance < 3) await this.#messages.post();
      else if (chance === 3) await this.#messages.remove();
      else if (chance === 4) await this.#messages.readBack();
      else if (chance === 5) await this.#breakOff();
      else if (chance < 9) await this.#person.pick(this.#objects)!.act();
      else if (chance < 11) await this.#scratch.ask(this.#person.pick(ROUTES)!);
      else await runErrand(this.#person);
      await sleep(random(1000));
    }
  }

  #breakOff(): Promise<void> {
    const room = this.#person.room('Kept');
    const isSending = this.#person.random(2) === 0;
    const path = isSending ? `${room}/broken.txt` : (this.#messages.somePath() ?? `${room}/mailbox`);
    return this.#person.breakOff(path, isSending);
  }

  async settleUp(): Promise<void> {
    for (const ledger of this.#ledgers) await ledger.settleUp();
  }
}

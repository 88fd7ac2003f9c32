// What one of the people of a soak has PUT into a room under names, written over and deleted: files, events, contacts.

import { calendarObject, contact } from '../../test/support/calendar-object.ts';
import { digestOf } from './message-ledger.ts';
import type { Person, Told } from './person.ts';

export type ObjectKind = 'files' | 'calendar' | 'addressBook';

interface Format {
  type: string;
  nameOf(uid: string): string;
  write(uid: string, words: string): string;
}

const FORMATS: Readonly<Record<ObjectKind, Format>> = {
  files: { type: 'text/plain', nameOf: (uid) => `${uid}.txt`, write: (_, words) => words.repeat(20) },
  calendar: {
    type: 'text/calendar; charset=utf-8',
    nameOf: (uid) => `${uid}.ics`,
    write: (uid, words) =>
      calendarObject('VEVENT', uid, ['DTSTART:20260710T100000Z', 'DURATION:PT1H', `SUMMARY:${words}`]),
  },
  addressBook: { type: 'text/vcard; charset=utf-8', nameOf: (uid) => `${uid}.vcf`, write: contact },
};
/** few, so that each is written over and over */
const NAMES = 5;
const LIST = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';

interface Version {
  digest: string;
  /** undefined where no answer has told it */
  etag: string | undefined;
}

/** What may be there, by the answers; one alone where it is known. */
type Versions = Set<Version | 'nothing'>;

export class ObjectLedger {
  readonly #person: Person;
  readonly #room: string;
  readonly #format: Format;
  readonly #entries = new Map<string, Versions>();
  written = 0;
  acknowledged = 0;

  /** `room`: its path */
  constructor(person: Person, room: string, kind: ObjectKind) {
    this.#person = person;
    this.#room = room;
    this.#format = FORMATS[kind];
  }

  async act(): Promise<void> {
    const uid = `object-${this.#person.random(NAMES)}`;
    const versions = this.#entries.getOrInsertComputed(uid, () => new Set(['nothing' as const]));
    const chance = this.#person.random(6);
    if (chance < 3) await this.#put(uid, versions);
    else if (chance === 3) await this.#remove(uid, versions);
    else await this.#read(uid, versions);
  }

  async #put(uid: string, versions: Versions): Promise<void> {
    const known = knownIn(versions);
    const { type, write } = this.#format;
    const body = write(uid, `${this.#person.fresh()} says ${this.#person.random(1e9)} words`);
    const version: Version = { digest: digestOf(body), etag: undefined };
    const condition = this.#person.random(2) === 0 ? conditionOf(known) : {};
    const init = { headers: { 'content-type': type, ...condition }, body };
    versions.add(version);
    this.written++;
    const answer = await this.#change('PUT', uid, init);
    if (!answer) return;
    if (answer === 'refused') versions.delete(version);
    else {
      version.etag = answer.headers.get('etag') ?? undefined;
      if (version.etag === undefined) this.#person.complain(`${uid} was stored without an ETag`);
      const isNew = answer.status === 201;
      if (known && isNew !== (known === 'nothing')) this.#person.complain(`${uid}: PUT was answered ${answer.status}`);
      only(versions, version);
    }
    this.acknowledged++;
  }

  async #remove(uid: string, versions: Versions): Promise<void> {
    const known = knownIn(versions);
    if (!known || known === 'nothing') return;
    const headers = this.#person.random(2) === 0 ? conditionOf(known) : {};
    versions.add('nothing');
    const answer = await this.#change('DELETE', uid, { headers });
    if (answer === 'refused') versions.delete('nothing');
    else if (answer) only(versions, 'nothing');
  }

  /** undefined: whether it was done is not known; refused: it was not */
  async #change(method: string, uid: string, init: object): Promise<Told | 'refused' | undefined> {
    const answer = await this.#person.ask(method, this.#pathOf(uid), init);
    if (!answer || answer.status >= 500) return undefined;
    if (answer.status < 300) return answer;
    if (answer.status !== 401)
      this.#person.complain(`${method} of ${uid} was answered ${answer.status} ${answer.text}`);
    return 'refused';
  }

  async #read(uid: string, versions: Versions): Promise<void> {
    const known = knownIn(versions);
    const etag = typeof known === 'object' && this.#person.random(2) === 0 ? known.etag : undefined;
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const answer = await this.#person.ask('GET', this.#pathOf(uid), { headers });
    if (!answer || answer.status >= 500 || answer.status === 401) return;
    if (etag !== undefined) {
      if (answer.status !== 304)
        this.#person.complain(`${uid}: the ETag that was told fits no longer: ${answer.status}`);
    } else this.#judge(uid, versions, answer);
  }

  #judge(uid: string, versions: Versions, { status, text, headers }: Told): void {
    const digest = digestOf(text);
    const isRight = [...versions].some((version) =>
      version === 'nothing'
        ? status === 404
        : status === 200 && version.digest === digest && (version.etag ?? headers.get('etag')) === headers.get('etag'),
    );
    if (!isRight) this.#person.complain(`${this.#pathOf(uid)} was read as ${status} ${headers.get('etag')} ${text}`);
  }

  /** Each is there as it was acknowledged last, once, and its ETag is that of the list; nothing else is there. */
  async settleUp(): Promise<void> {
    const person = this.#person;
    const list = await person.ask('PROPFIND', `${this.#room}/`, {
      headers: { depth: '1', 'content-type': 'application/xml' },
      body: LIST,
    });
    if (list?.status !== 207) return person.complain(`the list of ${this.#room}: ${list?.status}`);
    const listed = Map.groupBy(membersIn(list.text), ({ name }) => name);
    for (const [uid, versions] of this.#entries) {
      const answer = await person.ask('GET', this.#pathOf(uid), {});
      if (!answer) return person.complain(`${this.#pathOf(uid)} was not answered`);
      this.#judge(uid, versions, answer);
      const name = this.#format.nameOf(uid);
      const there = (listed.get(name) ?? []).map(({ etag }) => etag);
      listed.delete(name);
      const expected = answer.status === 200 ? `${answer.headers.get('etag')}` : '';
      if (there.join(' and ') !== expected) person.complain(`${name} is listed as ${there}, and is ${expected}`);
    }
    for (const name of listed.keys()) person.complain(`nobody has PUT ${name}`);
  }

  #pathOf(uid: string): string {
    return `${this.#room}/${this.#format.nameOf(uid)}`;
  }
}

function knownIn(versions: Versions): Version | 'nothing' | undefined {
  const [only] = versions;
  return versions.size === 1 ? only : undefined;
}

function only(versions: Versions, version: Version | 'nothing'): void {
  versions.clear();
  versions.add(version);
}

/** Of a change that is right when this is there. */
function conditionOf(known: Version | 'nothing' | undefined): Record<string, string> {
  if (known === 'nothing') return { 'if-none-match': '*' };
  return known?.etag === undefined ? {} : { 'if-match': known.etag };
}

/** What a multistatus lists but for the room itself. */
function membersIn(multistatus: string): { name: string; etag: string | undefined }[] {
  return multistatus
    .split('<D:response>')
    .slice(1)
    .map((response) => ({
      name: /<D:href>[^<]*\/([^/<]*)</.exec(response)![1]!,
      etag: /<D:getetag>([^<]*)</.exec(response)?.[1],
    }))
    .filter(({ name }) => name !== '');
}

// Rooms of one of the people of a soak that any route may change or remove: files, pages, mails and an upload.

import { VIEW } from '../../src/model.ts';
import type { World } from '../../test/support/access-places.ts';
import type { Asked } from '../../test/support/access-requests.ts';
import { MAIL } from '../../test/support/access-things.ts';
import { json, type Person, typed } from './person.ts';

const TAKES_AWAY: ReadonlySet<string> = new Set(['DELETE', 'MOVE']);

export class Scratch {
  readonly #person: Person;
  #message = '1';
  #version: string | undefined;
  #upload = 'none';

  constructor(person: Person) {
    this.#person = person;
  }

  /** What of it is there already stays. */
  async make(): Promise<void> {
    const person = this.#person;
    const newRoom = (name: string, view: number) =>
      person.ask('POST', 'r/', json({ name: `${name} ${person.name}`, kind: 'personal', view }));
    const put = (path: string, type = 'text/plain', body = `words ${person.fresh()}`) =>
      person.ask('PUT', path, typed(type, body));
    const [files, pages, mails] = [person.room('Scratch'), person.room('Pages'), person.room('Mails')];
    await newRoom('Scratch', VIEW.files);
    await put(`${files}/file.txt`);
    await person.ask('MKCOL', `${files}/inner`, {});
    await put(`${files}/inner/deep.txt`);
    await newRoom('Pages', VIEW.wiki);
    for (let i = 0; i < 2; i++) await put(`${pages}/Plans`);
    const history = await person.ask('GET', `${pages}/Plans/history`);
    if (history?.status === 200) this.#version = (JSON.parse(history.text) as { version: string }[]).at(-1)?.version;
    await newRoom('Mails', VIEW.board);
    const mail = await put(`${mails}/new`, 'multipart/mixed; boundary=b', MAIL);
    this.#message = mail?.headers.get('location')?.split('/').at(-1) ?? this.#message;
    const upload = await person.ask('POST', 'p?filename=a', { body: 'words' });
    if (upload?.status === 201) this.#upload = (JSON.parse(upload.text) as { ref: string }[])[0]!.ref;
  }

  /** Asks a route here or, where it names no room, of the person. */
  async ask(row: Asked): Promise<void> {
    const isPage = row.pattern.includes('/history');
    const isMail = /:part|:name\/json|invitation/.test(row.pattern);
    const world: World = {
      room: this.#person.room(isPage ? 'Pages' : isMail ? 'Mails' : 'Scratch').slice('r/'.length),
      name: isPage ? 'Plans' : isMail ? this.#message : 'file.txt',
      version: this.#version ?? '1',
      user: this.#person.name,
      floor: '0',
      upload: this.#upload,
      password: 'none',
      part: '2',
    };
    const answer = await this.#person.askRow(row, world);
    // and where it is not known
    const isGone = TAKES_AWAY.has(row.method) && !(answer && answer.status >= 400 && answer.status < 500);
    if (isGone) await this.make();
  }
}

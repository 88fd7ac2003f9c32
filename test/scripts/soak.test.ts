// What the people of the soak (scripts/soak/) ask, where nothing is in their way: in a soak a route that nobody asks
// rightly looks like one that was unlucky.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { ADMIN_ERRANDS, ERRANDS } from '../../scripts/soak/errands.ts';
import { MessageLedger } from '../../scripts/soak/message-ledger.ts';
import { ObjectLedger } from '../../scripts/soak/object-ledger.ts';
import { json, Person, type Tally, typed } from '../../scripts/soak/person.ts';
import { everyRoute, routesWithoutSuccess } from '../../scripts/soak/routes.ts';
import { Scratch } from '../../scripts/soak/scratch.ts';
import { findSocketPaths } from '../../src/backend/wire/socket-paths.ts';
import { LEVEL, VIEW } from '../../src/model.ts';
import { startGateway } from '../support/gateway.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { writeSiteFiles } from '../support/site-files.ts';

const site = await mkdtemp(join(tmpdir(), 'vestibule-'));
after(() => rm(site, { recursive: true }));
await writeSiteFiles(site);
const users = ['ann', 'ben'].map((name) => ({ name, password: name, level: LEVEL.admin }));
const first = await startGateway({ after }, { users });
const backend = `unix:${findSocketPaths(first.dataFolder).socketPath}`;
const gateway = await startGateway({ after }, { backend, options: ['--static', site] });

const seed = newSeed();

function newPerson(tally: Tally, usesCookie = false): Person {
  const who = { name: 'ann', neighbour: 'ben', isAdmin: true, usesCookie };
  return new Person({ ...who, url: gateway.url, random: randomFrom(seed), tally });
}

function newTally(): Tally {
  return { counts: new Map(), problems: [] };
}

it('errands are refused nothing, and with single requests they reach every route', async () => {
  const tally = newTally();
  const [browser, program] = [newPerson(tally, true), newPerson(tally)];
  const scratch = new Scratch(program);
  await scratch.make();
  for (const errand of [...ERRANDS, ...ADMIN_ERRANDS]) await errand(browser);
  const refused = [...tally.counts.keys()].filter((key) => !/\t[23]\d\d$/.test(key));
  assert.deepEqual(refused, [], `seed ${seed}`);
  for (const row of everyRoute()) await scratch.ask(row);
  assert.deepEqual(tally.problems, [], `seed ${seed}`);
  assert.deepEqual(routesWithoutSuccess(tally.counts), [], `seed ${seed}`);
});

it('a route is reached by a success of its own', () => {
  const counts = new Map([
    ['GET r/:room\t200', 1],
    ['GET r/\t502', 7],
    ['GET r\tlost', 1],
    ['PUT r/:room/:name\t204', 2],
  ]);
  const without = routesWithoutSuccess(counts);
  for (const route of ['GET r/', 'GET r', 'GET r/:room/']) assert.ok(without.includes(route), route);
  for (const route of ['GET r/:room', 'PUT r/:room/:name']) assert.ok(!without.includes(route), route);
});

it('what others did to messages in a ledger is told', async () => {
  const tally = newTally();
  const person = newPerson(tally);
  const room = person.room('Ledger');
  await person.ask('POST', 'r/', json({ name: 'Ledger ann', kind: 'personal' }));
  const ledger = new MessageLedger(person, room);
  for (let i = 0; i < 8; i++) await ledger.post();
  for (let i = 0; i < 2; i++) await ledger.remove();
  await ledger.readBack();
  await ledger.settleUp();
  assert.deepEqual(tally.problems, [], `seed ${seed}`);
  assert.ok(ledger.written === 8 && ledger.acknowledged === 8);

  await person.ask('DELETE', ledger.somePath()!);
  await person.ask('PUT', `${room}/new?subj=strange`, typed('text/plain', 'words'));
  await ledger.settleUp();
  assert.match(tally.problems.join('\n'), /^ann: ann-\d+ \(kept\) is there 0 times\nann: nobody posted strange$/);
});

for (const [kind, type, name] of [
  ['files', 'text/plain', 'txt'],
  ['calendar', 'text/calendar', 'ics'],
  ['addressBook', 'text/vcard', 'vcf'],
] as const) {
  it(`what others did to ${kind} in a ledger is told`, async () => {
    const tally = newTally();
    const person = newPerson(tally);
    const room = person.room(kind);
    const fields = json({ name: `${kind} ann`, kind: 'personal', view: VIEW[kind] });
    assert.equal((await person.ask('POST', 'r/', fields))?.status, 201);
    const ledger = new ObjectLedger(person, room, kind);
    let path: string | undefined;
    for (let i = 0; i < 60 || path === undefined; i++) {
      await ledger.act();
      const list = await person.ask('PROPFIND', room, { headers: { depth: '1' } });
      [path] = list!.text.match(new RegExp(`/svc/${room}/object-\\d\\.${name}`)) ?? [];
    }
    await ledger.settleUp();
    assert.deepEqual(tally.problems, [], `seed ${seed}`);
    assert.ok(ledger.written > 5 && ledger.acknowledged === ledger.written);

    const { text } = (await person.ask('GET', path))!;
    const judged = async (): Promise<string[]> => {
      tally.problems.length = 0;
      await ledger.settleUp();
      return tally.problems;
    };
    const put = (to: string, body: string) => person.ask('PUT', to, typed(type, body));
    const { ask } = person;
    person.ask = async (...asked) => {
      const told = await ask.apply(person, asked);
      return asked[0] === 'GET' && told?.status === 200 ? { ...told, text: `${told.text}x` } : told;
    };
    assert.match((await judged()).join('\n'), /was read as 200/, 'other bytes under the same ETag');
    person.ask = ask;
    await put(path, text.replace('words', 'other words'));
    assert.equal((await judged()).length, 1, 'written over');
    await put(path, text);
    assert.equal((await judged()).length, 1, 'the same bytes, and another ETag');
    await person.ask('DELETE', path);
    assert.equal((await judged()).length, 1, 'deleted');
    await put(path.replace('object-', 'strange-'), text.replaceAll('UID:object-', 'UID:strange-'));
    assert.match((await judged()).join('\n'), /nobody has PUT strange-/);
  });
}

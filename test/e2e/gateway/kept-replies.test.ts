// What a gateway keeps of its answers is what it would answer: after each of many changes of every kind, by anybody and
// through either gateway, reads of several users are the same at the gateway that brings the room server, twice, and at
// another one in front of that, which keeps nothing.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventOn, NAMESPACES } from '../../support/dav-world.ts';
import { type Api, behindGateway, startGateway } from '../../support/gateway.ts';
import { newSeed, type Random, randomFrom } from '../../support/random.ts';
import type { Init } from '../../support/raw-http.ts';

const STEPS = 25;
const USERS = ['admin', 'ann', 'bob'];
const PASSWORDS: Record<string, string> = { admin: 'secret', ann: 'ann', bob: 'bob' };
const ROOMS = ['Public', 'Closed', 'Mail', 'Days', '_MAIL_', 'Lobby'];
const WANTED = ['resourcetype', 'getetag', 'displayname', 'sync-token', 'getcontentlength', 'getlastmodified'];

interface World {
  as: (user: string) => Api;
  /** numbers of messages in Public, the last one last */
  posted: number[];
}

type Step = (world: World, random: Random) => Promise<unknown>;

const oneOf = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!;
const json = (value: unknown, method = 'POST'): Init => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const posted = async (api: Api, path: string): Promise<number> => {
  const text = { 'content-type': 'text/plain; charset=utf-8' };
  const answer = await api(path, { method: 'PUT', headers: text, body: `text of ${path}` });
  assert.ok(answer.ok || answer.status === 403 || answer.status === 404, `${path}: ${answer.status}`);
  return Number(answer.headers.get('etag')?.slice(1, -1) ?? 0);
};

// not somebody's level: the other gateway knows that from the log-in
const STEPS_BY_NAME: Record<string, Step> = {
  post: async ({ as, posted: all }) => {
    const number = await posted(as('ann'), 'r/Public/new?subj=hello');
    if (number > 0) all.push(number); // she may not be let in
    return number;
  },
  mail: ({ as }) => posted(as('bob'), 'r/Mail/new?subj=for%20ann&mailto=ann'),
  delete: ({ as, posted: all }, random) => as('admin')(`r/Public/${oneOf(all, random)}`, { method: 'DELETE' }),
  seen: ({ as, posted: all }, random) =>
    as(oneOf(USERS, random))(`r/Public/${oneOf(all, random)}`, json({ seen: random(2) === 1 }, 'PATCH')),
  'last read': ({ as }, random) =>
    as(oneOf(USERS, random))('r/Public/slrp?last=HIGHEST', { headers: { 'x-requested-with': 'test' } }),
  event: ({ as }, random) => {
    const uid = `event-${random(4)}`;
    const headers = { 'content-type': 'text/calendar' };
    return as('ann')(`r/Days/${uid}.ics`, { method: 'PUT', headers, body: eventOn(uid, '20260710') });
  },
  'event gone': ({ as }, random) => as('ann')(`r/Days/event-${random(4)}.ics`, { method: 'DELETE' }),
  'set property': ({ as }, random) => {
    const body = `<D:propertyupdate ${NAMESPACES}><D:set><D:prop><D:displayname>Days ${random(9)}</D:displayname>
      <x xmlns="urn:x">${random(9)}</x></D:prop></D:set></D:propertyupdate>`;
    return as('ann')(`r/Days/event-${random(4)}.ics`, { method: 'PROPPATCH', body });
  },
  close: ({ as }, random) =>
    as('admin')('r/Public/', json({ kind: oneOf(['public', 'public', 'invitation'], random) }, 'PATCH')),
  anonymous: ({ as }, random) => as('admin')('r/Public/', json({ is_anonymous_only: random(2) === 1 }, 'PATCH')),
  invite: ({ as }, random) =>
    as('admin')(`r/Closed/members/${oneOf(['ann', 'bob'], random)}`, { method: oneOf(['PUT', 'DELETE'], random) }),
  room: ({ as }, random) =>
    as('admin')(`r/Room%20${random(3)}/`, { method: oneOf(['MKCOL', 'MKCOL', 'DELETE'], random) }),
  floor: ({ as }, random) => as('admin')('f/0', json({ name: `Floor ${random(9)}` }, 'PATCH')),
  forget: ({ as }, random) =>
    as(oneOf(['ann', 'bob'], random))('r/Public/', json({ is_zapped: random(2) === 1 }, 'PATCH')),
};

function readsOf(posted: readonly number[], random: Random): [path: string, init: Init][] {
  const number = oneOf(posted.slice(-3), random);
  const body = `<D:propfind ${NAMESPACES}><D:prop>${WANTED.map((name) => `<D:${name}/>`).join('')}<x xmlns="urn:x"/>
    </D:prop></D:propfind>`;
  const room = oneOf(ROOMS, random);
  const get = [`r/Public/${number}`, `r/Public/${number}/json`, `r/Public/${number}/1`, 'r/Public/mailbox'];
  const ofRoom = [
    `r/${room}/`,
    `r/${room}/stat`,
    `r/${room}/msgs.new`,
    'r/Public/msgs.all',
    `r/${room}/mailbox`,
    `r/${room}/mailbox?last=2&fields=to,files,snippet`,
    'r/Days/event-1.ics',
    'r/',
    'f/',
  ];
  const asked = ['0', '1'].flatMap((depth) =>
    [room, 'Days'].map((name): [string, Init] => [`r/${name}/`, { method: 'PROPFIND', headers: { depth }, body }]),
  );
  return [...[...get, ...ofRoom].map((path): [string, Init] => [path, {}]), ...asked];
}

it('answers that are kept are those that would be given', async (t) => {
  const seed = newSeed();
  const random = randomFrom(seed);
  const users = ['ann', 'bob'].map((name) => ({ name, password: name }));
  const keeping = await startGateway(t, { users, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
  const asking = await behindGateway(t, keeping);
  const of = (gateway: typeof keeping) => (user: string) =>
    user === '' ? gateway.api : gateway.as(user, PASSWORDS[user]);
  const admin = of(keeping)('admin');
  for (const [name, kind] of [
    ['Public', 'public'],
    ['Closed', 'invitation'],
  ]) {
    assert.equal((await admin('r/', json({ name, kind }))).status, 201);
  }
  assert.equal((await of(keeping)('ann')('r/Days/', { method: 'MKCALENDAR' })).status, 201);
  const world: World = { as: of(keeping), posted: [await posted(admin, 'r/Public/new?subj=first')] };
  const told = async (api: Api, [path, init]: [string, Init]) => {
    const answer = await api(path, init);
    const [type, etag] = [answer.headers.get('content-type'), answer.headers.get('etag')];
    // the id of the request
    const text = answer.ok ? await answer.text() : '';
    return { status: answer.status, type, etag, text };
  };
  const done: string[] = [];
  const changed = new Set<string>();
  for (let i = 0; i < STEPS; i++) {
    const name = oneOf(Object.keys(STEPS_BY_NAME), random);
    done.push(name);
    const answer = await STEPS_BY_NAME[name]!({ ...world, as: of(oneOf([keeping, asking], random)) }, random);
    if (answer instanceof Response ? answer.ok : answer) changed.add(name);
    for (const user of ['', ...USERS]) {
      for (const read of readsOf(world.posted, random)) {
        const expected = await told(of(asking)(user), read);
        const shown = `seed ${seed}, ${user} ${read[1].method ?? ''} ${read[0]} after ${done.slice(-3)}`;
        for (const _ of [1, 2]) assert.deepEqual(await told(of(keeping)(user), read), expected, shown);
      }
    }
  }
  t.diagnostic(`changed: ${[...changed].join(', ')}`);
});

// A room server that says anything to a whole gateway: an input is the name of a request and what is said while that is
// answered. Whatever it is, the answer by HTTP is one, well-formed and as documented, or says that the room server was
// not understood; and the next request, of a room server that is right again, is served.

import assert from 'node:assert/strict';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { basic } from '../../support/gateway.ts';
import { assertDocumentedAnswer } from '../../support/openapi.ts';
import { startRealServer } from '../../support/real-server.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { type Apps, startApps } from '../apps.ts';
import type { Target } from '../engine.ts';
import { headerOf, receivedFrom, type StrictAnswer, strictAnswer } from '../http-answer.ts';
import { changedAnswer, EVIL } from '../mutate-answer.ts';
import { PREFIX, requestTo } from '../requests.ts';
import { roomRequests } from '../room-requests.ts';
import {
  readTalk,
  recordTalk,
  type Said,
  Script,
  type ScriptedServer,
  scriptedServer,
  verbOf,
  writeTalk,
} from '../room-talk.ts';

const WORLDS = ['own', 'ordinary'] as const;
type World = (typeof WORLDS)[number];

/** by name: `GET r/Lobby`, `REPORT r/Events/ 2` where several ask for the same */
const REQUESTS: ReadonlyMap<string, string> = named(roomRequests());
const NEXT = requestTo('GET', 'f/');
/** what inputs hold of a seed: the engine makes no others of long ones */
const MAX_ANSWER_CHARACTERS = 2500;
const MAX_TALK_CHARACTERS = 5000;
/** many times what a room server may say here */
const MAX_CONTENT_BYTES = 4 << 20;
const SOME_DATE = 'Thu, 01 Jan 1970 00:00:00 GMT';
const HTTP_DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
/** that one request may cost a room server */
const MOST_CONNECTIONS = 50;
const MOST_COMMANDS = 5000;
/** an ordinary room server is asked the same for them as Vestibule's */
const AS_AT_OWN = /^(?:LOCK|UNLOCK|MKCOL|MKCALENDAR|PROPPATCH|POST|PATCH) /;
const LOG_IN = /^(?:$|IDEN|USER|PASS|DEXP|NOOP|QUIT)/;
/** a room server that is not understood, and one whose disk is full */
const NOT_OURS: ReadonlySet<ErrorCode> = new Set([
  'backend_protocol',
  'backend_lost',
  'backend_timeout',
  'backend_unreachable',
  'insufficient_storage',
]);

interface Site {
  apps: Apps;
  server: ScriptedServer;
  /** what a right room server has said in each world, by command and by verb */
  right: Record<World, ReadonlyMap<string, string>>;
  seeds: Buffer[];
}

let starting: Promise<Site> | undefined;

async function start(): Promise<Site> {
  const apps = await startApps();
  const server = await scriptedServer();
  const right = { own: new Map<string, string>(), ordinary: new Map<string, string>() };
  const seeds: Buffer[] = [];
  for (const world of WORLDS) seeds.push(...(await recorded(apps, world, right[world])));
  return { apps, server, right, seeds };
}

/** Asks everything of a room server that is right; `right` gets what it has said. */
async function recorded(apps: Apps, world: World, right: Map<string, string>): Promise<Buffer[]> {
  const ends: (() => Promise<void> | void)[] = [];
  const t = { after: (end: () => Promise<void> | void) => void ends.unshift(end) };
  const real = world === 'ordinary' ? await startRealServer(t, { demo: true }) : undefined;
  const behind = real?.behind ?? (await startRoomServer(t, { demo: true }));
  behind.store.prepare("UPDATE user SET level = 6 WHERE name = 'alice'").run();
  const recorder = await recordTalk(real?.path ?? behind.socketPath);
  ends.unshift(() => recorder.close());
  const seeds: Buffer[] = [];
  for (const [name, request] of [['', NEXT] as const, ...REQUESTS]) {
    if (real && AS_AT_OWN.test(name)) continue;
    apps.renew(recorder.path);
    await receivedFrom(apps.port, asAlice(request));
    const talk = recorder.taken();
    for (const { command, answer } of talk) {
      right.getOrInsert(command, answer);
      right.getOrInsert(verbOf(command), answer);
    }
    if (name !== '' && talk.some(({ command }) => !LOG_IN.test(command))) seeds.push(seedOf(`${world} ${name}`, talk));
  }
  for (const end of ends) await end();
  apps.faults.splice(0);
  return seeds;
}

function seedOf(first: string, talk: readonly Said[]): Buffer {
  let left = MAX_TALK_CHARACTERS;
  const isLogIn = /a\/(?:whoami|start)$/.test(first);
  const kept = talk.filter(({ command, answer }) => {
    if (answer.length > Math.min(left, MAX_ANSWER_CHARACTERS) || (!isLogIn && LOG_IN.test(command))) return false;
    left -= command.length + answer.length;
    return true;
  });
  return Buffer.from(writeTalk(first, kept), 'latin1');
}

function named(requests: readonly string[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const request of requests) {
    const [method, path = ''] = request.split(' ', 2);
    const first = `${method} ${path.slice(PREFIX.length)}`;
    let name = first;
    for (let count = 2; byName.has(name); count++) name = `${first} ${count}`;
    byName.set(name, request);
  }
  return byName;
}

function asAlice(request: string): Buffer {
  const fields = `authorization: ${basic('alice')}\r\nx-requested-with: test\r\nconnection: close\r\n`;
  return Buffer.from(request.replace('\r\n', `\r\n${fields}`), 'latin1');
}

export const answers: Target = {
  name: 'answers',
  seeds: [],
  madeSeeds: async () => (await (starting ??= start())).seeds,
  words: ['000\n', '100 ok\n', '200 ', '600 4|', '\n<<< GOTO Lobby\n', '\n000\n', '|', '=', ...EVIL.slice(0, 60)],
  vary(input, other, random) {
    const { first, talk } = readTalk(input.toString('latin1'));
    const { first: otherFirst, talk: otherTalk } = readTalk(other.toString('latin1'));
    if (talk.length === 0 || random(12) === 0) return Buffer.from(writeTalk(otherFirst, talk), 'latin1');
    for (let i = 1 + random(3); i > 0; i--) {
      const said = talk[random(talk.length)]!;
      const { answer = '' } = otherTalk[random(otherTalk.length)] ?? {};
      said.answer = changedAnswer(said.answer, answer, random);
    }
    return Buffer.from(writeTalk(first, talk), 'latin1');
  },
  async run(input) {
    const { apps, server, right } = await (starting ??= start());
    const { first, talk } = readTalk(input.toString('latin1'));
    const [world = '', method = '', path = ''] = first.split(' ');
    const request = REQUESTS.get(first.slice(world.length + 1));
    const said = right[world as World];
    if (!said || request === undefined) return 'refused: no request';
    const rejected: unknown[] = [];
    const reject = (error: unknown) => void rejected.push(error);
    process.on('unhandledRejection', reject);
    try {
      await server.play(new Script(talk, said));
      apps.renew(server.path);
      const answer = strictAnswer((await receivedFrom(apps.port, asAlice(request))).received, method === 'HEAD');
      await assertAsPromised(answer, method, path);
      assertNoFaults(apps);
      const { connections, commands } = server.asked();
      assert.ok(connections <= MOST_CONNECTIONS && commands <= MOST_COMMANDS, `${connections} ${commands}`);
      await server.play(new Script([], said));
      const next = strictAnswer((await receivedFrom(apps.port, asAlice(NEXT))).received, false);
      assert.equal(next.status, '200', `the next answer: ${next.content.toString()}`);
      assertNoFaults(apps);
      assert.deepEqual(rejected, []);
      return `${/^(?:401|50[234])$/.test(answer.status) ? 'refused: ' : ''}${answer.status} ${first}`;
    } finally {
      process.off('unhandledRejection', reject);
    }
  },
  async close() {
    const site = await starting;
    starting = undefined;
    await site?.apps.close();
    await site?.server.close();
  },
};

async function assertAsPromised(answer: StrictAnswer, method: string, path: string): Promise<void> {
  const { status, headers, content, isWhole } = answer;
  assert.notEqual(status, '500', content.toString());
  assert.equal(headerOf(answer, 'x-evil'), undefined);
  assert.match(headerOf(answer, 'last-modified') ?? SOME_DATE, HTTP_DATE);
  assert.ok(content.length <= MAX_CONTENT_BYTES, `${content.length} bytes`);
  // what another status says is for people
  if (!isWhole || !status.startsWith('2')) return;
  const body = method === 'HEAD' || status === '204' ? null : content;
  await assertDocumentedAnswer(method, `/${path}`, new Response(body, { status: Number(status), headers }));
}

/** What was logged is the room server's doing. */
function assertNoFaults(apps: Apps): void {
  for (const error of apps.faults.splice(0)) {
    if (!(error instanceof AppError) || !NOT_OURS.has(error.code)) throw error;
  }
}

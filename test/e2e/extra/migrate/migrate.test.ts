// `vestibule copy`: from the embedded room server to another one, to a room server on a socket, as an ordinary client
// sees it, and back. That one is embedded, too; a recorded real server cannot take a copy.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  ADMIN_PASSWORD,
  postedNumber,
  runVestibule,
  startGateway,
  type TestGateway,
} from '../../../support/gateway.ts';
import { newSeed, randomFrom } from '../../../support/random.ts';
import { runCopy as runCopyHere } from '../../../support/run-copy.ts';
import { storedContent } from '../../../support/stored-content.ts';
import { listenOnUnixSocket } from '../../../support/unix-listener.ts';
import { WireClient } from '../../../support/wire-client.ts';

const ENV = {
  VESTIBULE_ADMIN_PASSWORD: ADMIN_PASSWORD,
  VESTIBULE_FROM_PASSWORD: ADMIN_PASSWORD,
  VESTIBULE_TO_PASSWORD: ADMIN_PASSWORD,
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const main = fileURLToPath(new URL('../../../../src/main.ts', import.meta.url));
const seed = newSeed();

const folder = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
after(() => rm(folder, { recursive: true, force: true }));
const passwords = (name: string) => ['--passwords', join(folder, `${name}.txt`)];
const socketOf = ({ dataFolder }: TestGateway) => `unix:${join(dataFolder, 'citadel.socket')}`;

const site = await startGateway({ after }, { demo: true });
await furnish(site);
const original = storedContent(site.dataFolder);

const runCopy = (words: readonly string[], env = ENV) => runCopyHere(words, env);

/** What the demo lacks. */
async function furnish(gateway: TestGateway): Promise<void> {
  const alice = gateway.as('alice');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const image = { 'content-type': 'image/png' };
  const json = { 'content-type': 'application/json' };
  await alice('r/Town%20Square/info.txt', { method: 'PUT', body: 'Where everybody meets.\n' });
  await alice('r/Town%20Square/roompic', { method: 'PUT', headers: image, body: PNG });
  await alice('u/alice/userpic', { method: 'PUT', headers: image, body: PNG });
  await alice('u/alice/bio', { method: 'PUT', body: 'I like gardens.\n' });
  await alice('r/Town%20Square/slrp?last=13');
  const rows = ((await (await alice('r/Town%20Square/mailbox')).json()) as { msgs: { msgnum: number }[] }).msgs;
  const seen = { method: 'PATCH', headers: json, body: '{"seen":true}' };
  await alice(`r/Town%20Square/${rows.at(-2)!.msgnum}`, seen);
  await admin('u/bob/', { method: 'PATCH', headers: json, body: '{"axlevel":5}' });
  const files = await alice('p?filename=a%20b.bin', { method: 'POST', body: Buffer.alloc(100_000, 7) });
  const [{ ref }] = (await files.json()) as [{ ref: string }];
  postedNumber(await alice(`r/Town%20Square/new?subj=Files&att=${ref}`, { method: 'PUT', body: 'See attached.' }));
  await alice('r/', { method: 'POST', headers: json, body: '{"name":"Diary","kind":"personal"}' });
  postedNumber(await alice('r/Diary/new?subj=Dear', { method: 'PUT', body: 'diary' }));
  await gateway.as('bob')('r/Events/', { method: 'PATCH', headers: json, body: '{"is_zapped":true}' });
}

/** Without what every room server has from the beginning. */
function lines(messages: readonly string[]): string[] {
  return messages.filter((row) => !row.startsWith('Lobby: ')).sort();
}

/** An ordinary room server cannot be given a password that nobody can read. */
const onlyInvited = original.rooms.map((row) =>
  row.startsWith('Committee|') ? row.replace('|14|', '|6|').replace(/scrypt\$[^|]*/, '') : row,
);

function inLobby(messages: readonly string[]): number {
  return messages.filter((row) => row.startsWith('Lobby: ')).length;
}

describe('vestibule copy into a new data folder', () => {
  const to = join(folder, 'new');
  const copy = () => runCopy(['--from', `embedded:${site.dataFolder}`, '--to', `embedded:${to}`, ...passwords('new')]);

  it('brings everything, while the source runs', async () => {
    const { code, out, err } = await copy();
    assert.equal(code, 0, err + out);
    const copied = storedContent(to);
    assert.deepEqual(lines(copied.messages), lines(original.messages));
    assert.ok(copied.messages.some((row) => original.messages.includes(row) && row.startsWith('Lobby: ')));
    // its own Welcome; one of the same second has the id of the other folder's, and counts as there
    const own = inLobby(copied.messages) - inLobby(original.messages);
    assert.ok(own === 0 || own === 1);
    assert.equal(copied.count, original.count + own, 'each is kept once');
    assert.deepEqual(copied.rooms, original.rooms);
    assert.deepEqual(copied.users, original.users);
    assert.deepEqual(copied.visits, original.visits);
  });

  it('tells how many messages of each room it has brought, and what of all', async () => {
    const before = storedContent(to);
    const { code, out } = await copy();
    assert.equal(code, 0);
    assert.match(out, /^0 accounts created\nsource\tcopied\tpresent\tskipped\troom\n/);
    assert.match(out, /\n14\t0\t14\t0\tTown Square\n/);
    assert.match(out, /\n1\t0\t1\t0\tDiary of alice\n/);
    const count = original.messages.length;
    assert.match(out, new RegExp(`\n${count}\t0\t${count}\t0\ttotal\nNot copied: `));
    assert.deepEqual(storedContent(to), before);
  });

  it('keeps the new passwords where only their owner reads them, and they open the accounts', async (t) => {
    const file = join(folder, 'new.txt');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const rows = (await readFile(file, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(rows.map((row) => row.split('\t')[0]).sort(), ['alice', 'bob']);
    const gateway = await startGateway(t, { dataFolder: to });
    for (const row of rows) {
      const [name, password] = row.split('\t') as [string, string];
      assert.equal((await gateway.as(name, password)('r/_MAIL_/')).status, 200);
    }
  });
});

describe('vestibule copy to a room server on a socket', () => {
  let peer: TestGateway;
  const closing: (() => Promise<void> | void)[] = [];
  before(async () => {
    const options = ['--line-listen', 'tcp://127.0.0.1:0'];
    peer = await startGateway({ after: (done) => closing.push(done) }, { options });
  });
  after(() => Promise.all(closing.map((close) => close())));
  const from = `embedded:${site.dataFolder}`;
  const copy = () => runCopy(['--from', from, '--to', socketOf(peer), '--to-user', 'admin', ...passwords('peer')]);

  it('needs somebody to log in as, who administers it', async () => {
    await assert.rejects(runCopy(['--from', from, '--to', socketOf(peer)]), {
      message: '--to-user is required: this room server needs a log-in.',
    });
    const wrong = { ...ENV, VESTIBULE_TO_PASSWORD: 'x' };
    await assert.rejects(runCopy(['--from', from, '--to', socketOf(peer), '--to-user', 'admin'], wrong), {
      message: '--to: Wrong user name or password.',
    });
  });

  it('has messages posted by their authors, and says what cannot be kept', async () => {
    const { code, out, err } = await copy();
    assert.equal(code, 0, err + out);
    assert.match(out, /\n14\t14\t0\t0\tTown Square\n/);
    assert.match(out, /\n1\t1\t0\t0\tLobby\n\tlost: the address of Vestibule\n/);
    assert.match(out, /X-Vestibule-Original-/);
    assert.match(out, /\tCommittee\n\tlost: its password, which cannot be read: it is invitation only now\n/);
    assert.match(out, /\tTown Square\n\tlost: the old text format, whose lines are joined/);
    assert.equal(out.match(/\tlost: /g)?.length, 3, out);
    const copied = storedContent(peer.dataFolder);
    assert.deepEqual(copied.rooms, onlyInvited);
    assert.deepEqual(copied.users, original.users);
    // room, author, address, UID outside blogs, subject
    const facts = (rows: readonly string[]) =>
      rows
        .map((row) => row.split('|'))
        .filter(([room]) => !room!.startsWith('Lobby') && !room!.startsWith('Garden Diary'))
        .map((fields) => [fields[0]!.replace(/: .*/, ''), fields[3], fields[5], fields[10], fields.at(-2)].join('|'));
    assert.deepEqual(facts(copied.messages), facts(original.messages));
    const read = (rows: readonly string[]) =>
      rows
        .filter((row) => row.startsWith('alice in Town Square'))
        .map((row) => row.split('|').at(-1)!.split(' ').length);
    assert.deepEqual(read(copied.visits), read(original.visits));
    assert.ok(copied.visits.some((row) => row.startsWith('bob in Events: forgotten')));
    assert.ok(!copied.rooms.some((row) => row.includes('Vestibule copy')));
  });

  it('brings nothing twice', async () => {
    const { messages } = storedContent(peer.dataFolder);
    const { out } = await copy();
    assert.match(out, new RegExp(`\n${original.messages.length}\t0\t${original.messages.length}\t0\ttotal\n`));
    assert.deepEqual(storedContent(peer.dataFolder).messages, messages);
  });

  it('brings a message again that had been cut off', async () => {
    const admin = peer.as('admin', ADMIN_PASSWORD);
    const rows = ((await (await admin('r/Town%20Square/mailbox')).json()) as { msgs: { msgnum: number }[] }).msgs;
    const last = `r/Town%20Square/${rows.at(-1)!.msgnum}`;
    const raw = await (await admin(`${last}?format=rfc822`)).text();
    const marks = raw.split('\r\n').filter((line) => line.startsWith('X-Vestibule-Original'));
    assert.ok(marks.length > 5, raw);
    await admin(last, { method: 'DELETE' });
    const wire = await WireClient.login(join(peer.dataFolder, 'citadel.socket'), 'admin', ADMIN_PASSWORD);
    await wire.expect('GOTO Town Square', 200);
    wire.write(`ENT0 1|||4|Files||0\n${marks.join('\n')}\nContent-Type: text/plain\n\ncut\n000\n`);
    await wire.line();
    await wire.expect('NOOP', 200);
    assert.match((await copy()).out, /\n14\t1\t13\t0\tTown Square\n/);
    assert.match((await copy()).out, /\n14\t0\t14\t0\tTown Square\n/);
  });

  it('goes back over TCP with everything but what nobody can see of others', async () => {
    const back = join(folder, 'back');
    const words = ['--from', peer.lineUrl!, '--from-user', 'admin', '--to', `embedded:${back}`, ...passwords('back')];
    const { code, out, err } = await runCopy(words);
    assert.equal(code, 0, err + out);
    const copied = storedContent(back);
    const listed = (rows: readonly string[]) => lines(rows).filter((row) => !row.startsWith('alice/Diary'));
    assert.deepEqual(listed(copied.messages), listed(original.messages));
    assert.deepEqual(
      copied.rooms,
      onlyInvited.filter((row) => !row.startsWith('alice/Diary')),
    );
    assert.deepEqual(copied.users, original.users);
  });
});

it(`is continued by the next run when it was killed (seed ${seed})`, async (t) => {
  const random = randomFrom(seed);
  const peer = await startGateway(t);
  // passes nothing on any more when so many messages have been posted
  let left = 5 + random(original.messages.length - 10);
  const relay = await listenOnUnixSocket((socket) => {
    const upstream = connect(join(peer.dataFolder, 'citadel.socket'));
    upstream.pipe(socket).once('close', () => upstream.destroy());
    socket.on('data', (bytes: Buffer) => {
      left -= bytes.toString('latin1').split('ENT0 1').length - 1;
      if (left > 0) upstream.write(bytes);
      else child.kill('SIGKILL');
    });
  });
  t.after(() => relay.close());
  const from = ['--from', `embedded:${site.dataFolder}`];
  const to = (address: string) => [...from, '--to', address, '--to-user', 'admin', ...passwords('killed')];
  const child = spawn(process.execPath, [main, 'copy', ...to(`unix:${relay.path}`)], {
    env: { ...process.env, ...ENV },
    stdio: 'ignore',
  });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'], `${left} messages were left`);
  const words = to(socketOf(peer));
  const { code, out, err } = await runCopy(words);
  assert.equal(code, 0, err + out);
  const [, copied, there] = /\n\d+\t(\d+)\t(\d+)\t0\ttotal\n/.exec(out)!;
  assert.ok(Number(copied) > 0 && Number(there) > 0, out);
  assert.equal(Number(copied) + Number(there), original.messages.length);
  const { messages, rooms } = storedContent(peer.dataFolder);
  assert.equal(messages.length, original.messages.length + 1, 'and its own Welcome');
  assert.deepEqual(rooms, onlyInvited);
});

it('tells what it leaves behind of accounts whose passwords it does not know, and ends with 1', async (t) => {
  const peer = await startGateway(t);
  const env = { ...ENV, VESTIBULE_PASSWORD: 'his own' };
  await runVestibule(['user', 'add', 'Bob', '--data', peer.dataFolder], env);
  const from = ['--from', `embedded:${site.dataFolder}`];
  const words = [...from, '--to', socketOf(peer), '--to-user', 'admin', ...passwords('known')];
  const { code, out } = await runCopy(words);
  assert.equal(code, 1);
  assert.match(out, /^1 accounts created\n/);
  assert.match(out, /\n0\t0\t0\t1\tMail of bob\n\tThe password of Bob is unknown\.\n/);
  assert.match(
    out,
    /\n14\t14\t0\t0\tTown Square\n(?:\tlost: the old text format.*\n)?\t6 times: lost: the address of bob\n/,
  );
  const { messages } = storedContent(peer.dataFolder);
  const posted = messages.find((row) => row.includes('|Minutes of the meeting|'))!.split('|');
  assert.deepEqual([posted[3], posted[5]!.replace(/@.*/, '')], ['bob', 'admin']);
  assert.equal((await peer.as('bob', 'his own')('r/_MAIL_/')).status, 200);
});

it('brings each of several messages of one room that have the same id', async (t) => {
  const [from, to] = [await startGateway(t), await startGateway(t)];
  const admin = ({ dataFolder }: TestGateway) => WireClient.connect(join(dataFolder, 'citadel-admin.socket'));
  const wire = await admin(from);
  await wire.expect('GOTO Lobby', 200);
  const put = (text: string) => wire.send('XFER message', `type=4\nmsgn=same@old\nsubj=${text}\ntext\n\n${text}\n`);
  await put('first');
  await put('second');
  const ends = [`embedded:${from.dataFolder}`, `embedded:${to.dataFolder}`, socketOf(to)] as const;
  const copy = async (words: string[]) => {
    const { code, out, err } = await runCopy(words);
    assert.equal(code, 0, err + out);
    return /\n(\d+\t\d+\t\d+)\t0\tLobby\n/.exec(out)?.[1];
  };
  const own = ['--from', ends[0], '--to', ends[1], ...passwords('same')];
  // its Welcome may have the same id there, when both were made in one second
  assert.match((await copy(own)) ?? '', /^3\t(3\t0|2\t1)$/);
  assert.equal(await copy(own), '3\t0\t3');
  await put('third');
  assert.equal(await copy(own), '4\t1\t3');
  const subjects = storedContent(to.dataFolder).messages.filter((row) => row.includes('same@old'));
  assert.deepEqual(
    subjects.map((row) => row.split('|').at(-2)),
    ['first', 'second', 'third'],
  );
  const line = ['--from', ends[0], '--to', ends[2], '--to-user', 'admin', ...passwords('same')];
  assert.equal(await copy(line), '4\t4\t0');
  assert.equal(await copy(line), '4\t0\t4');
  wire.close();
});

it('lets what is copied answer to the copies, on a server that gives each message an id of its own', async (t) => {
  const peer = await startGateway(t);
  const words = ['--from', `embedded:${site.dataFolder}`, '--to', socketOf(peer), '--to-user', 'admin'];
  assert.equal((await runCopy([...words, ...passwords('thread')])).code, 0);
  const diary = storedContent(peer.dataFolder).messages.filter((row) => row.startsWith('Garden Diary: '));
  const [thread, reply] = diary.map((row) => row.split('|'));
  assert.equal(reply![3], 'bob');
  assert.equal(reply!.at(-3), thread![0]!.replace('Garden Diary: ', ''));
});

it('tells of an account of its own that has another access level', async (t) => {
  const to = join(folder, 'levels');
  const words = ['--from', `embedded:${site.dataFolder}`, '--to', `embedded:${to}`, ...passwords('levels')];
  assert.equal((await runCopy(words)).code, 0);
  const there = await startGateway(t, { dataFolder: to });
  const change = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"axlevel":3}' };
  assert.equal((await there.as('admin', ADMIN_PASSWORD)('u/bob/', change)).status, 204);
  const { code, out } = await runCopy(words);
  assert.match(out, /\n0\t0\t0\t0\tuser bob\n\tlost: access level 5\n/);
  assert.equal(code, 0);
});

it('gives an account its access level when it was broken off before', async (t) => {
  const peer = await startGateway(t);
  const relay = await listenOnUnixSocket((socket) => {
    const upstream = connect(join(peer.dataFolder, 'citadel.socket'));
    upstream.pipe(socket).once('close', () => upstream.destroy());
    socket.on('data', (bytes: Buffer) => {
      if (bytes.toString('latin1').startsWith('ASUP bob|')) socket.destroy();
      else upstream.write(bytes);
    });
  });
  t.after(() => relay.close());
  const from = ['--from', `embedded:${site.dataFolder}`];
  const to = (address: string) => [...from, '--to', address, '--to-user', 'admin', ...passwords('half')];
  await assert.rejects(runCopy(to(`unix:${relay.path}`)), { code: 'backend_lost' });
  const bob = () => storedContent(peer.dataFolder).users.find((row) => row.startsWith('bob|'));
  const wanted = original.users.find((row) => row.startsWith('bob|'));
  assert.notEqual(bob(), undefined);
  assert.notEqual(bob(), wanted);
  const { code, out } = await runCopy(to(socketOf(peer)));
  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /access level/);
  assert.equal(bob(), wanted);
  assert.equal(existsSync(join(folder, 'half.txt.under-way')), false);
});

it('leaves behind what an ordinary room server would cut, and says so', async (t) => {
  const peer = await startGateway(t);
  const wire = await WireClient.connect(join(peer.dataFolder, 'citadel-admin.socket'));
  await wire.expect('CONF PUTVAL|c_maxmsglen|100000', 200);
  wire.close();
  const words = ['--from', `embedded:${site.dataFolder}`, '--to', socketOf(peer), '--to-user', 'admin'];
  const { code, out } = await runCopy([...words, ...passwords('large')]);
  assert.equal(code, 1);
  assert.match(
    out,
    /\n14\t13\t0\t1\tTown Square\n.*\n\tIts 1\d{5} bytes exceed the limit of the room server, 100000 \(c_maxmsg/,
  );
});

it('leaves rooms behind whose names no room is given, says why, and brings them under others', async (t) => {
  const source = await startGateway(t, { users: [{ name: 'ann', password: 'ann' }] });
  const operator = await WireClient.connect(join(source.dataFolder, 'citadel-admin.socket'));
  const ann = source.as('ann', 'ann');
  for (const name of ['Garden', 'Cellar', 'Attic', 'Loft']) {
    await operator.expect(`CRE8 1|${name}|${name === 'Loft' ? 2 : 0}|Sesame-17`, 200);
    postedNumber(
      await ann(`r/${name}/new?subj=x`, { method: 'PUT', body: 'x', headers: { 'x-room-password': 'Sesame-17' } }),
    );
  }
  await operator.expect('CFLR Roof|1', 200);
  operator.close();
  await source.close();
  // as an older release allowed
  const db = new DatabaseSync(join(source.dataFolder, 'vestibule.db'));
  const named = { Cellar: 'Garden\u200B', Attic: 'Gаrdеn', Loft: 'L0bby' };
  for (const [name, other] of Object.entries(named))
    db.prepare('UPDATE room SET name = ?, key = lower(?) WHERE name = ?').run(other, other, name);
  db.exec("UPDATE floor SET name = 'Main\u202E' WHERE name = 'Roof'");
  db.close();

  const peer = await startGateway(t);
  const ends = { data: `embedded:${join(folder, 'named')}`, socket: socketOf(peer) };
  const from = ['--from', `embedded:${source.dataFolder}`];
  const words = (to: string) => [
    ...from,
    '--to',
    to,
    ...(to === ends.socket ? ['--to-user', 'admin'] : []),
    ...passwords('named'),
  ];
  for (const to of [ends.data, ends.socket]) {
    const { code, out } = await runCopy(words(to));
    assert.equal(code, 1, out);
    assert.match(
      out,
      /\tfloor Main.\n\tA name cannot contain invisible characters.* Its rooms are on the first floor\.\n/,
    );
    assert.match(out, /\tGarden.\n\tA name cannot contain invisible characters.* Rename it, and copy again\.\n/);
    assert.match(out, /\tGаrdеn\n\tA word of a name cannot mix letters of different alphabets\. /);
    assert.match(out, /\tL0bby\n\tThe name looks like that of the room Lobby\. /);
    assert.match(out, /\n1\t1\t0\t0\tGarden\n/);
  }

  const again = await startGateway(t, { dataFolder: source.dataFolder });
  const admin = again.as('admin', ADMIN_PASSWORD);
  const json = { 'content-type': 'application/json' };
  for (const [name, other] of Object.entries(named)) {
    const path = `r/${encodeURIComponent(other)}/`;
    assert.equal((await admin(path)).status, 200, 'it stays reachable');
    const renamed = await admin(path, { method: 'PATCH', headers: json, body: JSON.stringify({ name }) });
    assert.equal(renamed.status, 204, await renamed.text());
  }
  await admin('f/1', { method: 'PATCH', headers: json, body: '{"name":"Roof"}' });
  for (const to of [ends.data, ends.socket]) {
    const { code, out } = await runCopy(words(to));
    assert.equal(code, 0, out);
    assert.match(out, /\n1\t1\t0\t0\tAttic\n/);
  }
  const there = await startGateway(t, { dataFolder: join(folder, 'named') });
  const loft = (password: string) =>
    there.as('admin', ADMIN_PASSWORD)('r/Loft/', { headers: { 'x-room-password': password } });
  assert.equal((await loft('Sesame-17')).status, 200);
  const wire = await WireClient.connect(join(there.dataFolder, 'citadel-admin.socket'));
  await wire.expect('CREU dan|dan', 200);
  wire.close();
  const dan = (password: string) => there.as('dan', 'dan')('r/Loft/', { headers: { 'x-room-password': password } });
  assert.deepEqual(
    [(await dan('sesame-17')).status, (await dan('Sesame-17')).status],
    [403, 200],
    'the hash came along',
  );
});

// A second `vestibule copy` undoes nothing that people have done at the target since the first, and reading a room
// server leaves no trace there. From the embedded room server to one that behaves as a real one does, and back.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findFaults } from '../../src/backend/maintenance/check.ts';
import { splitFields } from '../../src/protocol/fields.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';
import { startRoomServer } from '../support/room-server.ts';
import { runCopy } from '../support/run-copy.ts';
import { type StoredContent, storedContent } from '../support/stored-content.ts';
import { listenOnUnixSocket } from '../support/unix-listener.ts';
import { WireClient } from '../support/wire-client.ts';

const ENV = { VESTIBULE_FROM_PASSWORD: 'adminpw', VESTIBULE_TO_PASSWORD: 'adminpw' };
const CARD = 'Content-Type: text/vcard\n\nBEGIN:VCARD\nVERSION:3.0\nUID:card-1\nFN:NAME\nN:NAME;;;;\nEND:VCARD\n';

const folder = await mkdtemp(join(tmpdir(), 'vestibule-again-'));
after(() => rm(folder, { recursive: true, force: true }));
const source = await startRoomServer({ after }, { demo: true, users: { eve: 4 } });
await furnish();

/** What the demo lacks. */
async function furnish(): Promise<void> {
  const alice = await WireClient.login(source.socketPath, 'alice', 'alice');
  await alice.expect('GOTO Contacts', 200);
  await alice.send('ENT0 1|||4|||1', CARD.replaceAll('NAME', 'Carol'));
  await alice.expect('CRE8 1|Cellar|0|||0', 200);
  await post(alice, 'Cellar', 'Damp');
  await alice.expect('GOTO Mail', 200);
  await alice.send('ENT0 1|alice||4|for myself||1', 'Content-Type: text/plain\n\nhello me\n');
  const admin = await WireClient.login(source.socketPath, 'admin', 'adminpw');
  await admin.expect('GOTO Town Square', 200);
  await admin.send('EINF 1', 'Where everybody meets.\n');
  await admin.expect('CFLR Attic|1', 200);
  for (const client of [alice, admin]) client.close();
}

async function post(client: WireClient, room: string, subject: string): Promise<void> {
  await client.expect(`GOTO ${room}`, 200);
  await client.send(`ENT0 1|||4|${subject}||1`, `Content-Type: text/plain\n\n${subject}\n`);
}

/** `from`, `to`: addresses of room servers; answers what the command says. */
async function copy(name: string, from: string, to: string): Promise<string> {
  const user = (side: string, at: string) => (at.startsWith('embedded:') ? [] : [`--${side}-user`, 'admin']);
  const words = ['--from', from, '--to', to, ...user('from', from), ...user('to', to)];
  const { code, out, err } = await runCopy([...words, '--passwords', join(folder, name)], ENV);
  assert.equal(code, 0, err + out);
  return out;
}

/** Of an account that a copy has made. */
async function logIn(path: string, name: string, user: string): Promise<WireClient> {
  const rows = (await readFile(join(folder, name), 'utf8')).split('\n').map((row) => row.split('\t'));
  return WireClient.login(path, user, rows.find(([known]) => known === user)![1]!);
}

/** `room: user` for each invitation that a copy has asked for */
function invited({ sessions }: RealServer): string[] {
  const rows = sessions.flatMap(({ commands }) => {
    let room = '';
    return commands.flatMap((command) => {
      if (command.startsWith('GOTO ')) room = splitFields(command.slice(5))[0]!;
      return command.startsWith('INVT ') ? [`${room}: ${command.slice(5)}`] : [];
    });
  });
  return rows.sort();
}

/** People change, delete, leave and read things at the target. */
async function liveOn(path: string, name: string): Promise<void> {
  const alice = await logIn(path, name, 'alice');
  const bob = await logIn(path, name, 'bob');
  const admin = await WireClient.login(path, 'admin', 'adminpw');
  await alice.expect('GOTO Handbook', 200);
  await alice.send('ENT0 1|||4|home||1|||home', 'Content-Type: text/html\n\n<p>rewritten</p>\n');
  await alice.expect('GOTO Contacts', 200);
  await alice.send('ENT0 1|||4|||1', CARD.replaceAll('NAME', 'Caroline'));
  await alice.expect('GOTO Mail', 200);
  const { lines: mail } = await alice.expect('MSGS ALL', 100);
  await alice.expect(`DELE ${mail[0]}`, 200);
  await alice.expect('GOTO Town Square', 200);
  await alice.expect('SLRP 0', 200);
  await bob.expect('GOTO Announcements', 200);
  await bob.expect('FORG', 200);
  await admin.expect('GOTO Birthday Plans||1', 200);
  await admin.expect('KICK bob', 200);
  await admin.expect('GOTO Garden Diary||1', 200);
  await admin.expect('KILL 1', 200);
  await admin.expect('GOTO Town Square||1', 200);
  await admin.send('EINF 1', '\n');
  await admin.expect('ASUP eve||0|0|0|0', 200);
  const attic = (await admin.expect('LFLR', 100)).lines.find((row) => row.includes('|Attic|'))!;
  await admin.expect(`KFLR ${Number.parseInt(attic, 10)}|1`, 200);
  for (const client of [alice, bob, admin]) client.close();
}

/** Something new that a second copy has to bring. */
async function postAtSource(path: string, subject: string): Promise<void> {
  const alice = await WireClient.login(path, 'alice', 'alice');
  await post(alice, 'Town Square', subject);
  alice.close();
}

const without = (subject: string, { messages, rooms, users, visits }: StoredContent) => ({
  messages: messages.filter((row) => subject === '' || !row.includes(`|${subject}|`)),
  rooms,
  users,
  visits,
});

describe('a second copy', () => {
  it('to an embedded room server leaves what people have done since, and brings what is new', async (t) => {
    const target = await startRoomServer(t);
    const ends = ['own', `embedded:${source.folder}`, `embedded:${target.folder}`] as const;
    await copy(...ends);
    await liveOn(target.socketPath, 'own');
    const lived = storedContent(target.folder);
    await postAtSource(source.socketPath, 'News one');
    const out = await copy(...ends);
    assert.match(out, /^0 accounts created\n/);
    assert.match(out, /\n\d+\t1\t\d+\t0\ttotal\n/);
    const again = storedContent(target.folder);
    assert.deepEqual(without('News one', again), without('News one', lived));
    assert.equal(again.messages.length, lived.messages.length + 1);
    assert.match(await copy(...ends), /\n(\d+)\t0\t\1\t0\ttotal\n/);
    assert.deepEqual([...findFaults(target.store)], []);
  });

  it('to a real one leaves what people have done since, and brings what is new', async (t) => {
    const target = await startRealServer(t);
    const ends = ['real', `embedded:${source.folder}`, `unix:${target.path}`] as const;
    await copy(...ends);
    await liveOn(target.path, 'real');
    const lived = storedContent(target.behind.folder);
    await postAtSource(source.socketPath, 'News two');
    assert.match(await copy(...ends), /\n\d+\t1\t\d+\t0\ttotal\n/);
    const again = storedContent(target.behind.folder);
    assert.deepEqual(without('News two', again), without('News two', lived));
    assert.equal(again.messages.length, lived.messages.length + 1);
    assert.match(await copy(...ends), /\n(\d+)\t0\t\1\t0\ttotal\n/);
  });

  it('from a real one to an embedded one leaves what people have done since, and no trace at the source', async (t) => {
    const real = await startRealServer(t, { demo: true, users: { eve: 4 } });
    const target = await startRoomServer(t);
    const ends = ['back', `unix:${real.path}`, `embedded:${target.folder}`] as const;
    // who logs in goes to the base room, and knows it then
    (await WireClient.login(real.path, 'admin', 'adminpw')).close();
    const before = storedContent(real.behind.folder);
    const out = await copy(...ends);
    assert.deepEqual(storedContent(real.behind.folder), before);
    const members = storedContent(target.folder).visits.filter((row) => /^admin in (alice|bob)\//.test(row));
    assert.deepEqual(members, []);
    assert.match(out, /\tMail of alice\n/);
    await postAtSource(real.path, 'News three');
    const there = storedContent(target.folder);
    assert.match(await copy(...ends), /\n\d+\t1\t\d+\t0\ttotal\n/);
    assert.deepEqual(without('News three', storedContent(target.folder)), without('', there));
  });
});

it('a copy to a real room server invites whom nothing else lets in, once, and enters rooms transiently', async (t) => {
  const refused: string[] = [];
  const real = await startRealServer(t, {
    rewrite({ session, command, reply }) {
      if (/^54\d /.test(reply)) refused.push(`${session.user}: ${command}: ${reply}`);
      return reply;
    },
  });
  const ends = ['quiet', `embedded:${source.folder}`, `unix:${real.path}`] as const;
  await copy(...ends);
  // of the Committee nobody can read the password, so it is by invitation now, and nobody tries one
  const both = (room: string) => [`${room}: alice`, `${room}: bob`];
  assert.deepEqual(invited(real), [...both('Birthday Plans'), ...both('Committee')]);
  assert.deepEqual(refused, []);
  const rooms = storedContent(real.behind.folder);
  for (const user of ['alice', 'bob'])
    assert.ok(rooms.visits.some((row) => row.startsWith(`${user} in Committee: known`)));
  assert.ok(rooms.visits.some((row) => row.startsWith('bob in Birthday Plans: known')));
  assert.ok(rooms.visits.some((row) => row.startsWith('bob in Speakeasy: known')));
  assert.ok(!rooms.visits.some((row) => /^admin in (alice|bob|eve)\//.test(row)));
  assert.match(rooms.visits.find((row) => row.startsWith('admin in Handbook'))!, /: known\|6\|/);
  const before = real.sessions.length;
  await copy(...ends);
  const second = real.sessions.slice(before).flatMap(({ commands }) => commands);
  assert.deepEqual(
    second.filter((command) => /^(CRE8|ENT0|DELE|MOVE|SETR|INVT|SLRP|SEEN|FORG|VIEW|KILL|EINF|UL|ASUP)/.test(command)),
    [],
  );
  assert.ok(second.filter((command) => command.startsWith('GOTO')).every((command) => command.endsWith('|1')));
});

it('a copy to a real room server invites nobody into a room whose password the source tells', async (t) => {
  const from = await startRealServer(t, {
    demo: true,
    users: { eve: 4 },
    rewrite: ({ command, reply }) => (command === 'GETR' ? reply.replace('Committee||', 'Committee|sesame|') : reply),
  });
  const real = await startRealServer(t);
  const out = await copy('told', `unix:${from.path}`, `unix:${real.path}`);
  assert.doesNotMatch(out, /its password/);
  assert.deepEqual(
    invited(real).filter((row) => row.startsWith('Committee')),
    [],
  );
  const { visits } = storedContent(real.behind.folder);
  for (const user of ['alice', 'bob']) assert.ok(visits.some((row) => row.startsWith(`${user} in Committee: known`)));
});

it('a room that cannot be made is skipped once, and its messages are not looked for', async (t) => {
  const real = await startRealServer(t, {
    answer: (command) => (command.startsWith('SETR Cellar|') ? '550 no\n' : undefined),
  });
  const words = ['--from', `embedded:${source.folder}`, '--to', `unix:${real.path}`, '--to-user', 'admin'];
  const { code, out } = await runCopy([...words, '--passwords', join(folder, 'refused')], ENV);
  assert.equal(code, 1);
  assert.match(out, /\n0\t0\t0\t1\tCellar\n\t[^\t]+\n\d/);
  assert.ok(!storedContent(real.behind.folder).rooms.some((row) => row.startsWith('Vestibule copy')));
});

it('a run that was broken off sets the members and marks that are missing', async (t) => {
  const real = await startRealServer(t);
  const words = ['--from', `embedded:${source.folder}`, '--to-user', 'admin', '--passwords', join(folder, 'broken')];
  let left = 12; // the rooms are made, and some messages are there
  const relay = await listenOnUnixSocket((socket) => {
    const upstream = connect(real.path);
    upstream.pipe(socket).once('close', () => upstream.destroy());
    socket.on('error', () => upstream.destroy());
    socket.on('data', (bytes: Buffer) => {
      left -= bytes.toString('latin1').split(/ENT0 1.*(?<!What was brought\|\|1)\n/).length - 1;
      if (left > 0) upstream.write(bytes);
      else socket.destroy();
    });
  });
  t.after(() => relay.close());
  await assert.rejects(runCopy([...words, '--to', `unix:${relay.path}`], ENV), { code: 'backend_lost' });
  const { code, out, err } = await runCopy([...words, '--to', `unix:${real.path}`], ENV);
  assert.equal(code, 0, err + out);
  assert.doesNotMatch(out, /\n(\d+)\t\1\t0\t0\ttotal\n/);
  const whole = storedContent(real.behind.folder);
  const { visits, messages } = storedContent(source.folder);
  const read = (rows: readonly string[]) =>
    rows.filter((row) => /^(alice|bob|eve) in /.test(row)).map((row) => row.replace(/: (\w+)\|.*/, ': $1'));
  const wanted = read(visits);
  assert.deepEqual(
    wanted.filter((row) => !read(whole.visits).includes(row) && !row.endsWith(': none')),
    [],
  );
  // a real server keeps the history of each page as a message of its own
  const brought = whole.messages.filter((row) => !row.startsWith('Lobby') && !row.includes('_HISTORY_'));
  assert.equal(brought.length, messages.length - 1);
});

it('by way of a real room server and back, twice, everything is there once', async (t) => {
  const real = await startRealServer(t);
  const target = await startRoomServer(t);
  const there = ['there', `embedded:${source.folder}`, `unix:${real.path}`] as const;
  const back = ['again', `unix:${real.path}`, `embedded:${target.folder}`] as const;
  await copy(...there);
  await copy(...back);
  const first = storedContent(target.folder);
  await postAtSource(source.socketPath, 'News four');
  await copy(...there);
  assert.match(await copy(...back), /\n\d+\t1\t\d+\t0\ttotal\n/);
  const second = storedContent(target.folder);
  assert.deepEqual(without('News four', second), without('', first));
  assert.equal(second.messages.filter((row) => row.includes('|News four|')).length, 1);
  assert.match(await copy(...back), /\n(\d+)\t0\t\1\t0\ttotal\n/);
  // contacts are written anew there (protocol section 17.2): id, time and content
  const asBrought = (row: string) => row.replace(/^(Members: )[^|]+\|\d+(\|.*)\|\w+$/, '$1$2');
  const shared = (rows: readonly string[]) =>
    rows
      .filter((row) => !/^(Lobby|Aide|alice\/|bob\/)/.test(row))
      .map(asBrought)
      .sort();
  assert.deepEqual(shared(second.messages), shared(storedContent(source.folder).messages));
});

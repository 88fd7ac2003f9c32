// What `vestibule copy` sends to an ordinary room server, and how much of it.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { it } from 'node:test';
import { Connection } from '../../src/client/connection/connection.ts';
import { openSessions } from '../../src/copy/sessions.ts';
import { openTarget } from '../../src/copy/target.ts';
import { MAX_COPIED_MARKS, MAX_COPY_SESSIONS } from '../../src/limits/backend.ts';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { listenOnUnixSocket, SocketReader } from '../support/unix-listener.ts';

/** Answers what a room server would to log-ins, GOTO and marks; notes what it was asked. */
async function startPeer(t: { after(close: () => Promise<void>): void }) {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const answers: Record<string, string> = {
    USER: '300 ok',
    PASS: '200 name|4|0|0|0|2|0',
    GOTO: '200 Box|0|0|0|2|0|0|0|1|0|0|0|0|0|0|0|',
  };
  const listener = await listenOnUnixSocket((socket) => {
    open.add(socket.on('close', () => open.delete(socket)));
    const answer = async () => {
      const reader = new SocketReader(socket);
      socket.write('200 ready\n');
      for (let line = String(await reader.line()); line !== ''; line = String(await reader.line())) {
        asked.push(line.trimEnd());
        socket.write(`${answers[line.slice(0, 4)] ?? '200 ok'}\n`);
      }
    };
    answer().catch(() => socket.destroy());
  });
  t.after(() => listener.close());
  return { asked, open, path: listener.path };
}

it('sends MAX_COPIED_MARKS single read marks of a user, and tells how many are left', async (t) => {
  const { asked, path } = await startPeer(t);
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', new Map());
  t.after(() => sessions.close());
  const numbers = { flags: 2, floor: 0, order: 0, flags2: 0, view: 0 };
  const room = { name: 'Box', ...numbers, password: '', directory: '', admin: '' };
  const target = openTarget(sessions, '/nonexistent');
  for (const [count, lost] of [
    [MAX_COPIED_MARKS, []],
    [MAX_COPIED_MARKS + 1, ['1 read marks of admin']],
  ] as const) {
    asked.length = 0;
    const all = Array.from({ length: count }, (_, i) => i + 1);
    const visit = { user: 'admin', state: 'known', lastRead: 0, view: '', seen: SequenceSet.upTo(count) };
    assert.deepEqual(await target.setVisits(room, [visit], all), lost);
    const marks = asked.filter((line) => line.startsWith('SEEN '));
    assert.deepEqual([marks.length, marks.at(-1)], [MAX_COPIED_MARKS, `SEEN ${MAX_COPIED_MARKS}|1`]);
  }
});

it('is logged in as MAX_COPY_SESSIONS users at a time; who was not needed for longest goes', async (t) => {
  const { open, path } = await startPeer(t);
  const names = Array.from({ length: MAX_COPY_SESSIONS + 1 }, (_, i) => `user${i}`);
  const passwords = new Map(names.map((name) => [name, 'secret']));
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', passwords);
  t.after(() => sessions.close());
  const connections: Connection[] = [];
  for (const name of names.slice(0, MAX_COPY_SESSIONS)) connections.push((await sessions.as(name))!);
  assert.ok(connections.every(({ isClosed }) => !isClosed));
  assert.equal(await sessions.as('user0'), connections[0]);
  await sessions.as(names.at(-1)!);
  assert.deepEqual(
    connections.flatMap(({ isClosed }, i) => (isClosed ? [i] : [])),
    [1],
  );
  while (open.size > MAX_COPY_SESSIONS + 1) await new Promise(setImmediate);
});

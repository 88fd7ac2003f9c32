// The client's verbs against recorded sessions, where they say the very same, and against a server that breaks off.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Connection } from '../../src/client/connection/connection.ts';
import { logIn } from '../../src/client/connection/identity.ts';
import { Pool } from '../../src/client/connection/pool.ts';
import { readSmallPart, withPart, withRfc822 } from '../../src/client/message-content.ts';
import { findByEuid, readHead, readMailbox } from '../../src/client/messages.ts';
import { deleteFromRoom, moveToRoom, post } from '../../src/client/posting.ts';
import { listUsers } from '../../src/client/users.ts';
import { AppError, type ErrorCode } from '../../src/errors.ts';
import { type FaultKind, faultServer } from '../support/fault-server.ts';
import { recordedPeer } from '../support/recorded-peer.ts';
import { loadTranscript, type Step, scriptedPeer } from '../support/scripted-peer.ts';
import { listenOnUnixSocket, SocketReader } from '../support/unix-listener.ts';

const ANN = { user: 'ann', password: 'annpw' };
const BOX = { name: 'Box', password: '' };
const NOTHING = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };
const transcripts = new URL('../fixtures/transcripts/', import.meta.url);

const failsWith = (code: ErrorCode, backendCode?: number) => (error: unknown) =>
  error instanceof AppError && error.code === code && error.backendCode === backendCode;

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** A connection to a peer that plays the greeting of a session and then its lines `from` to `to`. */
async function playing(t: TestContext, file: string, session: string, from: number, to: number) {
  const { sessions } = await loadTranscript(new URL(file, transcripts));
  const steps = sessions.get(session)!;
  const isWanted = (step: Step) => 'lineNumber' in step && step.lineNumber >= from && step.lineNumber <= to;
  const peer = await scriptedPeer([steps[0]!, ...steps.slice(1).filter(isWanted)]);
  const connection = await Connection.open({ path: peer.path });
  t.after(async () => {
    connection.close();
    await peer.close();
  });
  return { connection, done: peer.done };
}

describe('the very commands of recorded clients', () => {
  it('log in, and are told the reason when they cannot', async (t) => {
    const { connection, done } = await playing(t, '24-guest.txt', 'BOSS', 16, 19);
    const user = await logIn(connection, { user: 'boss', password: 'bosspw' });
    await done;
    assert.deepEqual([user.name, user.level, user.usernum, user.previousLogin], ['boss', 6, 3, 1795221446]);

    const second = await playing(t, '21-login.txt', 'A', 31, 34);
    await assert.rejects(logIn(second.connection, { user: 'ann', password: 'wrong' }), failsWith('not_logged_in', 540));
    await second.done;
  });

  it('post a reply', async (t) => {
    const { connection, done } = await playing(t, '43-ent0.txt', 'ANN', 330, 339);
    const posting = { ...NOTHING, subject: 'Re: x', references: 'id1@host!id2@host' };
    const body = bytes('Content-type: text/plain; charset=utf-8\n\nx\n');
    assert.deepEqual(await post(connection, posting, body), { msgnum: 15, euid: '' });
    await done;
    assert.equal(connection.isIdle, true);
  });

  it('move, copy and delete, and tell apart what is refused', async (t) => {
    const { connection, done } = await playing(t, '42-delete-move.txt', 'ANN', 120, 138);
    await assert.rejects(deleteFromRoom(connection, 11), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Other', false), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Other', true), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Drafts', false), failsWith('forbidden', 550));
    await moveToRoom(connection, 11, 'Drafts', true);
    await moveToRoom(connection, 11, '_TRASH_', true);
    await assert.rejects(moveToRoom(connection, 11, 'Closed', true), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Nowhere', true), failsWith('conflict', 572));
    await assert.rejects(moveToRoom(connection, 11, 'Box', true), failsWith('forbidden', 574));
    await done;
  });

  it('find a page by its name', async (t) => {
    const { connection, done } = await playing(t, '50-wiki.txt', 'A', 46, 51);
    assert.equal(await findByEuid(connection, 'home'), 9);
    assert.equal(await findByEuid(connection, 'HOME'), undefined);
    assert.equal(await findByEuid(connection, 'nosuch'), undefined);
    await done;
  });

  it('list the users', async (t) => {
    const { connection, done } = await playing(t, '60-users.txt', 'BOSS', 128, 136);
    const users = await listUsers(connection);
    await done;
    assert.deepEqual(
      users.map((user) => user.name),
      ['admin', 'ann', 'boss', 'cal', 'dan', 'eve'],
    );
    assert.deepEqual(users[4], { name: 'dan', level: 5, usernum: 5, lastCall: 1000000000 });
  });
});

describe('rooms of a recorded server', () => {
  async function recorded(t: TestContext, file: string) {
    const peer = await recordedPeer(new URL(file, transcripts));
    const pool = new Pool({ target: { path: peer.path }, clientName: 'test', clientVersion: '1' });
    t.after(async () => {
      pool.close();
      await peer.close();
      peer.check();
    });
    return pool;
  }

  it('a mailbox has the rows and nothing but rows', async (t) => {
    const { rows, entered } = await readMailbox(await recorded(t, '34-long-lines.txt'), ANN, BOX);
    assert.deepEqual(
      rows.map((row) => row.msgnum),
      [5, 6, 7, 8],
    );
    assert.equal(entered.name, 'Box');
  });

  it('the head of a message has fields, parts and header lines', async (t) => {
    const head = await readHead(await recorded(t, '35-multipart.txt'), ANN, BOX, 8, true);
    assert.deepEqual([head.fields.get('subj'), head.multipart, head.seen], ['nested', 'multipart/mixed', false]);
    assert.equal(head.parts.length, 5);
    assert.deepEqual(head.headers.at(-1), { name: 'Content-type', value: 'multipart/mixed; boundary="b0"' });
  });

  it('parts come small and streamed, the whole message too', async (t) => {
    const pool = await recorded(t, '35-multipart.txt');
    const small = await readSmallPart(pool, ANN, BOX, 6, '3');
    assert.deepEqual([small.filename, small.bytes.toString()], ['notes.txt', 'these are notes']);
    const streamed = await withPart(pool, ANN, BOX, 6, '2', async (part) => [part.contentType, await size(part.bytes)]);
    assert.deepEqual(streamed, ['image/png', 70]);
    await assert.rejects(
      withPart(pool, ANN, BOX, 6, '4', async () => undefined),
      failsWith('not_found', 571),
    );
    assert.ok((await withRfc822(pool, ANN, BOX, 6, size)) > 600);
  });
});

async function size(source: AsyncIterable<Buffer>): Promise<number> {
  let total = 0;
  for await (const chunk of source) total += chunk.length;
  return total;
}

describe('a server that breaks off in the middle of', () => {
  const ANSWERS = {
    GOTO: '200 Box|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n',
    MSGS: '100  \n000\n',
    MSG2: '100 msg:\nSubject: x\r\n\r\ntext\r\n000\n',
    DLAT: '600 4|-1||text/plain|\nabcd',
  };
  const BEFORE_CONTENT = 5; // IDEN USER PASS GOTO MSGS

  async function faulty(t: TestContext, kind: FaultKind, answers = {}) {
    const server = await faultServer({ ...ANSWERS, ...answers }, [{ kind, after: BEFORE_CONTENT }]);
    const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1' });
    t.after(async () => {
      pool.close();
      await server.close();
    });
    return { server, pool };
  }

  it('a message: its reader fails, whatever it has had, and nothing is sent again', async (t) => {
    const codes: [FaultKind, ErrorCode][] = [
      ['close', 'backend_lost'],
      ['cut-status', 'backend_lost'],
      ['cut-listing', 'backend_lost'],
      ['garbage', 'backend_protocol'],
    ];
    for (const [kind, code] of codes) {
      const { server, pool } = await faulty(t, kind);
      await assert.rejects(withRfc822(pool, ANN, BOX, 1, size), failsWith(code), kind);
      assert.equal(server.received.flat().filter((line) => line.startsWith('MSG2')).length, 1, kind);
      assert.ok((await withRfc822(pool, ANN, BOX, 1, size)) > 0, 'the next one has a new connection');
    }
  });

  it('a part: its reader fails, whatever it has had', async (t) => {
    for (const kind of ['close', 'cut-status', 'cut-binary'] as const) {
      const { pool } = await faulty(t, kind);
      await assert.rejects(
        withPart(pool, ANN, BOX, 1, '1', ({ bytes }) => size(bytes)),
        failsWith('backend_lost'),
        kind,
      );
      assert.equal(await withPart(pool, ANN, BOX, 1, '1', ({ bytes }) => size(bytes)), 4);
    }
  });

  it('a post: it fails and is not sent again', async (t) => {
    const { server, pool } = await faulty(t, 'close', { MSGS: '100  \n000\n', ENT0: '800 send\n' });
    const posting = pool.withRoom(ANN, BOX, async (connection) => {
      await connection.ask('MSGS LAST|0\n');
      return post(connection, NOTHING, bytes('x\n'));
    });
    await assert.rejects(posting, failsWith('backend_lost'));
    assert.equal(server.received.flat().filter((line) => line.startsWith('ENT0')).length, 1);
  });
});

describe('a server that answers DLAT twice', () => {
  it('has its connection closed, and nobody gets the second answer, however late it comes', async (t) => {
    let connections = 0;
    const peer = await listenOnUnixSocket((socket) => {
      connections++;
      socket.write('200 ready\n');
      answerTwice(socket);
    });
    const pool = new Pool({ target: { path: peer.path }, clientName: 'test', clientVersion: '1' });
    t.after(async () => {
      pool.close();
      await peer.close();
    });
    for (let i = 1; i <= 3; i++) {
      assert.equal(await withPart(pool, ANN, BOX, 1, '2', ({ bytes }) => size(bytes)), 4);
      assert.equal(connections, i);
    }
  });

  const ANSWERS: Record<string, string> = {
    USER: '300 password\n',
    PASS: '200 ann|4|0|0|0|2|0\n',
    GOTO: '200 Box|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n',
    MSGS: '100  \n000\n',
    DLAT: '600 4|-1||text/plain|\nabcd',
  };

  async function answerTwice(socket: Socket): Promise<void> {
    const reader = new SocketReader(socket);
    let late = '';
    for (;;) {
      const line = (await reader.line()).toString();
      if (line === '') return;
      socket.write(`${late}${ANSWERS[line.slice(0, 4)] ?? '200 ok\n'}`);
      late = line.startsWith('DLAT') ? '600 5|-1||text/plain|\n200 x' : '';
    }
  }
});

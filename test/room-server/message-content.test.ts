// The content of messages: whole, in parts, from a server that breaks off or answers twice.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { ErrorCode } from '../../src/errors.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { readSmallPart, withPart, withRfc822 } from '../../src/room-server/message-content.ts';
import { askedServer, entered, failsWith } from '../support/asked-server.ts';
import type { FaultKind } from '../support/fault-server.ts';
import { RECORDED_ANN as ANN, recordedPool } from '../support/recorded-client.ts';
import { listenOnUnixSocket, SocketReader } from '../support/unix-listener.ts';

const BOX = { name: 'Box', password: '' };

async function size(source: AsyncIterable<Buffer>): Promise<number> {
  let total = 0;
  for await (const chunk of source) total += chunk.length;
  return total;
}

describe('a part', () => {
  it('comes small and streamed, the whole message too', async (t) => {
    const pool = await recordedPool(t, '35-multipart.txt');
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

  it('that the server lists and does not give, for it does not know the encoding, is taken out of the message', async (t) => {
    const encodings = {
      '"base64"': 'Q2F0',
      'base64 (comment)': 'Q2F0',
      'quoted-printable;': '=43at',
      'x-uuencode': 'begin 644 a.pdf\r\n#0V%T\r\n`\r\nend',
      '7-bit': 'Cat',
      '8 bit': 'Cat',
      none: 'Cat',
      'utf-8': 'Cat',
    };
    for (const [encoding, content] of Object.entries(encodings)) {
      const source =
        'Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n' +
        `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n--b--\r\n`;
      const { pool } = await askedServer(t, {
        MSGS: '100 \n000\n',
        DLAT: '571 Section 2 not found.\n',
        MSG0: '100 msg:\npart=||1||text/plain|4||\npart=a.pdf|a.pdf|2||application/pdf|4||\ntext\n000\n',
        MSG2: `100 \n${source}000\n`,
      });
      const expected = { length: 3, filename: 'a.pdf', contentType: 'application/pdf', charset: '', text: 'Cat' };
      const { bytes, ...part } = await readSmallPart(pool, ANN, BOX, 1, '2');
      assert.deepEqual({ ...part, text: bytes.toString() }, expected, encoding);
      const streamed = await withPart(pool, ANN, BOX, 1, '2', async ({ bytes, ...rest }) => {
        return { ...rest, text: Buffer.concat(await Array.fromAsync(bytes)).toString() };
      });
      assert.deepEqual(streamed, expected, encoding);
    }
  });

  it('that the server does not list is not found', async (t) => {
    const { pool } = await askedServer(t, {
      MSGS: '100 \n000\n',
      DLAT: '571 Section 2 not found.\n',
      MSG0: '100 msg:\npart=||1||text/plain|4||\ntext\n000\n',
    });
    await assert.rejects(readSmallPart(pool, ANN, BOX, 1, '2'), failsWith('not_found'));
  });

  it('may have a bar in its file name, which shifts nothing', async (t) => {
    const { pool } = await askedServer(t, { MSGS: '100 \n000\n', DLAT: '600 2|-1|a|b.txt|text/plain|utf-8\nxy' });
    const { filename, contentType, charset, bytes } = await readSmallPart(pool, ANN, BOX, 1, '1');
    assert.deepEqual([filename, contentType, charset, String(bytes)], ['a|b.txt', 'text/plain', 'utf-8', 'xy']);
  });

  it('of a message that is not in the room is not found', async (t) => {
    const { pool } = await askedServer(t, { DLAT: '550 not in room\n', MSG2: '550 not in room\n' });
    await assert.rejects(readSmallPart(pool, ANN, BOX, 1, '1'), failsWith('not_found'));
    await assert.rejects(
      withPart(pool, ANN, BOX, 1, '1', ({ bytes }) => size(bytes)),
      failsWith('not_found'),
    );
    await assert.rejects(withRfc822(pool, ANN, BOX, 1, size), failsWith('not_found'));
  });
});

describe('a room that cannot be entered', () => {
  it('gives nothing of the room that the connection was in, and the next reader has another connection', async (t) => {
    const box = entered('Box');
    const { pool, sent } = await askedServer(t, {
      GOTO: [box, '572 no such room\n', box],
      MSGS: '100 \n000\n',
      MSG0: '550 \n',
      DLAT: '600 4|-1||text/plain|\nabcd',
    });
    const read = () => withPart(pool, ANN, BOX, 1, '1', ({ bytes }) => size(bytes));
    assert.equal(await read(), 4);
    await assert.rejects(read(), failsWith('not_found'));
    assert.equal(await read(), 4);
    assert.equal(sent(/^PASS/).length, 2);
  });
});

describe('a server that breaks off in the middle of', () => {
  const ANSWERS = {
    GOTO: '200 Box|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n',
    MSGS: '100  \n000\n',
    MSG2: '100 msg:\nSubject: x\r\n\r\ntext\r\n000\n',
    DLAT: '600 4|-1||text/plain|\nabcd',
  };
  const BEFORE_CONTENT = 5; // IDEN USER PASS GOTO MSGS

  const faulty = (t: TestContext, kind: FaultKind) => askedServer(t, ANSWERS, [{ kind, after: BEFORE_CONTENT }]);

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

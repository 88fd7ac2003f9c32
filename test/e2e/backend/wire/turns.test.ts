// Long work for one session leaves the others their turn.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { TextReader } from '../../../../src/backend/wire/incoming.ts';
import type { ByteQueue } from '../../../../src/protocol/lines.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('a session that sends very many commands at once', () => {
  for (const [what, line] of [
    ['that answer at once', 'LIST nobody'],
    ['whose answers are promises', 'CREU admin|'],
  ] as const) {
    it(`lets others have their turn between commands ${what}`, async (t) => {
      const { socketPath } = await startRoomServer(t);
      const busy = await WireClient.login(socketPath, 'admin', 'adminpw');
      const other = await WireClient.connect(socketPath);
      // They all fit into one piece of what a socket delivers.
      const count = 5000;
      let answered = 0;
      busy.write(`${line}\n`.repeat(count));
      const all = (async () => {
        for (; answered < count; answered++) await busy.reply();
      })();
      await other.expect('NOOP', 200);
      assert.ok(answered < count, 'it was answered last');
      await all;
    });
  }
});

const CONTENT = randomBytes(24 * 1024 * 1024);

/** A message with one part of CONTENT, and two who read it. */
async function world(t: TestContext) {
  const { socketPath } = await startRoomServer(t);
  const reader = await WireClient.login(socketPath, 'admin', 'adminpw');
  const other = await WireClient.login(socketPath, 'admin', 'adminpw');
  const base64 = CONTENT.toString('base64').replace(/.{76}/g, '$&\n');
  const [number] = await reader.send(
    'ENT0 1|||4|large||1',
    `Content-type: application/x-large\nContent-transfer-encoding: base64\n\n${base64}`,
  );
  const order: string[] = [];
  const ask = async (client: WireClient, line: string, name: string) => {
    client.write(`${line}\n`);
    const first = await client.line();
    order.push(name);
    return first;
  };
  return { reader, other, number, order, ask };
}

const wordsOf = (i: number) => Array.from({ length: 10_000 }, (_, n) => `w${i}x${n}`).join(' ');
const LINE_FEEDS = '\n'.repeat(4 * 1024 * 1024);

/** Sessions that have sent much of a text and not its end, and one that has not. */
async function writersOf(t: TestContext, count: number) {
  const { socketPath } = await startRoomServer(t);
  const logIn = () => WireClient.login(socketPath, 'admin', 'adminpw');
  const other = await logIn();
  const writers = await Promise.all(Array.from({ length: count }, logIn));
  for (const writer of writers) {
    await writer.expect('ENT0 1|||1|long||1', 800);
    for (let i = 0; i < 4; i++) {
      writer.write('word '.repeat(10_000));
      while (writer.socket.writableLength > 0) await once(writer.socket, 'drain');
      await other.expect('NOOP', 200);
    }
    writer.write('\n');
    await other.expect('NOOP', 200);
  }
  return { writers, other, order: [] as string[] };
}

describe('another session is answered before', () => {
  it('READ has decoded its way to the end of a large part', async (t) => {
    const { reader, other, number, order, ask } = await world(t);
    await reader.expect(`OPNA ${number}|1`, 200);
    const end = CONTENT.length - 10;
    const [line] = await Promise.all([ask(reader, `READ ${end}|100`, 'READ'), ask(other, 'NOOP', 'NOOP')]);
    assert.deepEqual([line, order], ['600 10', ['NOOP', 'READ']]);
    assert.deepEqual(await reader.take(10), CONTENT.subarray(end));
    const { bytes } = await reader.expect('READ 0|10', 600);
    assert.deepEqual(bytes, CONTENT.subarray(0, 10));
  });

  it('MSG4 has counted what it will send', async (t) => {
    const { reader, other, number, order, ask } = await world(t);
    await reader.expect('MSGP application/x-large', 200);
    reader.write(`MSG4 ${number}\n`);
    const counted = (async () => {
      for (let line = ''; !line.startsWith('Content-length:'); line = await reader.line());
      order.push('MSG4');
    })();
    await Promise.all([counted, ask(other, 'NOOP', 'NOOP')]);
    assert.deepEqual(order, ['NOOP', 'MSG4']);
  });

  const MANY = [
    { verb: 'MOVE', count: 40, end: '|Aide|1', bodyOf: (i: number) => wordsOf(i) },
    { verb: 'DELE', count: 10, end: '', bodyOf: (i: number) => `${i}${LINE_FEEDS.slice(100)}` },
  ];
  for (const { verb, count, end, bodyOf } of MANY) {
    it(`${verb} is through with many large messages`, async (t) => {
      const { socketPath } = await startRoomServer(t);
      const owner = await WireClient.login(socketPath, 'admin', 'adminpw');
      const other = await WireClient.login(socketPath, 'admin', 'adminpw');
      const numbers: string[] = [];
      for (let i = 0; i < count; i++) numbers.push((await owner.send('ENT0 1|||1|large||1', bodyOf(i)))[0]!);
      const order: string[] = [];
      const ask = async (client: WireClient, line: string, name: string) => {
        client.write(`${line}\n`);
        const answer = await client.line();
        order.push(name);
        return answer;
      };
      const change = ask(owner, `${verb} ${numbers.join(',')}${end}`, verb);
      await Promise.all([change, ask(other, 'NOOP', 'NOOP')]);
      assert.match(await change, /^200 /);
      assert.deepEqual(order, ['NOOP', verb]);
      if (verb === 'MOVE') await owner.expect('GOTO Aide', 200);
      const { lines } = await owner.expect('MSGS ALL', 100);
      assert.deepEqual(
        lines.filter((line) => numbers.includes(line)),
        verb === 'MOVE' ? numbers : [],
      );
    });
  }

  it('long texts that end at the same time are stored', async (t) => {
    const { writers, other, order } = await writersOf(t, 4);
    for (const writer of writers) writer.write('000\n');
    other.write('NOOP\n');
    const first = (client: WireClient, name: string) => client.line().then(() => order.push(name));
    await Promise.all([first(other, 'NOOP'), ...writers.map((writer) => first(writer, 'stored'))]);
    assert.deepEqual(order, ['NOOP', 'stored', 'stored', 'stored', 'stored']);
  });

  it('more than a piece of each long text has been taken', async (t) => {
    const { writers } = await writersOf(t, 4);
    let round = 0;
    let isOver = false;
    const rounds: number[] = [];
    const read = TextReader.prototype.read;
    t.mock.method(TextReader.prototype, 'read', function (this: TextReader, queue: ByteQueue) {
      if (queue.length > 0) rounds[round] = (rounds[round] ?? 0) + 1;
      return read.call(this, queue);
    });
    const count = () => {
      round++;
      if (!isOver) setImmediate(count);
    };
    count();
    for (const writer of writers) writer.write(`${LINE_FEEDS}000\n`);
    await Promise.all(writers.map((writer) => writer.line()));
    isOver = true;
    assert.ok(Math.max(...rounds.filter((reads) => reads > 0)) <= writers.length, `${rounds}`);
  });
});

// Long work for one session leaves the others their turn.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { startRoomServer } from '../support/room-server.ts';
import { WireClient } from '../support/wire-client.ts';

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
});

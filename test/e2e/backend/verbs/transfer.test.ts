// XFER, over the wire: who may use it, and what it takes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_ROOM_NAME_BYTES, MAX_TRANSFER_TEXT_BYTES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function start(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4 } });
  const client = await WireClient.connect(server.adminSocketPath);
  await client.expect('GOTO Lobby', 200);
  const send = async (head: string, body: string) => {
    await client.expect('XFER message', 800).catch(() => undefined);
    client.write(`${head}${body}000\n`);
    return [await client.line(), await client.line(), await client.line()];
  };
  return { ...server, client, send };
}

describe('XFER', () => {
  it('is for the administration socket alone, whoever is logged in', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    for (const verb of [
      '',
      ' rooms',
      ' room|x|2|0|64|0|0|||',
      ' visits',
      ' setvisits',
      ' read|1',
      ' message',
      ' refer|1',
      ' steps',
      ' step|room|done|x',
      ' brought|lobby',
    ]) {
      await admin.expect(`XFER${verb}`, 550);
      await ann.expect(`XFER${verb}`, 550);
    }
    await (await WireClient.connect(socketPath)).expect('XFER rooms', 520);
  });

  it('gives back what it was given', async (t) => {
    const { client, send } = await start(t);
    const head =
      'type=4\nmsgn=OLD-1@elsewhere\npath=a\ntime=1000000000\nfrom=A B\nrfca=a@b\nroom=Old room\nrcpt=x, y\n';
    const rest = 'exti=uid-1\nwefw=r1@x|r2@x\ncccc=c\nsubj=S | T\nanon=no\ntext\n';
    const body = 'Content-type: text/plain\n\n 000\n=caf\u00e9\ntext\n';
    const [number] = await send(head + rest, body);
    assert.match(number!, /^\d+$/);
    const read = await client.expect(`XFER read|${number}`, 600);
    assert.equal(read.bytes.toString(), head + rest + body);
  });

  it('notes each message that it brings, by its UID or id, be it deleted later', async (t) => {
    const { client, send } = await start(t);
    const [number] = await send('type=1\nmsgn=a|b@x\ntext\n', 'x\n');
    await send('type=1\nmsgn=a|b@x\ntext\n', 'y\n');
    await send('type=1\nmsgn=c@x\nexti=uid-1\ntext\n', 'z\n');
    await client.expect(`DELE ${number}`, 200);
    assert.deepEqual((await client.expect('XFER brought|lobby', 100)).lines, ['2|a|b@x', '1|uid-1']);
    await client.expect('GOTO Trashcan', 200);
    const { lines } = await client.expect('XFER brought|trashcan', 100);
    assert.deepEqual(lines, []);
  });

  it('keeps how far a copy has come', async (t) => {
    const { client } = await start(t);
    await client.expect('XFER step|room|made|cellar', 200);
    await client.expect('XFER step|user|made|ann', 200);
    await client.expect('XFER step|room|done|cellar', 200);
    assert.deepEqual((await client.expect('XFER steps', 100)).lines, ['room|done|cellar', 'user|made|ann']);
    await client.expect('XFER step|house|made|x', 512);
    await client.expect('XFER step|room|begun|x', 512);
    await client.expect('XFER step|room|made|', 512);
  });

  it('refers to a message from another room, once', async (t) => {
    const { client, send } = await start(t);
    const [number] = await send('type=1\nfrom=A\ntext\n', 'x\n');
    await client.expect('GOTO Trashcan', 200);
    for (const _ of [1, 2]) await client.expect(`XFER refer|${number}`, 200);
    assert.deepEqual((await client.expect('MSGS ALL', 100)).lines, [number]);
    await client.expect('XFER refer|999', 575);
  });

  it('refuses what it cannot store, and stays in step', async (t) => {
    const { client, send, faults } = await start(t);
    assert.deepEqual(await send('type=4\ntext\n', ''), ['-512', 'The message is empty.', '000']);
    assert.deepEqual(await send('', ''), ['-512', 'The message is empty.', '000']);
    const head = (bytes: number) => `subj=${'x'.repeat(bytes - 5 - 4)}\ntext\n`;
    const [number] = await send(head(MAX_TRANSFER_TEXT_BYTES), 'x\n');
    assert.match(number!, /^\d+$/);
    assert.deepEqual(await send(head(MAX_TRANSFER_TEXT_BYTES + 1), 'x\n'), ['-512', 'The head is too long.', '000']);
    await client.expect('XFER nonsense', 512);
    await client.expect('XFER read|999', 550);
    await client.expect('XFER room|0000000099.Mail|16390|0|0|0|1|||', 570);
    await client.expect('XFER room|x|2|99|64|0|0|||', 561);
    await client.expect('XFER room||2|0|64|0|0|||', 512);
    await client.expect(`XFER room|${'x'.repeat(MAX_ROOM_NAME_BYTES)}|2|0|64|0|0|||`, 200);
    await client.expect(`XFER room|${'x'.repeat(MAX_ROOM_NAME_BYTES + 1)}|2|0|64|0|0|||`, 512);
    assert.deepEqual(faults, []);
  });

  it('sets the read marks of users who exist', async (t) => {
    const { client, send } = await start(t);
    const [number] = await send('type=1\nfrom=A\ntext\n', 'x\n');
    client.write(`XFER setvisits\nann|known|0|3|*:0,${number}\nnobody|known|1||*:1\nann|nonsense|1||*:9\n000\n`);
    assert.equal(await client.line(), '400 send visits');
    const { lines } = await client.expect('XFER visits', 100);
    assert.deepEqual(lines, [`ann|known|0|3|*:0,${number}`]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COMMAND_BYTES } from '../../../../src/limits/protocol.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('commands', () => {
  it('are found in any case, with anything as fifth byte, and otherwise refused with 530', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    assert.match(client.greeting, /^200 \S+ Citadel server ready\.$/);
    const expected: [string, string][] = [
      ['noop', '200 ok'],
      ['NOOPextra', '200 ok'],
      ['ECHO', '200 '],
      ['ECHO a|b|c', '200 a|b|c'],
      ['ECHOxhello', '200 hello'],
      ['ECHO crlf\r', '200 crlf'],
      ['ECHO nul\0hidden', '200 nul'],
      ['XYZZ', '530 Unrecognized or unsupported command.'],
      ['', '530 Unrecognized or unsupported command.'],
      ['NO', '530 Unrecognized or unsupported command.'],
      [' NOOP', '530 Unrecognized or unsupported command.'],
    ];
    for (const [line, reply] of expected) assert.equal(await client.text(line), reply, line);
    client.write('QNOP\nECHO next\n');
    assert.equal((await client.reply()).line, '200 next');
  });

  it('are cut at 4095 bytes, whether they arrive whole or in pieces', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    const fits = 'x'.repeat(MAX_COMMAND_BYTES - 5);
    for (const end of ['\n', '\r\n']) {
      client.write(`ECHO ${fits}${end}`);
      assert.equal(await client.line(), `200 ${fits}`);
      client.write(`ECHO ${fits}y${end}`);
      assert.equal(await client.line(), `200 ${fits}`);
    }
    client.write(`ECHO ${fits}`);
    for (let i = 0; i < 10; i++) {
      client.write('z'.repeat(100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.write('\nECHO after\n');
    assert.equal(await client.line(), `200 ${fits}`);
    assert.equal(await client.line(), '200 after');
  });

  it('are answered in order when thousands come in one write', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    const numbers = Array.from({ length: 5000 }, (_, i) => i);
    client.write(numbers.map((i) => `ECHO ${i}\n`).join(''));
    for (const i of numbers) assert.equal(await client.line(), `200 ${i}`);
  });

  it('are answered in order behind one that takes its time', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.connect(socketPath);
    client.write('USER ann\nPASS annpw\nECHO one\nSTAT\n');
    assert.match((await client.reply()).line, /^300 /);
    assert.match((await client.reply()).line, /^200 ann\|4\|/);
    assert.equal((await client.reply()).line, '200 one');
    assert.match((await client.reply()).line, /^200 Lobby\|/);
  });

  it('may come byte by byte', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    for (const byte of 'ECHO slow\r\nECHO two\n') {
      client.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await client.line(), '200 slow');
    assert.equal(await client.line(), '200 two');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_CHAT_LINE_BYTES, MAX_CHAT_LINES, MAX_CHATTED_LINES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('RCHT', () => {
  it('carries lines to those who chat in the same room', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await ann.expect('RCHT send', 500);
    for (const client of [ann, bob]) await client.expect('RCHT enter', 200);
    await ann.send('RCHT send', 'hello\n0000\nbye');
    assert.match(await bob.text('RCHT poll|0'), /^100 1\|\d+\|ann\nhello$/);
    assert.match(await bob.text('RCHT poll|1'), /^100 2\|\d+\|ann\n0000$/);
    assert.match(await bob.text('RCHT poll|2'), /^100 3\|\d+\|ann\nbye$/);
    await bob.expect('RCHT poll|3', 575);
    assert.deepEqual((await ann.ask('RCHT rwho')).lines, ['bob', 'ann']);
    assert.match(await ann.text('RWHO'), /\|bob\|Lobby {9}<chat>\|/);
    await ann.expect('GOTO Mail', 200);
    await ann.expect('RCHT poll|0', 500);
    assert.deepEqual((await bob.ask('RCHT rwho')).lines, ['bob']);
  });

  it('takes from the longest chats what all rooms together have too much, from no other', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const enter = async (name: string) => {
      await admin.expect(`GOTO ${name}`, 200);
      await admin.expect('RCHT enter', 200);
    };
    const full = MAX_CHATTED_LINES / MAX_CHAT_LINES;
    for (let i = 0; i <= full; i++) {
      await admin.expect(`CRE8 1|Talk ${i}|0`, 200);
      await enter(`Talk ${i}`);
      await admin.send('RCHT send', i < full ? 'x\n'.repeat(MAX_CHAT_LINES - (i === 0 ? 2 : 0)) : 'a\nb');
    }
    const oldest = async () => {
      const found: number[] = [];
      for (let i = 0; i <= full; i++) {
        await enter(`Talk ${i}`);
        found.push(Number((await admin.text('RCHT poll|0')).split(/[ |]/)[1]));
      }
      return found;
    };
    assert.deepEqual(await oldest(), Array(full + 1).fill(1), 'as many as may be kept');
    await admin.send('RCHT send', 'c');
    const after = await oldest();
    assert.equal(after.filter((seq) => seq === 1).length, full, 'one more, and one chat has lost something');
    assert.deepEqual([after[0], after[full], Math.max(...after)], [1, 1, 2]);
  });

  it('tells a user who was put out nothing more, and takes nothing from him', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Talk|0', 200);
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    for (const client of [admin, ann]) {
      await client.expect('GOTO Talk', 200);
      await client.expect('RCHT enter', 200);
    }
    await ann.expect('RCHT send', 400);
    await admin.expect('KICK ann', 200);
    await admin.send('RCHT send', 'now that he is gone');
    ann.write('too late\n000\n');
    for (const line of ['RCHT poll|0', 'RCHT rwho', 'RCHT send', 'RCHT enter']) await ann.expect(line, 550);
    assert.match(await admin.text('RCHT poll|0'), /now that he is gone$/);
    await admin.expect('RCHT poll|1', 575);
  });

  it('keeps a bounded number of lines of bounded length', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('RCHT enter', 200);
    await admin.send('RCHT send', Array.from({ length: MAX_CHAT_LINES + 1 }, (_, i) => `line ${i}`).join('\n'));
    assert.match(await admin.text('RCHT poll|0'), /^100 2\|\d+\|admin\nline 1$/);
    await admin.send('RCHT send', 'x'.repeat(MAX_CHAT_LINE_BYTES + 1));
    const { lines } = await admin.ask(`RCHT poll|${MAX_CHAT_LINES + 1}`);
    assert.equal(lines[0]!.length, MAX_CHAT_LINE_BYTES);
  });
});

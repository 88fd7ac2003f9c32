import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('sessions', () => {
  it('are shown to those who may see them', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    await ann.expect('IDEN 0|5|980|client A|host.a', 200);
    await ann.expect('IDEN 0|5|980|a client whose name is far too long to show|host.b', 200);
    await boss.expect('GOTO Aide', 200);
    const rows = async (client: WireClient) =>
      (await client.ask('RWHO')).lines.map((row) => row.replace(/\|\d{10}\|/, '|T|'));
    assert.deepEqual(await rows(ann), [
      '2|boss| ||(unknown)|T|GOTO|.||||1',
      '1|ann|Lobby|host.b|a client whose name is far too |T|IDEN|.||||1',
    ]);
    await ann.expect('ENT0 0|||4', 200);
    assert.equal(await boss.text('STEL 1'), '200 1');
    assert.equal((await rows(ann)).length, 1);
    assert.deepEqual(await rows(boss), [
      '2|boss|Aide||(unknown)|T|STEL|.-||||1',
      '1|ann|Lobby|host.b|a client whose name is far too |T|ENT0|*||||1',
    ]);
    assert.equal(await ann.text('IDEN 1|2|3'), '512 usage error');
  });

  it('are ended by TERM: own ones, or any by an administrator', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const second = await WireClient.login(socketPath, 'ann', 'annpw');
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    assert.equal(await ann.text('TERM 9999'), '512 No such session.');
    assert.equal(await ann.text('TERM 1'), "512 You can't kill your own session.");
    assert.equal(await ann.text('TERM 3'), '550 You are not allowed to do that.');
    assert.equal(await ann.text('TERM 2'), '200 Session terminated.');
    assert.equal(await second.rest(), '');
    assert.equal(await boss.text('REQT 1'), '200 Sent termination request to 1 sessions.');
    assert.match(await ann.text('GEXP'), /^100 0\|\d+\|2\|boss\|.*\nAutomatic logoff requested\.$/);
    assert.equal(await boss.text('TERM 1'), '200 Session terminated.');
    assert.equal(await ann.rest(), '');
  });
});

describe('the time of the last activity', () => {
  it('is that of what he does, not of what his program does by itself', async (t) => {
    const { socketPath, server } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const [session] = [...server.sessions];
    const shown = async () => (await ann.ask('RWHO')).lines[0]!.split('|').slice(5, 7);
    session!.lastActivity = 7;
    await ann.expect('NOOP', 200);
    await ann.expect('TIME', 200);
    assert.deepEqual(await shown(), ['7', 'PASS']);
    await ann.expect('STAT', 200);
    const [time, command] = await shown();
    assert.ok(Number(time) > 7);
    assert.equal(command, 'STAT');
  });
});

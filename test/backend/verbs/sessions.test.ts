import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INSTANT_MESSAGES } from '../../../src/limits/backend.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

describe('instant messages', () => {
  it('reach all sessions of a user and are flagged until they are read', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, cal: 4, boss: 6 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const cal = await WireClient.login(socketPath, 'cal', 'calpw');
    assert.equal(await ann.text('SEXP nosuch|hi'), "570 'nosuch' does not exist.");
    assert.equal(await ann.text('SEXP boss|hi'), "553 'boss' is not logged in or is not accepting messages.");
    assert.equal(await ann.text('SEXP'), '570 You were not previously paged.');
    assert.equal(await ann.text('SEXP cal|'), '200 Ok to send message.');
    assert.equal(await ann.text('SEXP CAL|hello there|lost'), '200 Message sent.');
    await ann.send('SEXP cal|-', 'line one\n0000\nlast\n');
    assert.equal(await cal.text('NOOP'), '200*ok');
    assert.match(await cal.text('GOTO Lobby'), /^200\*Lobby/);
    assert.match(await cal.text('RWHO'), /^100\* \n/);
    assert.match(await cal.text('STAT'), /^200 Lobby/);
    assert.match(await cal.text('GEXP'), /^100 1\|\d+\|0\|ann\|\S+\|ann@\S+\nhello there$/);
    assert.match(await cal.text('GEXP'), /^100 0\|.*\nline one\n0000\nlast$/);
    assert.equal(await cal.text('GEXP'), '575 No instant messages waiting.');
    assert.equal(await cal.text('NOOP'), '200 ok');
    assert.equal(await cal.text('SEXP |answer'), '200 Message sent.');
    assert.match(await ann.text('GEXP'), /\nanswer$/);
  });

  it('can be refused, but not those of administrators', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, cal: 4, boss: 6 } });
    const [ann, cal, boss] = await Promise.all(
      ['ann', 'cal', 'boss'].map((name) => WireClient.login(socketPath, name, `${name}pw`)),
    );
    assert.equal(await cal!.text('DEXP 1'), '200 1');
    await ann!.expect('SEXP cal|hello?', 553);
    assert.equal(await boss!.text('SEXP cal|from the boss'), '200 Message sent.');
    assert.equal(await cal!.text('DEXP 7'), '200 1');
    assert.equal(await cal!.text('DEXP 0'), '200 0');
    assert.equal(await ann!.text('SEXP broadcast|all'), '550 Higher access required to send a broadcast.');
    assert.equal(await boss!.text('SEXP broadcast|to all'), '200 Message sent to 3 users.');
    assert.match(await ann!.text('GEXP'), /^100 0\|\d+\|1\|boss\|/);
  });

  it('are bounded in number', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    for (let i = 0; i < MAX_INSTANT_MESSAGES; i++) await ann.expect('SEXP ann|x', 200);
    await ann.expect('SEXP ann|x', 553);
  });

  it('are announced between replies after ASYN 1', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const cal = await WireClient.login(socketPath, 'cal', 'calpw');
    assert.equal(await cal.text('ASYN'), '200 0');
    assert.equal(await cal.text('ASYN 1'), '200 1');
    await ann.expect('SEXP cal|one', 200);
    assert.equal(await cal.line(), '902 instant msg');
    assert.match((await cal.ask('EBIO')).line, /^400/);
    await ann.expect('SEXP cal|two', 200);
    cal.write('profile\n000\nECHO done\n');
    assert.deepEqual([await cal.line(), await cal.line()].sort(), ['200 done', '902 instant msg']);
  });
});

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

describe('the server', () => {
  it('describes itself in 25 lines', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    const { lines } = await client.ask('INFO');
    assert.equal(lines.length, 25);
    assert.equal(lines[4], 'Vestibule room server test');
    assert.equal(lines[5], '980');
    assert.match(await client.text('TIME'), /^200 \d{10}\|-?\d+\|0\|\d{10}$/);
    assert.equal(await client.text('MORE'), '200 <more>');
    assert.equal(await client.text('GTLS'), '500 Session is not encrypted.');
    assert.match(await client.text('MESG ../../../etc/hostname'), /^571 /);
  });

  it('keeps the settings it knows', async (t) => {
    const { adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    assert.equal(await admin.text('CONF PUTVAL|c_humannode|My Server'), "200 setting 'c_humannode' to 'My Server'");
    assert.equal(await admin.text('CONF GETVAL|c_humannode'), '200 My Server|');
    assert.equal(await admin.text('CONF GETVAL|nosuch'), '500 |');
    assert.equal(await admin.text('CONF PUTVAL|x'), '500 name and value required');
    assert.match(await admin.text('CONF PUTVAL|toString|1'), /^512 /);
    assert.equal(await admin.text('CONF'), '512 Illegal option(s) specified.');
    assert.equal((await admin.ask('INFO')).lines[2], 'My Server');
  });

  it('goes down for an administrator', async (t) => {
    let isDown = false;
    const { socketPath } = await startRoomServer(t, {
      users: { boss: 6 },
      onDown: () => {
        isDown = true;
      },
    });
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    assert.match(await boss.text('DOWN'), /^231 /);
    assert.equal(await boss.rest(), '');
    assert.equal(isDown, true);
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

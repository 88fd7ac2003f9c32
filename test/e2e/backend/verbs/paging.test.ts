import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INSTANT_MESSAGES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

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
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4, cal: 4 } });
    const [ann, bob, cal] = await Promise.all(
      ['ann', 'bob', 'cal'].map((name) => WireClient.login(socketPath, name, `${name}pw`)),
    );
    for (const sender of [bob!, cal!]) {
      for (let i = 0; i < MAX_INSTANT_MESSAGES / 2; i++) await sender.expect('SEXP ann|x', 200);
      await sender.expect('SEXP ann|x', 553);
    }
    await ann!.expect('SEXP ann|x', 553);
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

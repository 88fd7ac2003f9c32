// What a follower is told of rooms, mail and messages: by a room server that says what changes, and by one that has to
// be asked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EVENT_STREAMS_PER_USER } from '../../../../src/limits/http.ts';
import type { Change, Position } from '../../../../src/room-server/watch/follower.ts';
import { WATCH_TIMES } from '../../../../src/room-server/watch/watch.ts';
import { failsWith } from '../../../support/asked-server.ts';
import { eventually } from '../../../support/eventually.ts';
import { ANN, BOX, names, only, postAs, startFollowing, told } from '../../../support/followers.ts';
import { WireClient } from '../../../support/wire-client.ts';

for (const [server, isSilent] of [
  ['a room server that tells', false],
  ['a room server that has to be asked', true],
] as const) {
  describe(`following, with ${server}`, () => {
    it('tells new messages of the room, new mail, and which rooms have changed', async (t) => {
      const { follow, bob } = await startFollowing(t, isSilent);
      const follower = await follow({ room: BOX });
      assert.deepEqual(await follower.changes(), [], 'nothing from before');
      const first = await postAs(bob, 'Box');
      assert.deepEqual(only(await told(follower, 'messages'), 'messages'), [
        { kind: 'messages', room: 'Box', numbers: [first] },
      ]);
      await postAs(bob, 'Mail', 'ann');
      assert.deepEqual(only(await told(follower, 'mail'), 'mail'), [{ kind: 'mail', count: 1 }]);
      await postAs(bob, 'Lobby');
      const rooms = await told(follower, 'room');
      assert.ok(names(rooms).length > 0);
      assert.deepEqual(only(rooms, 'messages'), [], 'of Box only');
    });

    it('goes on from a position with what came since, and not with what came before', async (t) => {
      const { follow, bob } = await startFollowing(t, isSilent);
      const follower = await follow({ room: BOX });
      const first = await postAs(bob, 'Box');
      const [change] = (await told(follower, 'messages')).filter(({ kind }) => kind === 'messages');
      follower.close();
      const numbers = [await postAs(bob, 'Box'), await postAs(bob, 'Box')];
      await postAs(bob, 'Mail', 'ann');
      await postAs(bob, 'Mail', 'ann');
      await postAs(bob, 'Lobby');
      for (const from of [change!.position, { ...change!.position, room: 'bOX' }]) {
        const again = await follow({ room: BOX, from });
        const changes: Change[] = [];
        const numbersTold = () => changes.flatMap((change) => (change.kind === 'messages' ? change.numbers : []));
        const mailTold = () => changes.reduce((sum, change) => sum + (change.kind === 'mail' ? change.count : 0), 0);
        // one that has to be asked may have been asked in the middle of it
        const isMissing = () => numbersTold().length < 2 || mailTold() < 2 || !names(changes).includes('Lobby');
        while (isMissing()) changes.push(...(await told(again)));
        assert.ok(first < numbers[0]!);
        assert.deepEqual([numbersTold(), mailTold()], [numbers, 2]);
        again.close();
      }
    });

    it('goes on from a position that is beyond what there is, after a restored backup', async (t) => {
      const { follow, bob } = await startFollowing(t, isSilent);
      const from: Position = { inbox: 9999, mtime: 0, room: 'Box', highest: 9999 };
      const follower = await follow({ room: BOX, from });
      assert.deepEqual(only(await follower.changes(), 'messages'), []);
      const number = await postAs(bob, 'Box');
      const mail = told(follower, 'messages', 'mail');
      await postAs(bob, 'Mail', 'ann');
      const changes = await mail;
      assert.deepEqual(only(changes, 'messages'), [{ kind: 'messages', room: 'Box', numbers: [number] }]);
      assert.deepEqual(only(changes, 'mail'), [{ kind: 'mail', count: 1 }]);
    });

    it('takes the number of a position for that room only', async (t) => {
      const { follow, bob } = await startFollowing(t, isSilent);
      await postAs(bob, 'Box');
      const from: Position = { inbox: 0, mtime: 0, room: 'Lobby', highest: 0 };
      const follower = await follow({ room: BOX, from });
      assert.deepEqual(only(await follower.changes(), 'messages'), []);
      assert.deepEqual(follower.position.room, 'Box');
    });

    it('begins behind the message that the caller knows', async (t) => {
      const { follow, bob } = await startFollowing(t, isSilent);
      const [known, next] = [await postAs(bob, 'Box'), await postAs(bob, 'Box')];
      const follower = await follow({ room: BOX, after: known! });
      assert.deepEqual(only(await told(follower, 'messages'), 'messages'), [
        { kind: 'messages', room: 'Box', numbers: [next] },
      ]);
    });

    it('tells that instant messages wait, takes none, and tells of further ones', async (t) => {
      const { follow, bob, instant } = await startFollowing(t, isSilent);
      const follower = await follow();
      assert.deepEqual(await follower.changes(), [], 'none wait');
      await bob.expect('SEXP ann|Tea?', 200);
      assert.deepEqual(only(await told(follower, 'instant'), 'instant'), [{ kind: 'instant' }]);
      const late = await follow();
      assert.deepEqual(only(await late.changes(), 'instant'), [{ kind: 'instant' }], 'who comes later is told, too');
      const take = async () => (await instant.take(ANN)).map(({ text }) => text);
      assert.deepEqual(await take(), ['Tea?']);
      assert.deepEqual(only(await follower.changes(), 'instant'), [], 'nothing waits any more');
      await bob.expect('SEXP ann|Now?', 200);
      for (const each of [follower, late]) assert.equal(only(await told(each, 'instant'), 'instant').length, 1);
      assert.deepEqual(await take(), ['Now?']);
    });

    it('lets instant messages come again when the connection for them was lost', async (t) => {
      const { follow, bob, relay } = await startFollowing(t, isSilent);
      const follower = await follow();
      relay.drop();
      const end = Date.now() + 10_000;
      while (only(await follower.changes(), 'instant').length === 0) {
        assert.ok(Date.now() < end, 'told in vain');
        await bob.ask('SEXP ann|Here again?'); // 553 while nobody takes it
        await follower.wait(20);
      }
    });

    it('tells of rooms that come and go, and nothing of rooms that the user does not know', async (t) => {
      const { follow, admin } = await startFollowing(t, isSilent);
      const follower = await follow();
      await admin.expect('CRE8 1|Cellar|3||0|0|0', 200); // by invitation
      await admin.expect('CRE8 1|Attic|0||0|0|0', 200);
      const come = await told(follower, 'room');
      assert.deepEqual(names(come), ['Attic']);
      await admin.expect('GOTO Attic', 200);
      await admin.expect('KILL 1', 200);
      const [gone] = await told(follower, 'room');
      assert.deepEqual(gone?.kind === 'room' && [gone.name, gone.isGone], ['Attic', true]);
      await admin.expect('GOTO Cellar', 200);
      await postAs(admin, 'Cellar');
      await admin.expect('INVT ann', 200);
      assert.deepEqual(names(await told(follower, 'room')), ['Cellar']);
      await admin.expect('KICK ann', 200);
      const [closed] = await told(follower, 'room');
      assert.deepEqual(closed?.kind === 'room' && [closed.name, closed.isGone], ['Cellar', true]);
    });

    it('goes on when the room server was away', async (t) => {
      const { follow, bob, relay } = await startFollowing(t, isSilent);
      const follower = await follow({ room: BOX });
      relay.isDown = true;
      relay.drop();
      const number = await postAs(bob, 'Box');
      await new Promise((resolve) => setTimeout(resolve, 50));
      relay.isDown = false;
      assert.deepEqual(only(await told(follower, 'messages'), 'messages'), [
        { kind: 'messages', room: 'Box', numbers: [number] },
      ]);
    });

    it('ends when the password has been changed', async (t) => {
      const { follow, relay, socketPath } = await startFollowing(t, isSilent);
      const follower = await follow();
      const ann = await WireClient.login(socketPath, 'ann', 'annpw');
      t.after(() => ann.close());
      await ann.expect('SETP other', 200);
      relay.drop();
      while (!follower.isEnded) {
        await follower.changes();
        assert.ok(await follower.wait(15_000));
      }
      await assert.rejects(follow(), failsWith('not_logged_in'));
    });

    it('asks for all who follow at once', async (t) => {
      const { follow, bob, relay } = await startFollowing(t, isSilent);
      const followers = await Promise.all(Array.from({ length: 5 }, () => follow({ room: BOX })));
      await Promise.all(followers.map((follower) => follower.changes()));
      const number = await postAs(bob, 'Box');
      const all = await Promise.all(followers.map((follower) => told(follower, 'messages')));
      for (const changes of all) {
        assert.deepEqual(only(changes, 'messages'), [{ kind: 'messages', room: 'Box', numbers: [number] }]);
      }
      const asked = relay.received.filter((line) => line === `MSGS GT|${number - 1}`);
      const before = new Set(relay.received.filter((line) => line.startsWith('MSGS GT')));
      if (!isSilent) {
        assert.equal(relay.received.filter((line) => line.startsWith('LKRA')).length, 1);
        assert.ok(relay.received.filter((line) => line.startsWith('MSGS GT')).length <= 2 * before.size, `${asked}`);
      }
      const looks = relay.received.filter((line) => line.startsWith('LKRA')).length;
      const inbox = relay.received.filter((line) => line === 'GOTO _MAIL_||1').length;
      assert.ok(inbox <= looks + 1, `${looks} lists, ${inbox} looks into the inbox`);
    });
  });
}

describe('a room server that has to be asked', () => {
  it('is asked for its list of rooms alone while nothing changes, however many follow rooms', async (t) => {
    const { follow, admin, relay } = await startFollowing(t, true);
    const names = Array.from({ length: MAX_EVENT_STREAMS_PER_USER }, (_, i) => `Room ${i}`);
    for (const name of names) await admin.expect(`CRE8 1|${name}|0||0|0|0`, 200);
    for (const name of names) await (await follow({ room: { name, password: '' } })).changes();
    const quiet = async () => {
      const lines = relay.received.filter((line) => /^(LKRA|GOTO|MSGS)/.test(line)).slice(-10);
      return lines.filter((line) => line.startsWith('LKRA')).length;
    };
    await eventually(quiet, 10, 'ten looks, and nothing else is asked');
    assert.deepEqual(
      relay.received.filter((line) => line.startsWith('MSGS GT')),
      [],
      'dear to a real server',
    );
  });

  it('tells of two messages of one second, and of one that comes behind them', async (t) => {
    const { follow, bob } = await startFollowing(t, true);
    const follower = await follow({ room: BOX });
    const numbers: number[] = [];
    const tellAll = async () => {
      const all: number[] = [];
      while (all.length < numbers.length) {
        for (const change of await told(follower, 'messages'))
          if (change.kind === 'messages') all.push(...change.numbers);
      }
      return all;
    };
    for (let i = 0; i < 3; i++) {
      numbers.splice(0);
      for (let k = 0; k < 5; k++) {
        numbers.push(await postAs(bob, 'Box'));
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      assert.deepEqual(await tellAll(), numbers);
    }
  });

  it('is asked at once for what this gateway has posted', async (t) => {
    const { follow, bob, watches } = await startFollowing(t, true, WATCH_TIMES.checkMs);
    const follower = await follow({ room: BOX });
    await follower.changes();
    const number = await postAs(bob, 'Box');
    watches.posted('bOX', ['']);
    assert.deepEqual(only(await told(follower, 'messages'), 'messages'), [
      { kind: 'messages', room: 'Box', numbers: [number] },
    ]);
    for (const recipients of [['ann'], ['bob, Ann <ANN@localhost>']]) {
      await postAs(bob, 'Mail', 'ann');
      watches.posted('Sent Items', recipients);
      assert.deepEqual(only(await told(follower, 'mail'), 'mail'), [{ kind: 'mail', count: 1 }]);
    }
  });
});

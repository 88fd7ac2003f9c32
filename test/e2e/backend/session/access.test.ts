import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { accessIn, answers, names, people } from '../../../support/wire-users.ts';

describe('access', () => {
  it('follows the modes of the room and the level of the user', async (t) => {
    const { login } = await people(t);
    const boss = await login('boss');
    for (const [name, flags, view, flags2] of [
      ['Readonly', 8194, 0, 0],
      ['Preferred', 4098, 0, 0],
      ['Collab', 2, 0, 4],
      ['Blog', 2, 10, 0],
      ['Plain', 2, 0, 0],
    ]) {
      await boss.expect(`CRE8 1|${name}|0||0|0|${view}`, 200);
      await boss.expect(`GOTO ${name}`, 200);
      await boss.expect(`SETR ${name}|||${flags}|0|-1|64|${view}|${flags2}`, 200);
    }
    const table: [string, Record<string, number>][] = [
      ['boss', { Readonly: 486, Preferred: 486, Collab: 486, Blog: 486, Plain: 486, Mail: 486 }],
      ['pref', { Readonly: 6, Preferred: 294, Collab: 422, Blog: 262, Plain: 294, Mail: 422 }],
      ['ann', { Readonly: 6, Preferred: Number.NaN, Collab: 422, Blog: 262, Plain: 294, Mail: 422 }],
      ['newbie', { Readonly: 6, Preferred: Number.NaN, Collab: 6, Blog: 6, Plain: 6, Mail: 422 }],
    ];
    for (const [user, rooms] of table) {
      const client = await login(user);
      for (const [room, access] of Object.entries(rooms)) {
        assert.equal(await accessIn(client, room), access, `${user} in ${room}`);
      }
    }
    assert.equal(await (await login('ann')).text('GOTO Preferred'), "572 room 'Preferred' not found");
  });

  it('is shared by the owner of a personal room under its full name', async (t) => {
    const { login } = await people(t);
    const [ann, cal] = [await login('ann'), await login('cal')];
    await cal.expect('CRE8 1|Shared|4', 200);
    await cal.expect('GOTO Shared', 200);
    assert.equal(await cal.text('INVT ann'), '200 ann invited to 0000000003.Shared.');
    assert.equal(await cal.text('WHOK'), '100 Who knows room:\nann\ncal');
    assert.equal(await accessIn(ann, '0000000003.Shared'), 422);
    assert.equal(await ann.text('GOTO Shared'), "572 room 'Shared' not found");
    assert.match(await ann.text('GOTO 0000000003.Shared'), /^200 0000000003\.Shared\|/);
  });

  it('ends with FORG; public and own rooms come back by GOTO, private ones do not', async (t) => {
    const { login } = await people(t);
    const [cal, boss] = [await login('cal'), await login('boss')];
    for (const room of ['Plaza|0', 'Club|3']) await boss.expect(`CRE8 1|${room}`, 200);
    await boss.expect('GOTO Club', 200);
    await boss.expect('INVT cal', 200);
    assert.equal(await boss.text('FORG'), '560 You may not forget this room.');
    for (const room of ['Plaza', 'Club', 'Mail']) {
      await cal.expect(`GOTO ${room}`, 200);
      await cal.expect('FORG', 200);
      assert.match(await cal.text('STAT'), /^200 Lobby\|/);
    }
    assert.deepEqual(await names(cal, 'LZRM'), ['Mail', 'Plaza']);
    assert.equal(await accessIn(cal, 'Plaza'), 308);
    assert.equal(await accessIn(cal, 'Mail'), 436);
    await cal.expect('GOTO Club', 572);
    await cal.expect('GOTO Plaza', 200);
    await cal.expect('GOTO Mail', 200);
    assert.deepEqual(await names(cal, 'LZRM'), []);
  });
});

it('the administration socket needs no log-in, except for what needs an identity', async (t) => {
  const { adminSocketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const admin = await WireClient.connect(adminSocketPath);
  await answers(admin, [
    ['STAT', '200 |0|'],
    ['GOTO 0000000002.Mail', /^200 0000000002\.Mail\|/],
    ['GOTO Lobby', /^200 Lobby\|/],
    ['GETR', '200 Lobby|||2|0|0|0|0|'],
    ['SETA ann', '200 Ok'],
    ['GETA', '200 ann'],
    ['CRE8 1|Made|0', /^200/],
    ['CRE8 1|0000000002.Made|5||0|0|1', '550 Higher access required'],
    ['INVT ann', '550 Higher access or room ownership required.'],
    ['KICK ann', '550 Higher access or room ownership required.'],
    ['KILL 0', "560 Can't delete this room."],
    ['EBIO', '520 Not logged in.'],
    ['SETP x', /^560 /],
    ['CHEK', '200 0|0|0||'],
    ['GTSN', '200 *:0'],
    ['SLRP HIGHEST', /^200 \d/],
    ['VIEW 1', '200 ok'],
    ['FORG', '200 Ok'],
  ]);
});

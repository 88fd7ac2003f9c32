import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { countRoomsOf } from '../../../src/backend/store/room-cache.ts';
import { createRoom } from '../../../src/backend/store/rooms.ts';
import {
  MAX_FLOOR_NAME_BYTES,
  MAX_FLOORS,
  MAX_ROOM_NAME_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  MAX_ROOMS_PER_USER,
} from '../../../src/limits/backend.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

async function answers(client: WireClient, expected: [string, string | RegExp][]): Promise<void> {
  for (const [line, reply] of expected) {
    const got = await client.text(line);
    if (typeof reply === 'string') assert.equal(got, reply, line);
    else assert.match(got, reply, line);
  }
}

async function people(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4, cal: 4, pref: 5, boss: 6, newbie: 1 } });
  const login = (name: string) => WireClient.login(server.socketPath, name, `${name}pw`);
  return { ...server, login };
}

const names = async (client: WireClient, line: string) =>
  (await client.ask(line)).lines.map((row) => row.split('|')[0]);
const accessIn = async (client: WireClient, room: string) =>
  Number((await client.ask('LRMS')).lines.find((row) => row.startsWith(`${room}|`))?.split('|')[5]);

describe('CRE8', () => {
  it('makes as many rooms for one user as there may be, and more for administrators', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const wanted = MAX_ROOMS_PER_USER - countRoomsOf(store, 2);
    store.transaction(() => {
      for (let i = 1; i < wanted; i++) {
        createRoom(store, { name: `Room ${i}`, flags: 0, view: 0, ...(i % 2 ? { admin: 2 } : { owner: 2 }) });
      }
    });
    await ann.expect('CRE8 1|Last|0', 200);
    for (const line of ['CRE8 1|One more|0', 'CRE8 0|One more|4', 'CRE8 1|One more|4']) await ann.expect(line, 511);
    await admin.expect('GOTO Last', 200);
    await admin.expect('KILL 1', 200);
    await ann.expect('CRE8 1|One more|4', 200);
    for (let i = 0; i < 2; i++) await admin.expect(`CRE8 1|Admin ${i}|0`, 200);
  });

  it('answers probes and refuses what cannot be', async (t) => {
    const { login } = await people(t);
    const ann = await login('ann');
    await answers(ann, [
      ['CRE8 0', '200 Ok to create rooms.'],
      ['CRE8 0|Pub|0||0|0|0', "200 OK to create 'Pub'"],
      ['CRE8 0|Lobby|0||0|0|0', "574 'Lobby' already exists."],
      ['CRE8 1|Mail|0||0|0|0', "574 'Mail' already exists."],
      ['CRE8 1||0||0|0|0', '512 Invalid room name.'],
      ['CRE8 1|_MAIL_|0||0|0|0', '512 Invalid room name.'],
      ['CRE8 1|0000000003.Mail|0||0|0|0', '512 Invalid room name.'],
      ['CRE8 1|X|0||0|0|12', '512 Invalid view.'],
      ['CRE8 1|X|0||0|0|-1', '512 Invalid view.'],
      ['CRE8 0|X|6||0|0|0', '512 Invalid room type.'],
      ['CRE8 0|X|-1||0|0|0', '512 Invalid room type.'],
      ['CRE8 1|X|5||0|0|0', '550 Higher access required'],
      ['CRE8 1|X|0||5|0|0', '561 Invalid floor number.'],
      ['CRE8 1|X|0||99|0|0', '561 Invalid floor number.'],
      ['CRE8 1|a\rb|0||0|0|0', /^512 Invalid room name\. .*invisible/],
      ['CRE8 1|a\x1b[2Jb|0||0|0|0', /^512 Invalid room name\. .*invisible/],
      [`CRE8 1|${'n'.repeat(MAX_ROOM_NAME_BYTES + 1)}|0||0|0|0`, '512 Invalid room name.'],
      [`CRE8 1|${'n'.repeat(MAX_ROOM_NAME_BYTES)}|0||0|0|0`, /^200 /],
      [`CRE8 1|P|2|${'p'.repeat(MAX_ROOM_PASSWORD_BYTES + 1)}|0|0|0`, /^512 /],
      [`CRE8 1|P|2|${'p'.repeat(MAX_ROOM_PASSWORD_BYTES)}|0|0|0`, /^200 /],
      ['CRE8 1|Größe|0||0|0|0', "200 'Größe' has been created."],
      ['CRE8 1|größe|0||0|0|0', "574 'größe' already exists."],
      ['CRE8 1|GRÖßE|0||0|0|0', "574 'GRÖßE' looks like 'Größe', which already exists."],
    ]);
    const newbie = await login('newbie');
    assert.equal(await newbie.text('CRE8 0'), '550 You need higher access to create rooms.');
  });

  it('makes rooms that open as their kind says', async (t) => {
    const { login, socketPath } = await people(t);
    const ann = await login('ann');
    for (const room of ['Pub|0|', 'Guess|1|', 'Pass|2|sesame', 'Invite|3|', 'Own|4|', 'Blog|0||0|0|10']) {
      await ann.expect(`CRE8 1|${room}`, 200);
    }
    assert.deepEqual(
      (await names(ann, 'LKRA')).filter((name) => /^(Pub|Guess|Pass|Invite|Own)$/.test(name!)),
      ['Own', 'Guess', 'Invite', 'Pass', 'Pub'],
    );
    const cal = await login('cal');
    await answers(cal, [
      ['GOTO pUB', /^200 Pub\|0\|0\|0\|2\|0\|0\|0\|0\|0\|0\|0\|0\|0\|0\|\d+\|$/],
      ['GOTO Guess', /^200 Guess\|0\|0\|0\|22\|/],
      ['GOTO Pass', '540 wrong or missing passwd'],
      ['GOTO Pass|wrong', '540 wrong or missing passwd'],
      ['GOTO Pass|SESAME', '540 wrong or missing passwd'],
      ['GOTO Pass|sesame', /^200 Pass\|0\|0\|0\|14\|/],
      ['GOTO Pass', /^200 /],
      ['GOTO Invite', "572 room 'Invite' not found"],
      ['GOTO Own', "572 room 'Own' not found"],
      ['GOTO 0000000002.Own', "572 room '0000000002.Own' not found"],
      ['GOTO 0000000002.Mail', "572 room '0000000002.Mail' not found"],
      ['GOTO Aide', "572 room 'Aide' not found"],
      ['GOTO Global Address Book', /^572 /],
      ['GOTO Nowhere', "572 room 'Nowhere' not found"],
      ['GOTO', "572 room '' not found"],
      ['GOTO 0000000003.Mail', /^200 Mail\|0\|0\|0\|16390\|0\|0\|1\|0\|0\|0\|1\|1\|0\|0\|/],
    ]);
    assert.deepEqual((await names(cal, 'LKRA')).slice(8), ['Blog', 'Guess', 'Lobby', 'Pass', 'Pub', 'Trashcan']);
    assert.equal((await ann.text('GOTO Blog')).split('|')[8], '1', 'who makes a blog administers it');
    const boss = await login('boss');
    await answers(boss, [
      ['GOTO Invite', /^200 Invite\|0\|0\|0\|6\|0\|0\|0\|1\|/],
      ['GOTO 0000000002.Mail', /^200 0000000002\.Mail\|0\|0\|0\|16390\|0\|0\|1\|1\|/],
      ['GOTO Aide', /^200 Aide\|/],
      ['CRE8 1|0000000003.Given|5', /^200 /],
    ]);
    assert.doesNotMatch((await names(boss, 'LKRA')).join(), /0000000002/);
    assert.ok((await names(cal, 'LKRA')).includes('Given'));
    const guest = await WireClient.connect(socketPath);
    assert.equal(await guest.text('GOTO Lobby'), '520 Not logged in.');
    await boss.expect('CONF PUTVAL|c_guest_logins|1', 200);
    await answers(guest, [
      ['GOTO Lobby', /^200 Lobby\|1\|1\|0\|2\|1\|0\|0\|0\|/],
      ['GOTO Guess', /^200 Guess\|/],
      ['GOTO Pass|sesame', "572 room 'Pass' not found"],
      ['GOTO Invite', /^572 /],
      ['GOTO _MAIL_', "572 room 'Mail' not found"],
      ['SLRP HIGHEST', '520 Not logged in.'],
      ['VIEW 0', '520 Not logged in.'],
    ]);
    assert.deepEqual(await names(guest, 'LKRA'), ['Blog', 'Lobby', 'Pub', 'Trashcan']);
  });
});

describe('GOTO', () => {
  it('knows the macros in any case', async (t) => {
    const { login } = await people(t);
    const ann = await login('ann');
    const macros: [string, string][] = [
      ['_BASEROOM_', 'Lobby'],
      ['_mail_', 'Mail'],
      ['_TRASH_', 'Trash'],
      ['_DRAFTS_', 'Drafts'],
      ['_CALENDAR_', 'Calendar'],
      ['_TASKS_', 'Tasks'],
      ['_CONTACTS_', 'Contacts'],
      ['_NOTES_', 'Notes'],
      ['_BITBUCKET_', 'Trashcan'],
    ];
    for (const [macro, name] of macros) {
      const fields = (await ann.text(`GOTO ${macro}`)).slice(4).split('|');
      assert.equal(fields.length, 17);
      assert.equal(fields[0], name);
      assert.equal(fields[13], name === 'Trash' ? '1' : '0');
    }
    assert.match(await ann.text('STAT'), /^200 Trashcan\|\d+\|$/);
    await ann.expect('GOTO Notes', 200);
    assert.match(await ann.text('STAT'), /^200 0000000002\.Notes\|/);
  });

  it('that is transient leaves a room unknown', async (t) => {
    const { login } = await people(t);
    const [ann, cal] = [await login('ann'), await login('cal')];
    await ann.expect('CRE8 1|Guess|1', 200);
    await cal.expect('GOTO Guess||1', 200);
    assert.equal((await names(cal, 'LKRA')).includes('Guess'), false);
    await cal.expect('GOTO Guess', 200);
    assert.equal((await names(cal, 'LKRA')).includes('Guess'), true);
  });

  it('shows the own view, and whether the room text is worth reading', async (t) => {
    const { login } = await people(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    const field = async (n: number) => (await ann.text('GOTO Lobby')).split('|')[n];
    assert.equal(await ann.text('RINF'), '571 No info file.');
    assert.equal(await ann.text('EINF 1'), '550 This command requires Admin or Room Admin access.');
    assert.equal(await field(3), '0');
    await boss.expect('EINF 0', 200);
    await boss.send('EINF 1', 'Welcome\n 000\n\nlast ünï\n');
    assert.equal(await field(3), '1');
    assert.deepEqual((await ann.ask('RINF')).lines, ['Welcome', ' 000', '', 'last ünï']);
    await ann.expect('SLRP 999', 200);
    assert.equal(await field(3), '0');
    await ann.expect('VIEW 6', 200);
    assert.equal(await field(11), '6');
    assert.equal(await field(12), '0');
  });
});

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

  it('is given by INVT and taken by KICK', async (t) => {
    const { login } = await people(t);
    const [ann, cal, boss] = [await login('ann'), await login('cal'), await login('boss')];
    await boss.expect('CRE8 1|Club|3', 200);
    await boss.expect('GOTO Club', 200);
    await answers(boss, [
      ['SETA nosuch', '200 Ok'],
      ['GETA', '200 '],
      ['SETA ann', '200 Ok'],
      ['GETA', '200 ann'],
      ['INVT ann', '200 ann invited to Club.'],
      ['INVT nosuch', '570 No such user.'],
      ['WHOK', '100 Who knows room:\nadmin\nann\nboss'],
    ]);
    assert.match(await ann.text('GOTO Club'), /^200 Club\|0\|0\|0\|6\|0\|0\|0\|1\|/);
    assert.equal(await ann.text('INVT cal'), '200 cal invited to Club.');
    await cal.expect('GOTO Club', 200);
    assert.equal(await cal.text('KICK ann'), '550 Higher access or room ownership required.');
    assert.equal(await ann.text('KICK cal'), '200 cal kicked out of Club.');
    await cal.expect('MSGS ALL', 550);
    assert.equal(await cal.text('ENT0 0|||4'), '550 Higher access is required to post in this room.');
    await cal.expect('GOTO Lobby', 200);
    assert.equal(await cal.text('GOTO Club'), "572 room 'Club' not found");
    assert.deepEqual((await cal.ask('LZRM')).lines, []);
    await boss.expect('CRE8 1|Plaza|0', 200);
    await boss.expect('GOTO Plaza', 200);
    await boss.expect('KICK cal', 200);
    assert.equal(await accessIn(cal, 'Plaza'), 16);
    assert.equal((await names(cal, 'LKRA')).includes('Plaza'), false);
    assert.equal(await cal.text('GOTO Plaza'), "572 room 'Plaza' not found");
    await boss.expect('INVT cal', 200);
    await cal.expect('GOTO Plaza', 200);
    assert.equal(await accessIn(cal, 'Plaza'), 294);
    await boss.expect('GOTO Lobby', 200);
    assert.equal(await boss.text('KICK cal'), "560 Can't add/remove users from this room.");
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

describe('SETR and KILL', () => {
  it('change and delete a room for those who may', async (t) => {
    const { login, store } = await people(t);
    store.setConfig('c_creataide', '0');
    const [ann, cal, boss] = [await login('ann'), await login('cal'), await login('boss')];
    await boss.expect('CFLR Attic|1', 200);
    await ann.expect('CRE8 1|Garden|0', 200);
    await answers(ann, [
      ['GOTO Garden', /^200 /],
      ['GETR', '550 This command requires Admin or Room Admin access.'],
      ['SETR Garden|||2', "550 You do not have permission to edit 'Garden'"],
      ['SETA ann', '550 This command requires Admin or Room Admin access.'],
      ['KILL 0', "560 Can't delete this room."],
    ]);
    await boss.expect('GOTO Garden', 200);
    await boss.expect('SETA ann', 200);
    await cal.expect('GOTO Garden', 200);
    await answers(ann, [
      ['GETR', '200 Garden|||2|0|64|0|0|'],
      ['SETR Green House|||2|0|1|20|6|8', '200 Ok'],
      ['GETR', '200 Green House|||2|1|20|6|8|'],
      ['GOTO Garden', "572 room 'Garden' not found"],
      ['GOTO Green House', /^200 Green House\|0\|0\|0\|2\|0\|0\|0\|1\|0\|1\|6\|6\|0\|8\|/],
      ['SETR Green House|||0|0|-1', '200 Ok'],
      ['GETR', '200 Green House|||2|1|20|6|8|'],
      ['SETR Green House|||2|0|-1|0', '200 Ok'],
      ['GETR', '200 Green House|||2|1|1|6|8|'],
      ['SETR Green House|||2|0|-1|500', '200 Ok'],
      ['GETR', '200 Green House|||2|1|127|6|8|'],
      ['SETR Green House|opensesame12|files|8|0|-1|20|0|0', '200 Ok'],
      ['GETR', '200 Green House|||14|1|20|0|0|'],
      ['SETR', '512 Invalid room name.'],
      ['SETR Lobby|||2', "574 'Lobby' already exists."],
      ['SETR Green House|||2|0|9', '561 Target floor does not exist.'],
      ['SETR Green House|||4|1', '200 Ok'],
    ]);
    assert.equal(await cal.text('GOTO Green House'), "572 room 'Green House' not found", 'kick dropped the relation');
    await answers(boss, [
      ['GOTO Green House', /^200 /],
      ['KILL 0', '200 ok to delete.'],
      ['KILL 1', "200 'Green House' deleted."],
      ['STAT', /^200 Lobby\|/],
      ['KILL 1', "560 Can't delete this room."],
      ['SETR Hall|||2', '560 Cannot rename this room.'],
      ['SETR Lobby|||6', '200 Ok'],
      ['GETR', '200 Lobby|||2|0|0|0|0|'],
    ]);
    assert.equal(await cal.text('STAT'), '200 |0|', 'nobody stands in a deleted room');
    await cal.expect('ENT0 0|||4', 550);
  });

  it('serve whoever has made a room, of any kind', async (t) => {
    const { login } = await people(t);
    const ann = await login('ann');
    for (const kind of [0, 1, 2, 3, 4]) {
      await answers(ann, [
        [`CRE8 1|Mine|${kind}|pass`, /^200/],
        ['GOTO Mine', /^200/],
        ['GETA', '200 ann'],
        ['GETR', /^200 Mine\|/],
        ['KILL 1', "200 'Mine' deleted."],
      ]);
    }
  });

  it('serve the owner of a personal room, except in the inbox', async (t) => {
    const { login, store } = await people(t);
    store.setConfig('c_creataide', '0');
    const ann = await login('ann');
    await answers(ann, [
      ['CRE8 1|Diary|4||0|0|0', /^200/],
      ['GOTO Diary', /^200/],
      ['SETR Journal|||2|0|0|64|1|0', '200 Ok'],
      ['STAT', /^200 0000000002\.Journal\|/],
      ['GOTO Journal', /^200 Journal\|0\|0\|0\|16390\|0\|0\|1\|0\|0\|0\|1\|1\|/],
      ['KILL 1', "200 'Journal' deleted."],
      ['GOTO Journal', /^572/],
      ['GOTO Mail', /^200/],
      ['SETR Post|||16390', '560 Cannot edit this room.'],
      ['KILL 1', "560 Can't delete this room."],
    ]);
  });

  it('KILL removes messages that no other room holds', async (t) => {
    const { login, store } = await people(t);
    const boss = await login('boss');
    const count = () => Number(store.db.prepare('SELECT count(*) AS n FROM message').get()!.n);
    const before = count();
    await boss.expect('CRE8 1|Box|0', 200);
    await boss.expect('GOTO Box', 200);
    for (let i = 0; i < 2; i++) await boss.send('ENT0 1|||4|m||1', 'Content-type: text/plain\n\nx\n');
    const [first] = (await boss.ask('MSGS ALL')).lines;
    await boss.expect(`MOVE ${first}|Lobby|1`, 200);
    await boss.expect('KILL 1', 200);
    assert.equal(count(), before + 1);
  });
});

describe('floors', () => {
  it('are made, renamed and removed by administrators', async (t) => {
    const { login } = await people(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    await answers(boss, [
      ['CFLR', '512 Blank floor name not allowed.'],
      ['CFLR Attic', '200 ok to create...'],
      ['CFLR Attic|1', '200 1'],
      ['CFLR attic|1', "574 Floor 'Attic' already exists."],
      ['EFLR', '200 Ok'],
      ['EFLR 1|Loft', '200 Ok'],
      ['EFLR 7|Nope', '561 Floor 7 is not in use.'],
      ['EFLR 99|Nope', '561 Floor 99 is not in use.'],
      ['EFLR 1|main floor', "574 Floor 'Main Floor' already exists."],
      [`CFLR ${'n'.repeat(MAX_FLOOR_NAME_BYTES + 1)}|1`, /^512 /],
      ['LFLR', '100 Known floors:\n0|Main Floor|52\n1|Loft|0'],
      ['CRE8 1|Up|0||1', /^200/],
      ['LKRA 1', /^100 Known rooms:\nUp\|2\|1\|64\|0\|486\|0\|0\|\d+\|$/],
      ['KFLR 1|1', '561 Cannot delete; floor contains 1 rooms.'],
      ['GOTO Up', /^200/],
      ['KILL 1', /^200/],
      ['KFLR 1|0', '200 Ok to delete...'],
      ['KFLR 1|1', '200 Ok'],
      ['KFLR 1|1', '561 Floor 1 not in use.'],
      ['KFLR 99|1', '561 Floor 99 not in use.'],
    ]);
    for (const line of ['CFLR x|1', 'EFLR 0|x', 'KFLR 0|1']) {
      assert.equal(await ann.text(line), '550 This command requires Admin access.');
    }
    assert.equal(await ann.text('LKRA 7'), '100 Known rooms:');
  });

  it('are sixteen at most', async (t) => {
    const { adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    for (let num = 1; num < MAX_FLOORS; num++) assert.equal(await admin.text(`CFLR F${num}|1`), `200 ${num}`);
    assert.equal(await admin.text('CFLR F16|1'), '561 There is no space available for a new floor.');
    await admin.expect('KFLR 3|1', 200);
    assert.equal(await admin.text('CFLR F16|1'), '200 3');
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countRoomsOf, createRoom } from '../../../../src/backend/store/rooms.ts';
import { MAX_ROOM_NAME_BYTES, MAX_ROOM_PASSWORD_BYTES, MAX_ROOMS_PER_USER } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { answers, names, people, serveRoom } from '../../../support/wire-users.ts';

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

  it('charges a room to who made it, after another has become its aide', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await ann.expect('CRE8 1|Gift|0|||1|0', 200);
    const counts = () => [countRoomsOf(store, 2), countRoomsOf(store, 3)];
    const before = counts();
    await ann.expect('GOTO Gift', 200);
    await ann.expect('SETA bob', 200);
    assert.equal((await bob.text('GETA')).includes('ann'), false);
    assert.deepEqual(counts(), before);
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('GOTO Gift', 200);
    await admin.expect('KILL 1', 200);
    assert.deepEqual(counts(), [before[0]! - 1, before[1]]);
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
      ['CRE8 1|X|0||0|0|13', '512 Invalid view.'],
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

describe('a room that is deleted while its text is sent', () => {
  it('stays deleted', async (t) => {
    const { admin, faults, login } = await serveRoom(t, { room: 'Ghost|0' });
    const other = await login('admin');
    await other.expect('GOTO Ghost', 200);
    await admin.expect('EINF 1', 400);
    await other.expect('KILL 1', 200);
    admin.write('about\n000\n');
    assert.doesNotMatch(await admin.text('LKRA'), /Ghost/);
    await admin.expect('GOTO Ghost', 572);
    assert.deepEqual(faults, []);
  });

  it('takes no post any more, and says why', async (t) => {
    const { admin, faults, login } = await serveRoom(t, { users: { ann: 4 } });
    const ann = await login('ann');
    await admin.expect('CRE8 1|Ghost|0', 200);
    for (const client of [admin, ann]) await client.expect('GOTO Ghost', 200);
    await ann.expect('ENT0 1|||1|late||1', 800);
    await admin.expect('KILL 1', 200);
    ann.write('words\n000\n');
    assert.deepEqual(await ann.listing(), ['-572', 'The room was deleted meanwhile.', '']);
    assert.deepEqual(faults, []);
  });

  it('takes no post of who was removed from it meanwhile, and says why', async (t) => {
    const { admin, faults, login } = await serveRoom(t, { users: { ann: 4 } });
    const ann = await login('ann');
    await admin.expect('CRE8 1|Club|3', 200);
    await admin.expect('GOTO Club', 200);
    await admin.expect('INVT ann', 200);
    await ann.expect('GOTO Club', 200);
    await ann.expect('ENT0 1|||1|late||1', 800);
    await admin.expect('KICK ann', 200);
    ann.write('words\n000\n');
    assert.deepEqual(await ann.listing(), ['-550', 'Higher access is required to post in this room.', '']);
    assert.deepEqual(faults, []);
  });
});

// Rights that end, and rooms and users that go, while something is under way: what was begun with them is not finished.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../../src/backend/maintenance/check.ts';
import { deleteUser } from '../../../../src/backend/maintenance/removal.ts';
import { findUser } from '../../../../src/backend/store/users.ts';
import { asup } from '../../../../src/backend/verbs/accounts.ts';
import { pass } from '../../../../src/backend/verbs/login.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const BODY = 'Content-type: text/plain\n\nwords\n';
const PICTURE = Buffer.alloc(64, 'p');

describe('a room admin who is put out', () => {
  /** Bob administers the directory room Files and stands in it. */
  async function files(t: Parameters<typeof startRoomServer>[0]) {
    const { socketPath } = await startRoomServer(t, { users: { bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('CRE8 1|Files|0', 200);
    for (const client of [admin, bob]) await client.expect('GOTO Files', 200);
    await admin.expect(`SETR Files||files|${2 | 32 | 64 | 128 | 256}|0`, 200);
    return { admin, bob };
  }

  it('does not finish the text of the room', async (t) => {
    const { admin, bob } = await files(t);
    await bob.expect('EINF 1', 400);
    await admin.expect('KICK bob', 200);
    bob.write('his last word\n000\n');
    await bob.expect('NOOP', 200);
    await admin.expect('RINF', 571);
  });

  it('does not finish the picture of the room', async (t) => {
    const { admin, bob } = await files(t);
    await bob.expect(`ULRI ${PICTURE.length}|image/png`, 700);
    await admin.expect('KICK bob', 200);
    bob.write(PICTURE);
    await bob.expect('NOOP', 200);
    await admin.expect('DLRI', 571);
  });

  it('does not finish a file, nor is the room told of one', async (t) => {
    const { admin, bob } = await files(t);
    await bob.expect('UOPN last.txt|text/plain|mine', 200);
    await bob.expect('WRIT 4', 700);
    await admin.expect('KICK bob', 200);
    bob.write('word');
    await bob.expect('UCLS 1', 550);
    assert.deepEqual((await admin.ask('RDIR')).lines, []);
    assert.deepEqual((await admin.ask('MSGS ALL')).lines, []);
  });
});

describe('a room admin', () => {
  it('brings no file into a directory that takes none from him', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    for (const [client, name] of [
      [admin, 'Shelf'],
      [bob, 'Files'],
    ] as const) {
      await client.expect(`CRE8 1|${name}|0`, 200);
      await client.expect(`GOTO ${name}`, 200);
    }
    await bob.expect(`SETR Files||files|${2 | 32 | 64 | 128 | 256}|0`, 200);
    await bob.expect('UOPN a.txt|text/plain|', 200);
    await bob.expect('UCLS 1', 200);
    // uploads by nobody but its administrators, then by those who may post, of whom there are none
    for (const flags of [2 | 32 | 128 | 256, 2 | 32 | 64 | 128 | 256 | 8192]) {
      await admin.expect(`SETR Shelf||shelf|${flags}|0`, 200);
      await bob.expect('MOVF a.txt|Shelf', 550);
    }
    await admin.expect(`SETR Shelf||shelf|${2 | 32 | 64 | 128 | 256}|0`, 200);
    await bob.expect('MOVF a.txt|Shelf', 200);
  });
});

describe('somebody who is deprived of a right', () => {
  it('does not finish a text of the system', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { bea: 6 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bea = await WireClient.login(socketPath, 'bea', 'beapw');
    const other = await WireClient.login(socketPath, 'bea', 'beapw');
    const third = await WireClient.login(socketPath, 'bea', 'beapw');
    await bea.expect('EMSG hello', 400);
    await other.expect('CONF PUTSYS|text/x-notes', 400);
    await third.expect('CONF STOREVAL|c_humannode|4', 700);
    await admin.expect('ASUP bea|||||4', 200);
    for (const client of [bea, other]) client.write('hers\n000\n');
    third.write('hers');
    for (const client of [bea, other, third]) await client.expect('NOOP', 200);
    await admin.expect('MESG hello', 571);
    await admin.expect('CONF GETSYS|text/x-notes', 512);
    assert.equal(await admin.text('CONF GETVAL|c_humannode'), '200 Vestibule|');
  });

  it('gets no list that he has asked for before', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Team|0', 200);
    await admin.expect('GOTO Team', 200);
    await admin.send('ENT0 1|||4|x||1', BODY);
    const waiting: [WireClient, string][] = [];
    for (const [command, wanted] of [
      ['MSGS ALL||1', 'rep2|\n'],
      ['MSGS NEW|||8', 'text\n'],
      ['MSGS GT|0|2', 'subj\n'],
    ] as const) {
      const ann = await WireClient.login(socketPath, 'ann', 'annpw');
      await ann.expect('GOTO Team', 200);
      await ann.expect(command, 800);
      waiting.push([ann, wanted]);
    }
    await admin.expect('KICK ann', 200);
    await admin.send('ENT0 1|||4|behind her back||1', BODY);
    for (const [ann, wanted] of waiting) {
      ann.write(`${wanted}000\n`);
      const numbers = (await ann.listing()).map((row) => Number.parseInt(row, 10)).filter((number) => number > 0);
      assert.deepEqual(numbers, [], wanted);
    }
  });

  it('learns no more who administers the room', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await admin.expect('CRE8 1|Team|0', 200);
    for (const client of [admin, ann]) await client.expect('GOTO Team', 200);
    assert.equal(await ann.text('GETA'), '200 admin');
    await admin.expect('KICK ann', 200);
    await ann.expect('GETA', 550);
  });
});

describe('an instant message', () => {
  it('that is being written when its receiver leaves does not reach the next user of the connection', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const shared = await WireClient.login(socketPath, 'bob', 'bobpw');
    await ann.expect('SEXP bob|-', 400);
    await shared.expect('LOUT', 200);
    await shared.expect('USER cal', 300);
    await shared.expect('PASS calpw', 200);
    ann.write('for bob alone\n000\n');
    await ann.expect('NOOP', 200);
    await shared.expect('GEXP', 575);
  });

  it('that was not read goes with its receiver, and so does who sent one', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const shared = await WireClient.login(socketPath, 'bob', 'bobpw');
    for (const text of ['one', 'two']) await ann.expect(`SEXP bob|${text}`, 200);
    await shared.expect('GEXP', 100);
    await shared.expect('LOUT', 200);
    await shared.expect('GEXP', 575);
    await shared.expect('USER cal', 300);
    await shared.expect('PASS calpw', 200);
    assert.equal(await shared.text('NOOP'), '200 ok');
    await shared.expect('GEXP', 575);
    await shared.expect('SEXP |answer', 570);
  });
});

describe('an account that is deleted', () => {
  it('takes its rooms along, and what is in no other', async (t) => {
    const { socketPath, store, server } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await ann.expect('CRE8 1|Diary|4', 200);
    await ann.expect('GOTO Diary', 200);
    const [entry] = await ann.send('ENT0 1|||4|x||1', BODY);
    await ann.expect('GOTO Mail', 200);
    const [mail] = await ann.send('ENT0 1|bob||4|x||1', BODY);
    const { id } = store.db.prepare("SELECT id FROM user WHERE name = 'ann'").get()!;
    const full = (name: string) => `${String(id).padStart(10, '0')}.${name}`;
    await admin.expect(`GOTO ${full('Diary')}`, 200);
    await ann.expect('LOUT', 200);
    await admin.expect('ASUP ann|||||0', 200);
    assert.equal(await admin.text('STAT'), '200 |0|');
    for (const name of ['Diary', 'Mail', 'Sent Items']) await admin.expect(`GOTO ${full(name)}`, 572);
    await server.housekeeper.done();
    const messages = store.db.prepare('SELECT id FROM message').all();
    const isThere = (number?: string) => messages.some((row) => String(row.id) === number);
    assert.deepEqual([isThere(entry), isThere(mail)], [false, true]);
    assert.deepEqual([...findFaults(store)], []);
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('GOTO Mail', 200);
    await bob.expect(`MSG0 ${mail}`, 100);
  });

  it('while a new password is being made for it is not there for its administrator', async (t) => {
    const { socketPath, server, store } = await startRoomServer(t, { users: { ann: 4 } });
    await WireClient.login(socketPath, 'admin', 'adminpw');
    const [session] = [...server.sessions];
    const answer = asup(session!, 'ann|another|||||');
    deleteUser(server, findUser(store, 'ann')!);
    await assert.rejects(answer, { code: 570 });
    assert.equal(findUser(store, 'ann'), undefined);
  });

  it('while its password is being looked at is not logged in', async (t) => {
    const { socketPath, server, store } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.connect(socketPath);
    await client.expect('USER ann', 300);
    const [session] = [...server.sessions];
    // The hash is worked out elsewhere: meanwhile others have their turn.
    const answer = pass(session!, 'annpw');
    deleteUser(server, session!.selectedUser!);
    await assert.rejects(answer, { code: 540 });
    assert.equal(session!.user, undefined);
    await client.expect('ENT0 0', 520);
    assert.deepEqual([...findFaults(store)], []);
  });
});

describe('a download', () => {
  it('of a file that is deleted ends with a refusal, not with nothing for ever', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await admin.expect('CRE8 1|Files|0', 200);
    for (const client of [admin, ann]) await client.expect('GOTO Files', 200);
    await admin.expect(`SETR Files||files|${2 | 32 | 64 | 128 | 256}|0`, 200);
    await admin.expect('UOPN a.txt|text/plain|', 200);
    await admin.expect('WRIT 4', 700);
    admin.write('word');
    await admin.expect('UCLS 1', 200);
    await ann.expect('OPEN a.txt', 200);
    assert.equal((await ann.expect('READ 0|2', 600)).bytes.toString(), 'wo');
    await admin.expect('DELF a.txt', 200);
    await ann.expect('READ 2|2', 571);
    await ann.expect('CLOS', 200);
  });
});

describe('the author of an anonymous message', () => {
  it('is not told to one who makes a room of the name that its room had', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const [ann, bob] = [
      await WireClient.login(socketPath, 'ann', 'annpw'),
      await WireClient.login(socketPath, 'bob', 'bobpw'),
    ];
    await admin.expect('CRE8 1|Box|0', 200);
    await admin.expect('GOTO Box', 200);
    await admin.expect('SETR Box|||514|0', 200);
    await bob.expect('GOTO Box', 200);
    const [number] = await bob.send('ENT0 1||0|4|x||1', BODY);
    await ann.expect('GOTO Box', 200);
    await ann.expect(`MOVE ${number}|Drafts|1`, 200);
    await admin.expect('SETR Old box|||514|0', 200);
    await ann.expect('CRE8 1|Box|0', 200);
    await ann.expect('GOTO Drafts', 200);
    await ann.expect(`MOVE ${number}|Box|0`, 200);
    await ann.expect('GOTO Box', 200);
    for (const line of [`MSG0 ${number}`, `MSG2 ${number}`, `MSG4 ${number}`, 'MSGS ALL|||1', 'FIND 10|words']) {
      assert.doesNotMatch((await ann.text(line)).toLowerCase(), /bob/, line);
    }
    await admin.expect('GOTO Old box', 200);
    assert.match(await admin.text(`MSG0 ${number}`), /from=\*\*\*\*$/m);
  });

  it('is not told by what the server posts for him', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    const enter = async (name: string, view: number, now: number) => {
      await admin.expect(`CRE8 1|${name}|0||0||${view}`, 200);
      for (const client of [admin, ann, bob]) await client.expect(`GOTO ${name}`, 200);
      await admin.expect(`SETR ${name}||dir|${now}|0`, 200);
    };
    const assertHidden = async () => {
      const { lines } = await ann.ask('MSGS ALL');
      assert.ok(lines.length > 0);
      for (const line of [...lines.map((number) => `MSG0 ${number}`), 'MSGS ALL|||1', 'WIKI history|page']) {
        assert.doesNotMatch((await ann.text(line)).toLowerCase(), /bob/, line);
      }
      assert.deepEqual((await ann.ask('MSGS SEARCH|bob')).lines, []);
    };

    await enter('Files', 0, 2 | 32 | 64 | 128 | 256 | 512);
    await bob.expect('UOPN a.txt|text/plain|', 200);
    await bob.expect('UCLS 1', 200);
    await assertHidden();

    await enter('Pages', 6, 2);
    for (const words of ['one', 'two']) {
      await admin.send('ENT0 1|||4|x||1|||page', BODY.replace('words', words));
    }
    await admin.expect('SETR Pages|||514|0', 200);
    const [, first] = (await bob.ask('WIKI history|page')).lines;
    await bob.expect(`WIKI rev|page|${first!.split('|')[0]}|revert`, 200);
    await assertHidden();

    await enter('Dates', 3, 514);
    await admin.expect('SETA bob', 200);
    await bob.expect('ICAL putics', 400);
    bob.write('BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nSUMMARY:s\nEND:VEVENT\nEND:VCALENDAR\n000\n');
    await bob.expect('NOOP', 200);
    await assertHidden();
  });
});

describe('a problem user', () => {
  it('does not reach a room by mail where what he writes goes to the bin', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { bad: 2 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bad = await WireClient.login(socketPath, 'bad', 'badpw');
    await admin.expect('CRE8 1|Town|0', 200);
    await admin.expect('GOTO Town', 200);
    await admin.expect('CONF PUTVAL|c_twitdetect|1', 200);
    await bad.expect('GOTO Mail', 200);
    const [number] = await bad.send('ENT0 1|room_Town||4|x||1', BODY);
    assert.deepEqual((await admin.ask('MSGS ALL')).lines, []);
    await admin.expect('GOTO Trashcan', 200);
    assert.deepEqual((await admin.ask('MSGS ALL')).lines, [number]);
  });

  it('keeps what he writes for himself, and is heard by sysop', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { bad: 2 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bad = await WireClient.login(socketPath, 'bad', 'badpw');
    await admin.expect('CONF PUTVAL|c_twitdetect|1', 200);
    await bad.expect('GOTO Notes', 200);
    const [note] = await bad.send('ENT0 1|||4|x||1', BODY);
    assert.deepEqual((await bad.ask('MSGS ALL')).lines, [note]);
    await bad.expect('GOTO Mail', 200);
    const [plea] = await bad.send('ENT0 1|sysop||4|x||1', BODY);
    await admin.expect('GOTO Aide', 200);
    assert.deepEqual((await admin.ask('MSGS ALL')).lines, [plea]);
    await admin.expect('GOTO Trashcan', 200);
    assert.deepEqual((await admin.ask('MSGS ALL')).lines, []);
  });
});

describe('a reader of a blog', () => {
  it('starts no thread by an answer to what is not there', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const post = async (client: WireClient, references: string) => {
      const [number] = await client.send(`ENT0 1|||4|x||1|||||${references}`, BODY);
      return (await client.text(`MSG0 ${number}|3`)).match(/msgn=(.*)/)![1]!;
    };
    await bob.expect('CRE8 1|Diary|0||0||10', 200);
    await bob.expect('CRE8 1|Elsewhere|0', 200);
    await bob.expect('GOTO Elsewhere', 200);
    const foreign = await post(bob, '');
    await bob.expect('GOTO Diary', 200);
    const thread = await post(bob, '');
    await ann.expect('GOTO Diary', 200);
    for (const references of ['', 'x', 'nothing@nowhere', foreign, ' ! ', `${thread}x`]) {
      await ann.expect(`ENT0 0|||4|x||1|||||${references}`, 550);
      await ann.expect(`ENT0 1|||4|x||1|||||${references}`, 550);
    }
    const comment = await post(ann, thread);
    await post(ann, `${thread}!${comment}`);
    await post(ann, `gone@x!${comment}`);
    await ann.expect(`ENT0 1|||4|x||1|||||${thread}`, 800);
    await bob.expect(`DELE ${(await bob.ask('MSGS ALL')).lines.join(',')}`, 200);
    ann.write(`${BODY}000\n`);
    assert.ok(Number((await ann.listing())[0]) < 0);
  });
});

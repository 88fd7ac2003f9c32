import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createServerRooms } from '../../../../src/backend/maintenance/bootstrap.ts';
import {
  BACKEND_CHUNK_BYTES,
  MAX_DIRECTORY_BYTES,
  MAX_FILE_FIELD_BYTES,
  MAX_ROOM_FILES,
  MAX_WRITE_BYTES,
} from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** QRflags: directory 32, upload 64, download 128, visible 256 */
const ALL = 32 + 64 + 128 + 256;

/** Room Files with these flags, ann in it, admin administering it. */
async function files(t: TestContext, flags = ALL) {
  const rooms = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const admin = await WireClient.login(rooms.socketPath, 'admin', 'adminpw');
  await admin.expect('CRE8 1|Files|0', 200);
  await admin.expect('GOTO Files', 200);
  const set = (name: string, now: number) => admin.expect(`SETR ${name}||dir|${now}|0`, 200);
  await set('Files', flags);
  const ann = await WireClient.login(rooms.socketPath, 'ann', 'annpw');
  await ann.expect('GOTO Files', 200);
  return { ...rooms, admin, ann, set };
}

async function upload(client: WireClient, name: string, content: Buffer): Promise<string> {
  await client.expect(`UOPN ${name}|text/plain|a file`, 200);
  for (let at = 0; at < content.length; ) {
    const reply = await client.ask(`WRIT ${content.length - at}`);
    const wanted = Number(reply.line.slice(4));
    client.write(content.subarray(at, at + wanted));
    at += wanted;
  }
  return client.text('UCLS 1');
}

async function download(client: WireClient, name: string): Promise<Buffer> {
  const size = Number((await client.expect(`OPEN ${name}`, 200)).line.slice(4).split('|')[0]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < size; ) {
    const { bytes } = await client.expect(`READ ${at}|10000`, 600);
    pieces.push(bytes);
    at += bytes.length;
  }
  await client.expect('CLOS', 200);
  return Buffer.concat(pieces);
}

const listed = async (client: WireClient) => (await client.ask('RDIR')).lines.map((row) => row.split('|')[0]);

describe('files of directory rooms', () => {
  it('come back to the byte, in pieces of any size, and are told of in the room', async (t) => {
    const { ann, admin } = await files(t);
    const content = randomBytes(2 * BACKEND_CHUNK_BYTES + MAX_WRITE_BYTES + 17);
    assert.equal(await upload(ann, 'big.bin', content), "200 File 'files/dir/big.bin' saved.");
    assert.deepEqual(await download(admin, 'big.bin'), content);
    await ann.expect('OPEN big.bin', 200);
    for (const at of [BACKEND_CHUNK_BYTES - 1, BACKEND_CHUNK_BYTES, content.length - 3, 5]) {
      const { bytes } = await ann.expect(`READ ${at}|20`, 600);
      assert.deepEqual(bytes, content.subarray(at, at + 20), String(at));
    }
    await ann.expect(`READ ${content.length}|1`, 500);
    const { lines } = await ann.ask('MSGS ALL');
    assert.match(await ann.text(`MSG0 ${lines[0]}`), /\ntext\nNEW UPLOAD: 'big\.bin'\n a file\ntext\/plain$/);
  });

  it('survive a restart; what was not closed does not', async (t) => {
    const { ann, store, server } = await files(t);
    await upload(ann, 'kept.txt', Buffer.from('kept'));
    await ann.expect('UOPN begun.txt|text/plain|x', 200);
    await ann.expect('WRIT 3', 700);
    ann.write('abc');
    await ann.expect('NOOP', 200);
    createServerRooms(store);
    await server.housekeeper.done();
    assert.deepEqual(
      store.db
        .prepare('SELECT name FROM room_file')
        .all()
        .map((row) => row.name),
      ['kept.txt'],
    );
  });

  it('are nothing when the upload is aborted, the connection ends, or the user leaves', async (t) => {
    const { ann, store } = await files(t);
    const rows = () => Number(store.db.prepare('SELECT count(*) AS n FROM room_file').get()!.n);
    await ann.expect('UOPN a.txt|text/plain|x', 200);
    assert.match(await ann.text('UCLS 0'), /^200 .* aborted/);
    assert.equal(rows(), 0);
    await ann.expect('UOPN b.txt|text/plain|x', 200);
    await ann.expect('UOPN c.txt|text/plain|x', 552);
    assert.equal(rows(), 1);
    await ann.expect('LOUT', 200);
    assert.equal(rows(), 0);
    await ann.expect('UCLS 1', 553);
  });

  it('are reached by those alone whom the flags allow', async (t) => {
    const { ann, admin, set } = await files(t);
    await upload(ann, 'one.txt', Buffer.from('one'));
    for (const [flags, replies] of [
      [ALL - 256, { RDIR: 550, 'OPEN one.txt': 200 }],
      [ALL - 128, { RDIR: 100, 'OPEN one.txt': 550 }],
      [ALL - 64, { 'UOPN two.txt|x|x': 550 }],
      [ALL + 8192, { 'UOPN two.txt|x|x': 550, 'OPEN one.txt': 200 }],
      [0, { RDIR: 560, 'OPEN one.txt': 560, 'UOPN two.txt|x|x': 560 }],
    ] as const) {
      await set('Files', flags);
      for (const [line, code] of Object.entries(replies)) {
        await ann.expect(line, code);
        if (code === 200) await ann.expect('CLOS', 200);
      }
    }
    await set('Files', ALL);
    for (const line of ['DELF one.txt', 'MOVF one.txt|Lobby']) await ann.expect(line, 550);
    await set('Files', ALL - 64 - 128 - 256);
    assert.deepEqual(await listed(admin), ['one.txt']);
    assert.deepEqual(await download(admin, 'one.txt'), Buffer.from('one'));
  });

  it('are closed to a user who is put out of the room while he has one open', async (t) => {
    const { ann, admin, store } = await files(t);
    await upload(ann, 'one.txt', Buffer.from('one'));
    await ann.expect('OPEN one.txt', 200);
    await ann.expect('UOPN two.txt|text/plain|x', 200);
    await ann.expect('WRIT 3', 700);
    ann.write('two');
    await admin.expect('KICK ann', 200);
    await ann.expect('READ 0|3', 550);
    await ann.expect('UCLS 1', 550);
    await ann.expect('GOTO Lobby', 200);
    await ann.expect('READ 0|3', 550);
    assert.equal(store.db.prepare("SELECT 1 FROM room_file WHERE name = 'two.txt'").get(), undefined);
  });

  it('cannot be named into other rooms or over each other', async (t) => {
    const { ann, admin, store } = await files(t);
    await admin.expect('CRE8 1|Vault|3', 200);
    await admin.expect('GOTO Vault', 200);
    await admin.expect(`SETR Vault||dir|${ALL + 6}|0`, 200);
    await upload(admin, 'secret.txt', Buffer.from('secret'));
    for (const line of ['OPEN secret.txt', 'OPEN ../dir/secret.txt', 'OPEN /etc/passwd', 'OPEN']) {
      assert.ok((await ann.ask(line)).code >= 510, line);
    }
    await upload(ann, '../x\\y.txt', Buffer.from('x'));
    assert.deepEqual(await listed(ann), ['.._x_y.txt']);
    await ann.expect('UOPN .._x_y.txt|a|b', 574);
    await ann.expect(`UOPN ${'n'.repeat(MAX_FILE_FIELD_BYTES)}|a|b`, 200);
    await ann.expect('UCLS 0', 200);
    await ann.expect(`UOPN ${'n'.repeat(MAX_FILE_FIELD_BYTES + 1)}|a|b`, 512);
    await ann.expect('MOVF .._x_y.txt|Vault', 550);
    await admin.expect('GOTO Files', 200);
    const row = store.db.prepare("SELECT id FROM room WHERE name = 'Vault'").get()!;
    const fill = store.db.prepare(
      "INSERT INTO room_file (room, name, type, comment, time, size, complete) VALUES (?, ?, '', '', 0, 0, 1)",
    );
    store.transaction(() => {
      for (let i = 1; i < MAX_ROOM_FILES; i++) fill.run(row.id!, `file ${i}`);
    });
    await admin.expect('MOVF .._x_y.txt|Vault', 511);
    store.db.exec("DELETE FROM room_file WHERE name = 'file 1'");
    await admin.expect('MOVF .._x_y.txt|Vault', 200);
    assert.deepEqual(await listed(admin), []);
  });

  it('come in pieces of as many bytes as one WRIT takes', async (t) => {
    const { ann } = await files(t);
    await ann.expect('UOPN a|b|c', 200);
    for (const wanted of [MAX_WRITE_BYTES, MAX_WRITE_BYTES + 1]) {
      assert.equal(await ann.text(`WRIT ${wanted}`), `700 ${MAX_WRITE_BYTES}`);
      ann.write(Buffer.alloc(MAX_WRITE_BYTES));
    }
    await ann.expect('UCLS 1', 200);
    assert.equal((await download(ann, 'a')).length, 2 * MAX_WRITE_BYTES);
  });

  it('take no more when those of all rooms are as large as they may be', async (t) => {
    const { ann, store } = await files(t);
    await upload(ann, 'one.txt', Buffer.from('one'));
    const grow = (bytes: number) => store.db.exec(`UPDATE room_file SET size = ${bytes}`);
    grow(MAX_DIRECTORY_BYTES - 1);
    await ann.expect('UOPN two|a|b', 200);
    await ann.expect('UCLS 0', 200);
    grow(MAX_DIRECTORY_BYTES);
    await ann.expect('UOPN two|a|b', 511);
  });

  it('go with their room', async (t) => {
    const { ann, admin, store } = await files(t);
    await upload(ann, 'one.txt', Buffer.from('one'));
    await admin.expect('KILL 1', 200);
    assert.equal(store.db.prepare('SELECT 1 FROM room_file JOIN room ON room.id = room_file.room').get(), undefined);
    await ann.expect('RDIR', 550);
  });
});

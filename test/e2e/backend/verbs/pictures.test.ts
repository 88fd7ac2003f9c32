import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MIN_PICTURE_BYTES } from '../../../../src/limits/backend.ts';
import { MAX_PICTURE_BYTES } from '../../../../src/limits/http.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const PICTURE = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

it('pictures of users come back as they were sent, along with their command', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  assert.equal(await ann.text('DLUI ann'), '571 No image found.');
  assert.equal(await ann.text('DLUI nosuch'), '570 No such user.');
  ann.write('ULUI 256|image/png|\n');
  ann.write(Buffer.concat([PICTURE, Buffer.from('ECHO after\n')]));
  assert.equal((await ann.reply()).line, '700 256');
  assert.equal((await ann.reply()).line, '200 after');
  const reply = await ann.ask('DLUI ANN');
  assert.equal(reply.line, '600 256|-1||image/png|');
  assert.deepEqual(reply.bytes, PICTURE);

  assert.equal(await ann.text('ULUI 256|image/png|boss'), "550 Higher access required to change another user's photo.");
  assert.equal(await ann.text('DLUI boss'), '571 No image found.');
  const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
  assert.equal(await boss.text('ULUI 100|image/png|nosuch'), '570 nosuch not found.');
  boss.write('ULUI 256|image/gif|ann\n');
  boss.write(PICTURE);
  assert.equal((await boss.reply()).line, '700 256');
  assert.equal((await boss.ask('DLUI ann')).line, '600 256|-1||image/gif|');
});

it('pictures are bounded in size and type', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  assert.equal(await ann.text('ULUI'), '512 Usage error');
  assert.match(await ann.text(`ULUI ${MIN_PICTURE_BYTES - 1}|image/png`), /^512 /);
  assert.match(await ann.text('ULUI 100|text/html'), /^512 Only image files/);
  assert.match(await ann.text('ULUI 100|image/png; x=y'), /^512 Only image files/);
  assert.match(await ann.text(`ULUI ${MAX_PICTURE_BYTES + 1}|image/png`), /^511 /);
  assert.match(await ann.text(`ULUI ${MAX_PICTURE_BYTES}|image/png`), /^700 /);
  ann.write(Buffer.alloc(MAX_PICTURE_BYTES, 7));
  assert.equal((await ann.ask('DLUI ann')).bytes.length, MAX_PICTURE_BYTES);
});

it('a picture that breaks off changes nothing', async (t) => {
  const { socketPath, server } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  ann.write('ULUI 256|image/png|\nhalf');
  assert.equal((await ann.reply()).line, '700 256');
  ann.close();
  while (server.sessions.size > 0) await new Promise((resolve) => setImmediate(resolve));
  const again = await WireClient.login(socketPath, 'ann', 'annpw');
  assert.equal(await again.text('DLUI ann'), '571 No image found.');
});

it('pictures of rooms are set by who administers them', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
  assert.equal(await ann.text('DLRI'), '571 No image found.');
  assert.match(await ann.text('ULRI 256|image/png'), /^550 /);
  boss.write('ULRI 256|image/png\n');
  boss.write(PICTURE);
  await boss.line();
  await boss.expect('NOOP', 200);
  assert.deepEqual((await ann.ask('DLRI')).bytes, PICTURE);
  await ann.expect('GOTO Trashcan', 200);
  assert.equal(await ann.text('DLRI'), '571 No image found.');
});

it('pictures are removed by a size of 0, by those who may set them', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
  ann.write('ULUI 256|image/png|\n');
  ann.write(PICTURE);
  await ann.reply();
  assert.match(await ann.text('ULUI 0|image/png|boss'), /^550 /);
  assert.match(await ann.text('ULUI x|image/png|'), /^512 /, 'no number is no 0');
  assert.equal((await ann.ask('DLUI ann')).code, 600);
  assert.match(await ann.text('ULUI 0|image/png|'), /^200 /);
  assert.equal(await ann.text('DLUI ann'), '571 No image found.');
  assert.equal(await ann.text('ULUI 0|image/png|'), '571 No image found.');
  boss.write('ULRI 256|image/png\n');
  boss.write(PICTURE);
  await boss.reply();
  assert.match(await ann.text('ULRI 0|image/png'), /^550 /);
  assert.match(await boss.text('ULRI 0|image/png'), /^200 /);
  assert.equal(await boss.text('DLRI'), '571 No image found.');
  assert.equal(await boss.text('ULRI 0|image/png'), '571 No image found.');
});

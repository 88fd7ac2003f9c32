// Pictures of users and rooms: read, stored and removed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Picture,
  removePicture,
  removeRoomPicture,
  setPicture,
  setRoomPicture,
  withPicture,
  withRoomPicture,
} from '../../src/room-server/pictures.ts';
import { ANN, askedServer, BOX, failsWith } from '../support/asked-server.ts';

const DOWNLOAD = '600 4|0|a.png|image/png|\nabcd';

const read = async ({ contentType, length, bytes }: Picture) => [
  contentType,
  length,
  String(Buffer.concat(await Array.fromAsync(bytes))),
];

const picture = (): Picture => ({
  contentType: 'image/png',
  length: 4,
  bytes: (async function* () {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  })(),
});

describe('a picture that is read', () => {
  it('has its type and length', async (t) => {
    const { pool, sent } = await askedServer(t, { DLUI: DOWNLOAD, DLRI: '600 2|0||\nxy' });
    assert.deepEqual(await withPicture(pool, ANN, 'bob', read), ['image/png', 4, 'abcd']);
    assert.deepEqual(await withRoomPicture(pool, ANN, BOX, read), ['application/octet-stream', 2, 'xy']);
    assert.deepEqual(sent(), ['DLUI bob', 'GOTO Box||1', 'DLRI']);
  });

  it('is of no type where the room server names one that no image has', async (t) => {
    for (const type of ['text/html', 'image/', 'image/svg+xml; a=b', 'image/png\r']) {
      const { pool } = await askedServer(t, { DLUI: `600 2|0|a|${type}|\nxy` });
      assert.equal((await withPicture(pool, ANN, 'bob', read))[0], 'application/octet-stream', type);
    }
  });

  it('is not found, be it that there is none or no such user: guests may ask', async (t) => {
    const { pool } = await askedServer(t, { DLUI: ['571 none\n', '570 nobody\n'], DLRI: '571 none\n' });
    const refusals = [1, 2].map(() => withPicture(pool, ANN, 'x', read).catch((error: unknown) => error));
    const told = (await Promise.all(refusals)).map((error) => {
      const { code, message, backendCode } = error as { code: string; message: string; backendCode: number };
      return [code, message, backendCode];
    });
    assert.deepEqual(told[0], told[1]);
    assert.equal(told[0]![0], 'not_found');
    await assert.rejects(withRoomPicture(pool, ANN, BOX, read), failsWith('not_found', 571));
  });
});

describe('a picture that is stored', () => {
  it('goes out as its bytes, and the room server has taken it then', async (t) => {
    const { pool, sent, bodies } = await askedServer(t, { ULUI: '700 4|send\n', ULRI: '700 4|send\n' });
    await setPicture(pool, ANN, picture());
    await setRoomPicture(pool, ANN, BOX, picture());
    assert.deepEqual(bodies, ['abcd', 'abcd']);
    assert.deepEqual(sent(/^UL/), ['ULUI 4|image/png|', 'ULRI 4|image/png']);
  });

  it('is refused for what is no image, and for who does not administer the room', async (t) => {
    const { pool } = await askedServer(t, { ULUI: '512 no image\n', ULRI: '550 no\n' });
    await assert.rejects(setPicture(pool, ANN, picture()), failsWith('bad_request', 512));
    await assert.rejects(setRoomPicture(pool, ANN, BOX, picture()), { code: 'forbidden', message: /administers/ });
  });
});

describe('a picture that is removed', () => {
  it('is one of no bytes', async (t) => {
    const { pool, sent } = await askedServer(t, { ULUI: '200 removed\n', ULRI: '200 removed\n' });
    await removePicture(pool, ANN);
    await removeRoomPicture(pool, ANN, BOX);
    assert.deepEqual(sent(/^UL/), ['ULUI 0|image/png|', 'ULRI 0|image/png']);
  });

  it('stays where the room server has no way to do that, and says so', async (t) => {
    const { pool } = await askedServer(t, { ULUI: ['512 no\n', '571 none\n'] });
    await assert.rejects(removePicture(pool, ANN), failsWith('method_not_allowed', 512));
    await assert.rejects(removePicture(pool, ANN), failsWith('not_found', 571));
  });

  it('leaves no connection behind that waits for bytes', async (t) => {
    const { server, pool } = await askedServer(t, { ULUI: '700 0|send\n' });
    await assert.rejects(removePicture(pool, ANN), failsWith('backend_protocol'));
    await pool.read(ANN, ['NOOP\n']);
    assert.equal(server.received.length, 2);
  });
});

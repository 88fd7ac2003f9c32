// The room of a request: what its path and X-Room-Password say.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { roomContext, roomOf } from '../../src/gateway/request-room.ts';
import type { TriedPasswords } from '../../src/gateway/tried-passwords.ts';
import { askedServer, failsWith } from '../support/asked-server.ts';
import { type Asked, contextsAt } from '../support/room-context.ts';

async function start(t: TestContext, request: Asked) {
  const { server, sent } = await askedServer(t);
  const context = contextsAt(t, server.path)('ann', '', request);
  const tried: string[] = [];
  const triedPasswords: Partial<TriedPasswords> = {
    outcomeOf: async (key, password) => {
      tried.push(`${key.split('\0')[0]} ${password}`);
      return password === 'right' ? 'right' : 'wrong';
    },
  };
  context.app.triedPasswords = triedPasswords as TriedPasswords;
  const room = async (name?: string) => roomOf(context.exchange, context.app, context.caller, name);
  return { context, room, tried, sent };
}

it('is that of the path, or the one that is named, and nothing is asked for it', async (t) => {
  const { context, room, sent } = await start(t, { params: { room: 'a/b' } });
  assert.deepEqual(await room(), { name: 'a/b', password: '', guard: undefined });
  assert.deepEqual(await room('_SENT_'), { name: 'Sent Items', password: '', guard: undefined });
  const made = await roomContext(context.exchange, context.app, context.caller);
  assert.deepEqual([made.room.name, made.caller], ['a/b', context.caller]);
  assert.deepEqual(sent(), []);
});

it('a password is tried before anything else is done with the room', async (t) => {
  const right = await start(t, { params: { room: 'Vault' }, headers: { 'x-room-password': 'right' } });
  assert.deepEqual(await right.room(), { name: 'Vault', password: 'right', guard: undefined });
  assert.deepEqual(right.tried, ['vault right']);
  const wrong = await start(t, { params: { room: 'Vault' }, headers: { 'x-room-password': 'no' } });
  await assert.rejects(wrong.room(), failsWith('forbidden', 540));
});

it('a name or password that could not be sent is none of a room', async (t) => {
  const { room, tried } = await start(t, { headers: { 'x-room-password': 'a|b' } });
  await assert.rejects(room('Box'), failsWith('bad_request'));
  assert.deepEqual(tried, []);
  const other = await start(t, {});
  for (const name of ['a|b', 'a\nb']) await assert.rejects(other.room(name), failsWith('bad_request'));
});

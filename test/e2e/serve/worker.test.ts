// It does not matter which process of a server with --workers a client reaches: what one knows, all do.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openEvents } from '../../support/event-stream.ts';
import { ADMIN_PASSWORD, basic, cookieOf } from '../../support/gateway.ts';
import type { Init } from '../../support/raw-http.ts';
import { answersOnMany, apart, startWorkers, status } from '../../support/several-processes.ts';

const logIn = (username: string, password: string): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username, password }),
});

describe('a server of three processes', async () => {
  const gateway = await startWorkers({ after }, 3);
  const nobody = apart(gateway);
  const alice = apart(gateway, basic('alice'));

  it('has one session everywhere, from the log-in to the log-out', async () => {
    const cookie = cookieOf(await nobody('a/login', logIn('alice', 'alice')));
    const asSession = { headers: { cookie } };
    const who = async (answer: Response) => ((await answer.json()) as { username: string }).username;
    assert.deepEqual(await answersOnMany(nobody, 'a/whoami', who, asSession), ['alice']);
    assert.equal(await status(await nobody('a/logout', { method: 'POST', ...asSession })), 204);
    assert.deepEqual(await answersOnMany(nobody, 'a/whoami', who, asSession), ['']);
  });

  it('has an upload everywhere, to be read, attached and removed', async () => {
    const sent = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'some text' };
    const [{ ref }] = (await (await alice('p?filename=a.txt', sent)).json()) as [{ ref: string }];
    assert.deepEqual(await answersOnMany(alice, `p/${ref}`, (answer) => answer.text()), ['some text']);
    const bob = apart(gateway, basic('bob'));
    assert.deepEqual(await answersOnMany(bob, `p/${ref}`, status), [404]);
    const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.deepEqual(await answersOnMany(alice, `r/Lobby/new?att=${ref}`, status, post), [201]);
    assert.equal(await status(await alice(`p/${ref}`, { method: 'DELETE' })), 204);
    assert.deepEqual(await answersOnMany(alice, `p/${ref}`, status), [404]);
  });

  it('tells event streams at all what is posted at one', async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => openEvents(alice, 'a/events?room=Lobby')));
    const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.equal(await status(await apart(gateway, basic('bob'))('r/Lobby/new', post)), 201);
    for (const stream of streams) {
      assert.equal(((await stream.next('message')).data as { room: string }).room, 'Lobby');
      stream.close();
    }
  });

  it('keeps a write lock against all', async () => {
    const admin = apart(gateway, basic('admin', ADMIN_PASSWORD));
    const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.equal(await status(await admin('r/Lobby/locked.txt', put)), 201);
    const scope = '<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>';
    const body = `<D:lockinfo xmlns:D="DAV:">${scope}</D:lockinfo>`;
    const lock = await admin('r/Lobby/locked.txt', { method: 'LOCK', body });
    const token = lock.headers.get('lock-token')!;
    assert.equal(await status(lock), 200);
    assert.deepEqual(await answersOnMany(admin, 'r/Lobby/locked.txt', status, put), [423]);
    const unlock = { method: 'UNLOCK', headers: { 'lock-token': token } };
    assert.equal(await status(await admin('r/Lobby/locked.txt', unlock)), 204);
    assert.deepEqual(await answersOnMany(admin, 'r/Lobby/locked.txt', status, put), [204]);
  });

  it('refuses an old password everywhere as soon as there is a new one', async () => {
    const bob = apart(gateway, basic('bob'));
    assert.deepEqual(await answersOnMany(bob, 'a/whoami', status), [200]);
    const change = { ...logIn('', ''), body: JSON.stringify({ old: 'bob', new: 'another one' }) };
    assert.equal(await status(await bob('a/password', change)), 204);
    assert.deepEqual(await answersOnMany(apart(gateway, basic('bob', 'another one')), 'a/whoami', status), [200]);
    // fewer than the throttle allows
    const refused = await Promise.all(Array.from({ length: 8 }, () => bob('a/whoami').then(status)));
    assert.deepEqual([...new Set(refused)], [401]);
  });
});

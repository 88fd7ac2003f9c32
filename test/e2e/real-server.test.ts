// What the gateway makes of the ways of a real server (support/real-server.ts).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { type RealServerOptions, startRealServer } from '../support/real-server.ts';

const AHEAD_SECONDS = 86_400;

async function inFrontOfReal(t: TestContext, options: RealServerOptions = {}) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 }, ...options });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  return { real, gateway, alice: gateway.as('alice', 'alicepw'), admin: gateway.as('admin', 'adminpw') };
}

describe('in front of a real server', () => {
  it('a banner that was deleted is not there, though the room server keeps an empty one', async (t) => {
    const isEmptied = { now: false };
    const { admin } = await inFrontOfReal(t, {
      rewrite({ command, reply }) {
        if (command === 'RINF' && isEmptied.now) return '100 Lobby\n\n000\n';
        return reply;
      },
    });
    assert.equal((await admin('r/Lobby/info.txt', { method: 'PUT', body: 'Hello.\n' })).status, 204);
    assert.equal(await (await admin('r/Lobby/info.txt')).text(), 'Hello.\n');
    assert.equal((await admin('r/Lobby/info.txt', { method: 'DELETE' })).status, 204);
    isEmptied.now = true;
    assert.equal((await admin('r/Lobby/info.txt')).status, 404);
    assert.equal(((await (await admin('r/Lobby/')).json()) as { has_info: boolean }).has_info, false);
  });

  it('members are people, no accounts of the room server itself', async (t) => {
    const { alice } = await inFrontOfReal(t, {
      rewrite: ({ command, reply }) =>
        command === 'WHOK' ? reply.replace(/^(100.*\n)/, '$1SYS_Citadel\nSYS_VCARD\n') : reply,
    });
    await alice('r/Lobby/msgs.all');
    const names = ((await (await alice('r/Lobby/members')).json()) as { name: string }[]).map(({ name }) => name);
    assert.ok(names.includes('alice'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('SYS_')),
      [],
    );
  });

  it('users of its own are completed with their addresses', async (t) => {
    const { alice } = await inFrontOfReal(t, {
      rewrite: ({ command, reply }) => (command.startsWith('AUTO ') ? '100 try these:\n000\n' : reply),
      settings: { c_fqdn: 'mail.example.org' },
    });
    const found = (await (await alice('a/complete?q=bo')).json()) as { name: string; addr: string }[];
    assert.deepEqual(
      found.map(({ name, addr }) => [name, addr]),
      [['bob', 'bob@mail.example.org']],
    );
  });

  it('nothing was changed later than now, whatever time a message bears', async (t) => {
    const ahead = Math.floor(Date.now() / 1000) + AHEAD_SECONDS;
    const { alice } = await inFrontOfReal(t, {
      rewrite: ({ command, reply }) =>
        command.startsWith('MSG0') ? reply.replace(/^time=\d+/m, `time=${ahead}`) : reply,
    });
    const posted = await alice('r/Lobby/new', { method: 'PUT', body: 'early' });
    const path = new URL(posted.headers.get('location')!, 'http://x').pathname;
    const answer = await alice(path);
    const modified = Date.parse(answer.headers.get('last-modified')!);
    assert.ok(modified <= Date.parse(answer.headers.get('date')!), answer.headers.get('last-modified')!);
  });

  it('c/info says what is true and what is false', async (t) => {
    const { alice } = await inFrontOfReal(t);
    const info = (await (await alice('c/info')).json()) as Record<string, unknown>;
    assert.equal(info.serv_fulltext_enabled, true);
    assert.equal(info.serv_supports_openid, false);
  });

  it('a room that the room server needs is not deleted, whoever asks and whatever it is called', async (t) => {
    const settings = { c_aideroom: 'Back office', c_twitroom: 'Bin' };
    const { real, alice, admin } = await inFrontOfReal(t, { settings });
    const post = (name: string) => {
      const headers = { 'content-type': 'application/json' };
      return admin('r/', { method: 'POST', headers, body: JSON.stringify({ name }) });
    };
    for (const name of ['Back office', 'Bin', 'Garden']) {
      assert.equal((await post(name)).status, 201, name);
    }
    for (const room of ['Lobby', '_BASEROOM_', 'lobby', 'Back%20office', 'bin', 'Global%20Address%20Book']) {
      assert.equal((await admin(`r/${room}/`, { method: 'DELETE' })).status, 409, room);
      assert.ok((await admin(`r/${room}/`)).status === 200, room);
    }
    // who administers a room, and not the room server, cannot be told what the others are called
    real.behind.store.prepare(`UPDATE room SET admin = (SELECT id FROM user WHERE name = 'alice')`).run();
    assert.equal((await alice('r/Trashcan/', { method: 'DELETE' })).status, 409);
    assert.equal((await alice('r/Lobby/', { method: 'DELETE' })).status, 409);
    assert.deepEqual(real.broken, []);
    assert.equal(real.sessions.flatMap(({ commands }) => commands).filter((line) => line.startsWith('KILL')).length, 0);
    assert.equal((await admin('r/Garden/', { method: 'DELETE' })).status, 204);
  });
});

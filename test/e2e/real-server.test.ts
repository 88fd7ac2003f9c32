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
  it('an instant message for who is away is refused, whoever has tried to log in under that name', async (t) => {
    const { gateway, alice } = await inFrontOfReal(t);
    const send = () => {
      const headers = { 'content-type': 'application/json' };
      return alice('a/im', { method: 'POST', headers, body: JSON.stringify({ to: 'bob', text: 'Here?' }) });
    };
    await alice('r/Lobby/msgs.all');
    assert.equal((await gateway.as('bob', 'wrong')('r/Lobby/msgs.all')).status, 401);
    assert.equal((await send()).status, 409);
    const bob = gateway.as('bob', 'bobpw');
    assert.deepEqual(await (await bob('a/im')).json(), []);
    assert.equal((await send()).status, 204);
    assert.equal(((await (await bob('a/im')).json()) as unknown[]).length, 1);
  });

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

  it('a room has the whole of the name it was given, or none that is longer than the room server keeps', async (t) => {
    const { alice } = await inFrontOfReal(t);
    const json = (method: string, path: string, fields: object) =>
      alice(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
    const isThere = async (name: string) => (await alice(`r/${name}/`)).status === 200;
    for (const [kind, max] of [
      ['public', 127],
      ['personal', 116],
    ] as const) {
      const [longest, tooLong] = [kind.padEnd(max, 'n'), kind.padEnd(max + 1, 'n')];
      const made = await json('POST', 'r/', { name: longest, kind });
      assert.deepEqual([made.status, await isThere(longest)], [201, true], longest);
      const refused = await json('POST', 'r/', { name: tooLong, kind });
      assert.equal(refused.status, 400, tooLong);
      assert.equal((await json('PATCH', `r/${longest}/`, { name: tooLong })).status, 400);
      assert.equal(await isThere(longest), true);
    }
    const [folder, longer] = ['f'.repeat(116), 'f'.repeat(117)];
    assert.equal((await alice(`r/${longer}/`, { method: 'MKCOL' })).status, 400);
    assert.equal((await alice(`r/${folder}/`, { method: 'MKCOL' })).status, 201);
    for (const method of ['MOVE', 'COPY']) {
      const headers = { destination: `/svc/r/${longer}/` };
      assert.equal((await alice(`r/${folder}/`, { method, headers })).status, 400, method);
    }
    assert.deepEqual([await isThere(folder), await isThere(longer)], [true, false]);
  });

  it('is told by what name and version the gateway goes', async (t) => {
    const { alice, real } = await inFrontOfReal(t);
    await alice('r/Lobby/');
    const lines = real.sessions.flatMap(({ commands }) => commands.filter((line) => line.startsWith('IDEN')));
    for (const line of lines) assert.match(line, /^IDEN 0\|0\|\d*\|[A-Za-z]+ \d[^|]*\|/);
    assert.ok(lines.length > 0);
  });

  it('a draft with recipients is kept with them, and sent to nobody', async (t) => {
    const { real, alice, gateway } = await inFrontOfReal(t);
    const bob = gateway.as('bob', 'bobpw');
    const upload = await alice('p?filename=a.txt', { method: 'POST', body: 'a file' });
    const [{ ref }] = (await upload.json()) as [{ ref: string }];
    const to = encodeURIComponent('bob, "J\u00f6rg, jun." <j@example.org>');
    const large = 'a long line of text\n'.repeat(5000);
    for (const [att, body] of [
      ['', 'not yet'],
      [`&att=${ref}`, 'not yet'],
      ['', large],
    ] as const) {
      const path = `r/_DRAFTS_/new?subj=later&mailto=${to}&mailcc=alice&mailbcc=bob${att}`;
      const put = await alice(path, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body });
      assert.equal(put.status, 201);
      const location = put.headers.get('location')!;
      assert.match(location, /^\/svc\/r\/Drafts\/\d+$/);
      assert.equal(await (await alice(att === '' ? location : `${location}/1`)).text(), body);
      const message = (await (await alice(`${location}/json`)).json()) as Record<string, unknown>;
      assert.deepEqual(message.rcpt, ['bob', 'J\u00f6rg, jun. <j@example.org>']);
      assert.deepEqual([message.cccc, message.bccc, message.subj], [['alice'], ['bob'], 'later']);
      const rfc822 = await (await alice(`${location}?format=rfc822`)).text();
      assert.match(rfc822, /\r\nTo: bob, =\?UTF-8\?B\?\S+\?= <j@example\.org>\r\nCc: alice\r\nBcc: bob\r\n/);
    }
    assert.deepEqual(await (await bob('r/_MAIL_/msgs.all')).json(), []);
    assert.deepEqual(await (await alice('r/_SENT_/msgs.all')).json(), []);
    assert.equal(real.behind.store.prepare(`SELECT count(*) AS n FROM message WHERE recipients <> ''`).get()!.n, 0);
    const sent = await alice('r/_MAIL_/new?subj=now&mailto=bob', { method: 'PUT', body: 'now' });
    assert.match(sent.headers.get('location')!, /Sent%20Items/);
    assert.equal(((await (await bob('r/_MAIL_/msgs.all')).json()) as number[]).length, 1);
  });

  it('who makes a room is told whether he administers it, and why he may not change it if he does not', async (t) => {
    for (const [c_creataide, isAdmin] of [
      ['0', false],
      ['1', true],
    ] as const) {
      const { alice } = await inFrontOfReal(t, { settings: { c_creataide } });
      const json = { headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ name: 'Club', kind: 'invitation' });
      assert.equal((await alice('r/', { method: 'POST', ...json, body })).status, 201);
      assert.equal(((await (await alice('r/Club/')).json()) as { is_room_aide: boolean }).is_room_aide, isAdmin);
      const listed = (await (await alice('r/')).json()) as { name: string; is_room_aide: boolean }[];
      assert.equal(listed.find(({ name }) => name === 'Club')?.is_room_aide, isAdmin);
      const picture = { body: Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(50)}`, 'latin1') };
      for (const [method, path, init] of [
        ['PUT', 'r/Club/members/bob', {}],
        ['DELETE', 'r/Club/members/bob', {}],
        ['PUT', 'r/Club/info.txt', { body: 'Welcome.\n' }],
        ['PUT', 'r/Club/roompic', { ...picture, headers: { 'content-type': 'image/png' } }],
        ['PATCH', 'r/Club/', { ...json, body: JSON.stringify({ name: 'Society' }) }],
        ['MOVE', isAdmin ? 'r/Society/' : 'r/Club/', { headers: { destination: '/svc/r/Clan/' } }],
        ['DELETE', isAdmin ? 'r/Clan/' : 'r/Club/', {}],
      ] as const) {
        const answer = await alice(path, { method, ...init });
        if (isAdmin) assert.ok(answer.ok, `${method} ${path} ${answer.status}`);
        else {
          assert.equal(answer.status, 403, `${method} ${path}`);
          assert.match(((await answer.json()) as { detail: string }).detail, /its creator may not be one/, path);
        }
      }
    }
  });
});

// What a caller's cookie, Basic credentials and room password are good for, and what they are not, on a whole gateway.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { SESSION_COOKIE } from '../../src/gateway/caller.ts';
import { loadOrCreateKey, newSessionId, Sealer } from '../../src/gateway/seal.ts';
import { MAX_LOGIN_FAILURES, SESSION_RENEW_SECONDS, SESSION_SECONDS } from '../../src/limits/sessions.ts';
import { startGateway, withCookie } from '../support/gateway.ts';
import { SocketReader } from '../support/unix-listener.ts';

const USERS = ['alice', 'bob'].map((name) => ({ name, password: name }));
const gateway = await startGateway({ after }, { users: USERS });

const FOREIGN = { 'sec-fetch-site': 'cross-site' };

/** Says `lines` to the room server, each after the answer to the one before, and answers the last message number. */
async function say(lines: string[]): Promise<number> {
  const socket = connect(join(gateway.dataFolder, 'citadel.socket'));
  const reader = new SocketReader(socket);
  await reader.line();
  let posted = 0;
  for (const line of lines) {
    socket.write(`${line}\n`);
    const answer = String(await reader.line());
    assert.match(answer, /^[2348]/, line);
    if (!answer.startsWith('8')) continue;
    socket.write('Content-Type: text/plain; name="\u20ac"; charset=utf-8\n\nhello\n000\n');
    posted = Number(await reader.line());
    while (String(await reader.line()) !== '000\n');
  }
  socket.destroy();
  return posted;
}

describe('a request from another site', () => {
  it('changes nothing with the credentials that a browser has kept either', async () => {
    const put = { method: 'PUT', headers: { ...FOREIGN, 'content-type': 'text/plain' }, body: 'text' };
    assert.equal((await gateway.as('alice')('r/Lobby/new', put)).status, 403);
    const post = { method: 'POST', headers: { ...FOREIGN, 'content-type': 'text/plain' }, body: 'text' };
    assert.equal((await gateway.as('alice')('p?filename=x', post)).status, 403);
  });

  it('has no password of a picture or a frame tried: that is no guess of the visitor', async () => {
    const embedded: Record<string, string>[] = [
      { ...FOREIGN, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { ...FOREIGN, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ];
    for (let i = 0; i <= MAX_LOGIN_FAILURES; i++) {
      for (const headers of embedded) {
        assert.equal((await gateway.as('bob', `guess ${i}`)('r/Lobby', { headers })).status, 403);
      }
    }
    const body = JSON.stringify({ username: 'bob', password: 'bob' });
    const logIn = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    assert.equal((await gateway.api('a/login', logIn)).status, 200);
  });

  it('is served with right credentials that are in use, and with any where a link was followed', async () => {
    const picture = { ...FOREIGN, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const link = { ...FOREIGN, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.equal((await gateway.as('alice')('r/Lobby', { headers: link })).status, 200);
    assert.equal((await gateway.as('alice')('r/Lobby', { headers: picture })).status, 200);
    assert.equal((await gateway.as('alice', 'wrong')('r/Lobby', { headers: link })).status, 401);
  });

  it('loads no attachments, although it is a GET', async () => {
    const mine = await withCookie(gateway, 'alice');
    assert.equal((await mine('p/Lobby/1', { headers: FOREIGN })).status, 403);
  });
});

describe('a GET that changes something', () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64)';
  const host = new URL(gateway.url).host;
  const link = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8' };
  const embedded = { 'user-agent': userAgent, accept: '*/*' };
  const ownFetch = { ...embedded, referer: `${gateway.url}svc/a/landing.html` };
  const paths = ['r/Lobby/slrp?last=HIGHEST', 'a/im', 'p/Lobby/1', 'p/r/Lobby/1'];

  it('is refused to links, and to what pages load, with cookie or kept credentials', async () => {
    for (const caller of [await withCookie(gateway, 'alice'), gateway.as('alice')]) {
      for (const headers of [link, embedded, { ...link, referer: ownFetch.referer }]) {
        for (const path of paths) assert.equal((await caller(path, { headers })).status, 403, path);
      }
    }
  });

  it('is there for curl with a cookie jar or a password, and for fetches of our own pages', async () => {
    for (const caller of [await withCookie(gateway, 'alice'), gateway.as('alice')]) {
      for (const more of [{ accept: '*/*', 'user-agent': 'curl/8.14.1' }, ownFetch]) {
        const headers = { ...more, host };
        assert.equal((await caller(paths[0]!, { headers })).status, 204);
        assert.equal((await caller('a/im', { headers })).status, 200);
        assert.equal((await caller('p/Lobby/1', { headers })).status, 200);
      }
    }
  });

  it('asks with a page before a link logs out, and the page leads on when its button is pressed', async () => {
    const mine = await withCookie(gateway, 'alice');
    const page = await mine('a/logout', { headers: link });
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store']);
    assert.match(await page.text(), /<form [^>]*method="post" action="\.\.\/a\/logout"/);
    assert.equal((await mine('a/logout', { headers: embedded })).status, 403);
    assert.equal((await mine('r/Drafts/')).status, 200, 'still logged in');
    const pressed = await mine('a/logout', { method: 'POST', headers: { ...link, host, origin: `http://${host}` } });
    assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, '/svc/a/landing.html']);
    assert.equal((await mine('r/Drafts/')).status, 401);
  });
});

describe('what has come since the last look', () => {
  it('is not taken for seen because a link or another site has it asked for', async () => {
    const mail = () => gateway.as('alice')('r/Mail/new?mailto=bob&subj=hello', { method: 'PUT', body: 'for bob' });
    const bob = gateway.as('bob');
    const cookie = await withCookie(gateway, 'bob');
    await bob('a/biff');
    assert.equal((await mail()).status, 201);
    const userAgent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
    const foreign: Record<string, string>[] = [
      { ...FOREIGN, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { ...FOREIGN, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { ...FOREIGN, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', origin: 'https://evil.example' },
      { ...userAgent, accept: 'image/avif,image/*,*/*;q=0.8' },
      { ...userAgent, accept: '*/*', referer: 'http://evil.example/' },
    ];
    for (const headers of foreign) {
      assert.deepEqual(await (await bob('a/biff', { headers })).json(), { new: 1 }, JSON.stringify(headers));
      const answer = await cookie('a/biff', { headers });
      assert.deepEqual([await answer.json(), answer.headers.getSetCookie()], [{ new: 1 }, []], JSON.stringify(headers));
    }
    assert.deepEqual(await (await bob('a/biff')).json(), { new: 1 });
    assert.deepEqual(await (await bob('a/biff')).json(), { new: 0 });
  });
});

describe('a session', () => {
  it('stays renewed when new mail is looked for in the same request', async () => {
    const sealer = new Sealer(await loadOrCreateKey(join(gateway.dataFolder, 'session-key')));
    const issued = Math.floor(Date.now() / 1000) - SESSION_RENEW_SECONDS - 10;
    const session = {
      id: newSessionId(),
      user: 'alice',
      password: 'alice',
      inbox: -1,
      issued,
      expires: issued + SESSION_SECONDS,
    };
    const cookie = `${SESSION_COOKIE}=${sealer.seal(session)}`;
    const response = await gateway.api('a/biff', { headers: { cookie } });
    assert.equal(response.status, 200);
    const last = response.headers.getSetCookie().at(-1)!;
    const renewed = sealer.open(last.slice(last.indexOf('=') + 1, last.indexOf(';')))!;
    assert.notEqual(renewed.inbox, session.inbox);
    assert.ok(renewed.issued > issued);
  });
});

describe('the log-out of a session', () => {
  it('is remembered for as long as a copy of its cookie may live that was renewed at the last moment', async () => {
    const sealer = new Sealer(await loadOrCreateKey(join(gateway.dataFolder, 'session-key')));
    const issued = Math.floor(Date.now() / 1000) - 100;
    const old = { id: newSessionId(), user: 'alice', password: 'alice', inbox: -1, issued, expires: issued + 200 };
    const renewed = { ...old, issued: issued + 100, expires: issued + 100 + SESSION_SECONDS };
    const at = (session: typeof old) => ({ headers: { cookie: `${SESSION_COOKIE}=${sealer.seal(session)}` } });
    assert.equal((await gateway.api('r/Drafts/', at(renewed))).status, 200);
    assert.equal((await gateway.api('a/logout', { method: 'POST', ...at(old) })).status, 204);
    assert.notEqual((await gateway.api('r/Drafts/', at(renewed))).status, 200);
    const kept = await readFile(join(gateway.dataFolder, 'fleet', 'revocations'), 'utf8');
    const until = new RegExp(`^(\\d+) ${old.id}$`, 'm').exec(kept)?.[1];
    assert.ok(Number(until) >= renewed.expires, kept);
  });
});

describe('a room password', () => {
  it('opens the room for the reads that bring it, and for no other', async () => {
    const msgnum = await say([
      'USER admin',
      'PASS secret',
      'CRE8 1|Vault|2|sesame|0|0|0',
      'GOTO Vault|sesame',
      'ENT0 1||0|4|subject||1',
    ]);
    const bob = gateway.as('bob');
    for (const path of ['msgs.all', 'a-uid', `${msgnum}`, `${msgnum}/json`, `${msgnum}?format=rfc822`, `${msgnum}/1`]) {
      const opened = await bob(`r/Vault/${path}`, { headers: { 'x-room-password': 'sesame' } });
      assert.equal(opened.status, path === 'a-uid' ? 404 : 200, path);
      for (const shut of ['msgs.all', path])
        assert.equal((await bob(`r/Vault/${shut}`)).status, 403, `${shut} after ${path}`);
    }
  });
});

describe('a message from elsewhere', () => {
  it('can be read when its Content-Type cannot stand in a header', async () => {
    const msgnum = await say(['USER alice', 'PASS alice', 'GOTO Lobby', 'ENT0 1||0|4|subject||1']);
    const response = await gateway.as('bob')(`r/Lobby/${msgnum}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(await response.text(), 'hello\n');
  });
});

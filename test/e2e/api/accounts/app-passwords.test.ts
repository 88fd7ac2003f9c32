// App passwords: made, listed, ended; what each scope opens, and what none does.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openEvents } from '../../../support/event-stream.ts';
import { faultServer } from '../../../support/fault-server.ts';
import { ADMIN_PASSWORD, type Api, behindGateway, startGateway, withCookie } from '../../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const CALENDAR =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:app-1\r\nDTSTAMP:20260101T000000Z\r\n' +
  'DTSTART:20260101T000000Z\r\nSUMMARY:New year\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';

const send = (api: Api, method: string, path: string, body: unknown) =>
  api(path, { method, headers: JSON_TYPE, body: JSON.stringify(body) });
const statusOf = async (answer: Promise<Response>) => (await answer).status;

interface Made {
  id: number;
  secret: string;
}

async function make(api: Api, scope: string, more: object = {}): Promise<Made> {
  const response = await send(api, 'POST', 'a/app-passwords', { name: `for ${scope}`, scope, ...more });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as Made;
}

const gateway = await startGateway({ after }, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
const alice = gateway.as('alice');

describe('an app password', () => {
  it('is made, logs in, is listed without its secret, and is ended', async () => {
    const response = await send(alice, 'POST', 'a/app-passwords', { name: 'Phone', scope: 'all' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const made = (await response.json()) as Made;
    assert.deepEqual(made, { id: made.id, name: 'Phone', scope: 'all', secret: made.secret });
    assert.equal(response.headers.get('location'), `/svc/a/app-passwords/${made.id}`);
    const phone = gateway.as('alice', made.secret);
    const account = (await (await phone('a/whoami')).json()) as Record<string, unknown>;
    assert.deepEqual([account.username, account.scope], ['alice', 'all']);
    const text = await (await alice('a/app-passwords')).text();
    assert.ok(!text.includes(made.secret));
    const listed = (JSON.parse(text) as { id: number; used?: number; created: number }[]).find(
      ({ id }) => id === made.id,
    );
    assert.deepEqual(Object.keys(listed!), ['id', 'name', 'scope', 'created', 'used']);
    assert.ok(Math.abs(listed!.used! - Date.now() / 1000) < 60);
    const end = () => statusOf(alice(`a/app-passwords/${made.id}`, { method: 'DELETE' }));
    assert.equal(await statusOf(gateway.as('bob')(`a/app-passwords/${made.id}`, { method: 'DELETE' })), 404);
    assert.equal(await statusOf(phone('r/')), 200);
    assert.equal(await end(), 204);
    assert.equal(await statusOf(phone('r/')), 401, 'on connections that were open, too');
    assert.equal(await end(), 404);
    for (const id of ['0', 'x', '1e3']) {
      assert.equal(await statusOf(alice(`a/app-passwords/${id}`, { method: 'DELETE' })), 404);
    }
  });

  it('ends an event stream that it has opened', async () => {
    const { id, secret } = await make(alice, 'read');
    const stream = await openEvents(gateway.as('alice', secret), 'a/events');
    assert.equal(await statusOf(alice(`a/app-passwords/${id}`, { method: 'DELETE' })), 204);
    while (await stream.block());
  });

  it('takes the own password once more from who has a cookie', async () => {
    const page = await withCookie(gateway, 'alice');
    const wanted = { name: 'x', scope: 'all' };
    assert.equal(await statusOf(send(page, 'POST', 'a/app-passwords', wanted)), 400);
    const wrong = { ...wanted, password: 'wrong' };
    assert.equal(await statusOf(send(page, 'POST', 'a/app-passwords', wrong)), 403);
    const { secret } = await make(page, 'all', { password: 'alice' });
    const by = { ...wanted, password: secret };
    assert.equal(await statusOf(send(page, 'POST', 'a/app-passwords', by)), 403, 'an app password is not the own');
  });

  it('is refused with a scope, a room or a name that there is not', async () => {
    for (const body of [
      { name: 'x' },
      { scope: 'all' },
      { name: '', scope: 'all' },
      { name: 'a|b', scope: 'all' },
      { name: 'x'.repeat(101), scope: 'all' },
      { name: 'x', scope: 'write' },
      { name: 'x', scope: 'feed' },
      { name: 'x', scope: 'all', room: 'Lobby' },
    ]) {
      assert.equal(await statusOf(send(alice, 'POST', 'a/app-passwords', body)), 400, JSON.stringify(body));
    }
    const elsewhere = { name: 'x', scope: 'feed', room: 'No such room' };
    assert.equal(await statusOf(send(alice, 'POST', 'a/app-passwords', elsewhere)), 404);
    assert.equal(await statusOf(send(gateway.api, 'POST', 'a/app-passwords', { name: 'x', scope: 'all' })), 401);
  });

  it('does not log in at the log-in page, and changes no account', async () => {
    const admin = gateway.as('admin', ADMIN_PASSWORD);
    const { id, secret } = await make(admin, 'all');
    const program = gateway.as('admin', secret);
    const login = await send(gateway.api, 'POST', 'a/login', { username: 'admin', password: secret });
    assert.equal(login.status, 401);
    assert.match(((await login.json()) as { message: string }).message, /app password/);
    assert.equal(login.headers.getSetCookie().length, 0);
    const change = { old: secret, new: 'stolen' };
    assert.equal(await statusOf(send(program, 'POST', 'a/password', change)), 403);
    const more = { name: 'more', scope: 'all' };
    assert.equal(await statusOf(send(program, 'POST', 'a/app-passwords', more)), 403);
    // nor with the account's own password beside it
    const known = { old: ADMIN_PASSWORD, new: 'stolen' };
    assert.equal(await statusOf(send(program, 'POST', 'a/password', known)), 403);
    assert.equal(await statusOf(send(program, 'POST', 'a/app-passwords', { ...more, password: ADMIN_PASSWORD })), 403);
    assert.equal(await statusOf(program('a/app-passwords')), 403);
    assert.equal(await statusOf(program(`a/app-passwords/${id}`, { method: 'DELETE' })), 403);
    const mallory = { username: 'mallory', password: 'x' };
    assert.equal(await statusOf(send(program, 'POST', 'u/', mallory)), 403);
    assert.equal(await statusOf(send(program, 'PATCH', 'u/bob/', { password: 'x' })), 403);
    assert.equal(await statusOf(program('u/bob/', { method: 'DELETE' })), 403);
    assert.equal(await statusOf(gateway.as('bob')('r/')), 200);
  });

  it('for reading reads everything and changes nothing', async () => {
    const program = gateway.as('alice', (await make(alice, 'read')).secret);
    for (const path of ['r/', 'r/Lobby/', 'r/Lobby/mailbox', 'u/', 'a/whoami', 'a/start', 'c/info']) {
      assert.equal(await statusOf(program(path)), 200, path);
    }
    assert.equal(await statusOf(program('r/Lobby/', { method: 'PROPFIND', headers: { depth: '0' } })), 207);
    for (const [method, path] of [
      ['PUT', 'r/Lobby/new'],
      ['DELETE', 'r/Lobby/1'],
      ['PATCH', 'r/Lobby/1'],
      ['PATCH', 'r/Lobby/mailbox'],
      ['POST', 'r/'],
      ['POST', 'p'],
      ['POST', 'a/im'],
      ['PROPPATCH', 'r/Lobby/'],
      ['MKCOL', 'r/Nowhere/'],
      ['LOCK', 'r/Lobby/x'],
      ['DELETE', 'u/alice/inbox/1'],
      ['GET', 'r/Lobby/slrp?last=HIGHEST'],
      ['GET', 'a/im'],
    ] as const) {
      const answer = await program(path, { method });
      assert.equal(answer.status, 403, `${method} ${path}`);
      assert.match(await answer.text(), /This app password does not permit that/);
    }
  });

  it('for WebDAV keeps a calendar, and is good for nothing else', async () => {
    const program = gateway.as('alice', (await make(alice, 'dav')).secret);
    for (const path of ['', 'r/', 'r/_CALENDAR_/', 'u/alice/', 'u/', 'u/alice/inbox/']) {
      assert.equal(await statusOf(program(path, { method: 'PROPFIND', headers: { depth: '0' } })), 207, path);
    }
    const event = 'r/_CALENDAR_/app-1.ics';
    const put = await program(event, {
      method: 'PUT',
      headers: { 'content-type': 'text/calendar' },
      body: CALENDAR,
    });
    assert.equal(put.status, 201);
    assert.equal(await statusOf(program(event)), 200);
    assert.equal(await statusOf(program('r/_CALENDAR_/', { method: 'OPTIONS' })), 200);
    const freeBusy = await program('u/alice/outbox/', {
      method: 'POST',
      headers: { 'content-type': 'text/calendar' },
      body: 'nonsense',
    });
    assert.doesNotMatch(await freeBusy.text(), /app password/);
    // it stores objects and files, and neither posts nor sends mail, by whatever name
    const text = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'words' };
    for (const path of ['r/Lobby/new', 'r/Lobby/note.txt', 'r/_MAIL_/new', 'r/Drafts/new', 'r/Lobby/new?subj=x']) {
      assert.equal(await statusOf(program(path, text)), 403, path);
    }
    assert.equal(await statusOf(program('r/_CALENDAR_/new?mailto=bob', text)), 403);
    const headers = { destination: new URL('/svc/r/Lobby/app-1.ics', gateway.url).href };
    for (const method of ['COPY', 'MOVE'])
      assert.equal(await statusOf(program(event, { method, headers })), 403, method);
    assert.equal(await statusOf(program(event, { method: 'DELETE' })), 204);
    for (const [method, path] of [
      ['GET', 'a/whoami'],
      ['GET', 'a/app-passwords'],
      ['POST', 'a/password'],
      ['POST', 'a/im'],
      ['GET', 'a/start'],
      ['GET', 'c/info'],
      ['GET', 'r/Lobby/mailbox'],
      ['GET', 'r/Lobby/members'],
      ['PUT', 'r/Lobby/members/bob'],
      ['PUT', 'r/Lobby/info.txt'],
      ['PATCH', 'r/Lobby/'],
      ['PATCH', 'r/Lobby/1'],
      ['POST', 'r/'],
      ['GET', 'r/Lobby/slrp?last=HIGHEST'],
      ['POST', 'p'],
      ['PUT', 'u/alice/bio'],
      ['GET', 'f/'],
    ] as const) {
      assert.equal(await statusOf(program(path, { method })), 403, `${method} ${path}`);
    }
  });
});

it('goes on when its user sets another password, and ends when an administrator does', async (t) => {
  const gateway = await startGateway(t, { users: [{ name: 'carol', password: 'carol' }] });
  const { secret } = await make(gateway.as('carol'), 'all');
  const phone = gateway.as('carol', secret);
  const change = { old: 'carol', new: 'next' };
  assert.equal(await statusOf(send(gateway.as('carol'), 'POST', 'a/password', change)), 204);
  assert.equal(await statusOf(phone('r/')), 200);
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  assert.equal(await statusOf(send(admin, 'PATCH', 'u/carol/', { password: 'third' })), 204);
  assert.equal(await statusOf(phone('r/')), 401);
});

it('is guessed no more often than a password', async (t) => {
  const gateway = await startGateway(t, { users: [{ name: 'carol', password: 'carol' }] });
  const { secret } = await make(gateway.as('carol'), 'all');
  const guess = (n: number) => gateway.as('carol', `${secret.slice(0, -2)}${n}x`)('r/');
  const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => statusOf(guess(n))));
  assert.ok(statuses.includes(401) && statuses.includes(429), statuses.join());
});

it('is made at the gateway of the room server alone; at another one it logs in where it is good for all', async (t) => {
  const other = await behindGateway(t, gateway);
  assert.equal(await statusOf(other.as('alice')('a/app-passwords')), 404);
  for (const scope of ['all', 'dav', 'read']) {
    const { secret } = await make(alice, scope);
    assert.equal(await statusOf(other.as('alice', secret)('r/')), scope === 'all' ? 200 : 401, scope);
    assert.equal(
      await statusOf(gateway.as('alice', secret)('r/', { method: 'PROPFIND', headers: { depth: '0' } })),
      207,
    );
  }
});

it('is nothing that any other room server has', async (t) => {
  const peer = await faultServer({ APPW: '530 unknown\n', INFO: '100 info\n000\n' }, []);
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  const ann = gateway.as('ann', 'pw');
  const info = (await (await ann('c/info')).json()) as { serv_supports_app_passwords: boolean };
  assert.equal(info.serv_supports_app_passwords, false);
  assert.equal(await statusOf(ann('a/app-passwords')), 404);
  assert.equal(await statusOf(send(ann, 'POST', 'a/app-passwords', { name: 'x', scope: 'all' })), 404);
  assert.equal(await statusOf(ann('a/app-passwords/1', { method: 'DELETE' })), 404);
});

// The gateway in front of recordings of a real server: the server's own information, logging in, guests, users.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordedGateway } from '../support/recorded-gateway.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('20-session-basics', () => {
  it('c/info names the lines of INFO, unset texts are empty', async (t) => {
    const { api, json } = await recordedGateway(t, 'transcripts/20-session-basics.txt');
    assert.deepEqual(await json(api('c/info')), {
      serv_pid: 3,
      serv_nodename: 'vm',
      serv_humannode: 'Citadel Server',
      serv_fqdn: 'vm',
      serv_software: 'Citadel Server 980',
      serv_rev_level: 980,
      serv_bbs_city: '',
      serv_sysadm: 'admin',
      serv_supports_ldap: true,
      serv_newuser_disabled: false,
      serv_default_cal_zone: 'Etc/UTC',
      serv_supports_sieve: false,
      serv_fulltext_enabled: true,
      serv_svn_revision: '26324',
      serv_supports_openid: false,
      serv_supports_guest: false,
      serv_supports_app_passwords: false,
    });
  });
});

describe('21-login', () => {
  it('logs in and tells who it is', async (t) => {
    const { api, json } = await recordedGateway(t, 'transcripts/21-login.txt');
    const body = JSON.stringify({ username: 'ann', password: 'annPW1' });
    const headers = { 'content-type': 'application/json' };
    const answer = await api('a/login', { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const user = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual(
      [user.result, user.fullname, user.axlevel, user.timescalled, user.posted, user.usernum, user.previous_login],
      [true, 'ann', 4, 0, 0, 2, 1795221425],
    );
    assert.equal((await api('a/whoami', { headers: { cookie, accept: 'text/plain' } })).status, 200);
    assert.deepEqual(await json(api('a/biff', { headers: { cookie } })), { new: 0 });
  });

  it('answers 401 to a wrong password and to an unknown name, with Basic and at the log-in', async (t) => {
    const { api, as, peer } = await recordedGateway(t, 'transcripts/21-login.txt');
    const logIn = (body: string) => api('a/login', { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
    peer.at('PASS wrong'); // a moment later PASS is refused for being logged in
    const answers = await Promise.all([
      logIn('ann|wrong'),
      logIn('nosuch|annPW1'),
      as('ann', 'wrong')('a/whoami'),
      as('nosuch', 'annPW1')('c/info'),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401],
    );
    assert.deepEqual(
      [await answers[0]!.json(), await answers[1]!.json()],
      [
        { result: false, message: 'Wrong user name or password.', code: 540 },
        { result: false, message: 'Wrong user name or password.', code: 540 },
      ],
    );
  });

  it('takes the spellings of a name and of a password that the server takes', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/21-login.txt');
    for (const [user, password] of [
      ['ann', 'ANNpw1'],
      ['nopass', ''],
    ] as const) {
      const answer = await as(user, password)('a/whoami', { headers: { accept: 'text/plain' } });
      assert.equal(await answer.text(), user);
    }
    assert.equal(peer.received.includes('PASS annPW1'), false);
  });
});

describe('22-not-logged-in', () => {
  it('refuses nobody with 401 where guests are not allowed', async (t) => {
    const { api } = await recordedGateway(t, 'transcripts/22-not-logged-in.txt');
    for (const path of ['r/', 'f/', 'r/Lobby/', 'r/Lobby/msgs.all', 'r/Lobby/mailbox', 'r/Lobby/1', 'r/Lobby/1/json']) {
      const answer = await api(path);
      assert.equal(answer.status, 401, path);
      assert.equal(((await answer.json()) as { code: number }).code, 520, path);
    }
    assert.equal((await api('u/ann/userpic')).status, 401);
    assert.equal((await api('c/info')).status, 200);
  });
});

describe('24-guest', () => {
  it('lists floors, rooms and messages to nobody where guests are allowed', async (t) => {
    const { api, json } = await recordedGateway(t, 'transcripts/24-guest.txt');
    assert.deepEqual(await json(api('f/')), [{ num: 0, name: 'Main Floor', refcount: 22 }]);
    const rooms = await json<{ name: string; known: boolean; hasnewmsgs: boolean }[]>(api('r/'));
    assert.deepEqual(
      rooms.map((room) => [room.name, room.known, room.hasnewmsgs]),
      [
        ['Lobby', true, false],
        ['Public Talk', true, true],
        ['Trashcan', true, false],
      ],
    );
    assert.deepEqual(await json(api('r/Lobby/msgs.all')), [6]);
    assert.deepEqual(await json(api('r/Lobby/msgs.new')), [6]);
    const mailbox = await json<{ msgs: { seen: boolean; subject: string }[] }>(api('r/Lobby/mailbox'));
    assert.deepEqual(
      mailbox.msgs.map((row) => [row.subject, row.seen]),
      [['Welcome', false]],
    );
    assert.equal(await (await api('r/Lobby/6')).text(), 'hello guests\n');
    assert.equal((await api('r/Hidden/')).status, 200);
    assert.equal((await json<{ serv_supports_guest: boolean }>(api('c/info'))).serv_supports_guest, true);
  });

  it('shows nobody no private room, no banner and no picture that is not there', async (t) => {
    const { api } = await recordedGateway(t, 'transcripts/24-guest.txt');
    for (const path of ['r/Invite/', 'r/Aide/', 'r/_MAIL_/', 'r/Lobby/info.txt', 'u/ann/userpic']) {
      const status = (await api(path)).status;
      assert.equal(status, 404, path);
    }
  });

  it('lets nobody change nothing', async (t) => {
    const { api, peer } = await recordedGateway(t, 'transcripts/24-guest.txt');
    assert.equal((await api('r/Lobby/x', { method: 'PUT', body: 'x' })).status, 401);
    assert.equal((await api('r/Lobby/6', { method: 'DELETE' })).status, 401);
    assert.equal((await api('r/Lobby/slrp?last=6')).status, 401);
    assert.deepEqual(peer.received, []);
  });
});

describe('60-users and 53-contacts', () => {
  it('whoami tells name, level, number and mail address', async (t) => {
    const { as, json } = await recordedGateway(t, 'transcripts/53-contacts.txt');
    assert.deepEqual(await json(as('ann')('a/whoami')), {
      logged_in: true,
      username: 'ann',
      fullname: 'ann',
      axlevel: 4,
      usernum: 2,
      email: 'ann@vm',
      addresses: ['ann@vm'],
    });
  });

  it('spells a name as the server does, however it was typed', async (t) => {
    const { as } = await recordedGateway(t, 'transcripts/60-users.txt');
    const answer = await as('daniel doe', 'newpw')('a/whoami', { headers: { accept: 'text/plain' } });
    assert.equal(await answer.text(), 'Daniel Doe');
  });
});

describe('63-texts-pictures', () => {
  it('sends a banner, as soon as there is one', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/63-texts-pictures.txt');
    peer.at('RINF');
    assert.equal((await as('ann')('r/Lobby/info.txt')).status, 404);
    peer.at('RINF', 3);
    const answer = await as('ann')('r/Lobby/info.txt');
    assert.equal(await answer.text(), 'Welcome to the *Lobby*.\n second line ünï\n\nlast\n');
  });

  it('sends and takes a picture', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/63-texts-pictures.txt');
    const ann = as('ann');
    peer.at('DLUI ann');
    assert.equal((await ann('u/ann/userpic')).status, 404);
    peer.at('DLUI nosuch');
    assert.deepEqual([(await ann('u/nosuch/userpic')).status, (await ann('u/boss/userpic')).status], [404, 404]);
    const first = await ann('u/ann/userpic');
    assert.equal(first.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await first.arrayBuffer()), PNG);
    const put = await ann('u/ann/userpic', { method: 'PUT', headers: { 'content-type': 'image/gif' }, body: PNG });
    assert.equal(put.status, 204);
    assert.deepEqual(peer.sent, [{ command: 'ULUI 70|image/gif|', body: PNG }]);
    peer.at('DLUI ANN');
    assert.equal((await ann('u/ANN/userpic')).headers.get('content-type'), 'image/gif');
  });
});

// The gateway in front of recordings of a real server: banners, profiles, pictures, members, users, room passwords.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_PASSWORD_BYTES, REAL_SERVER_ROOM_PASSWORD_BYTES } from '../../src/limits/backend.ts';
import { recordedGateway } from '../support/recorded-gateway.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function refusal(answer: Response) {
  return [answer.status, ((await answer.json()) as { code?: number }).code];
}

describe('63-texts-pictures', () => {
  const transcript = 'transcripts/63-texts-pictures.txt';

  it('a banner goes out line by line, and is what GET gives', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const banner = 'Welcome to the *Lobby*.\n second line ünï\n\nlast\n';
    peer.before('EINF 1', 2);
    assert.equal((await as('boss')('r/Lobby/info.txt', { method: 'PUT', body: banner })).status, 204);
    assert.equal(peer.sent.at(-1)?.body.toString(), banner);
    peer.at('SLRP HIGHEST');
    assert.equal(await (await as('ann')('r/Lobby/info.txt')).text(), banner);
  });

  it('a profile goes out line by line, and is what GET gives', async (t) => {
    const { as, peer, json } = await recordedGateway(t, transcript);
    peer.at('RBIO ann');
    const profile = await json<Record<string, unknown>>(as('ann')('u/ann/'));
    assert.deepEqual(profile, { name: 'ann', usernum: 2, axlevel: 4, last_call: 1795221586, bio: '' });
    assert.equal((await as('ann')('u/ann/bio')).status, 404);
    peer.at('EBIO');
    assert.equal((await as('ann')('u/ann/bio', { method: 'PUT', body: 'I am Ann.\n\nBye.' })).status, 204);
    assert.equal(peer.sent.at(-1)?.body.toString(), 'I am Ann.\n\nBye.\n');
    peer.at('RBIO ANN');
    assert.equal(await (await as('ann')('u/ANN/bio')).text(), 'I am Ann.\n\nBye.\n');
    peer.at('RBIO nosuch');
    assert.deepEqual(await refusal(await as('ann')('u/nosuch/bio')), [404, 570]);
  });

  it('a picture cannot be removed, and the answer says what can be done', async (t) => {
    const { as } = await recordedGateway(t, transcript);
    const answer = await as('ann')('u/ann/userpic', { method: 'DELETE' });
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS, PUT');
    assert.deepEqual(await refusal(answer), [405, 512]);
  });

  it('the picture of a room is set by administrators and shown to all', async (t) => {
    const { as, peer } = await recordedGateway(t, transcript);
    const put = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: PIXEL };
    peer.at('ULRI 70|image/png');
    assert.equal((await as('boss')('r/Lobby/roompic', put)).status, 204);
    assert.deepEqual(peer.sent.at(-1)?.body, PIXEL);
    peer.at('GOTO Trashcan');
    const shown = await as('ann')('r/Lobby/roompic');
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PIXEL);
  });
});

describe('27-invite-kick-forget', () => {
  const transcript = 'transcripts/27-invite-kick-forget.txt';

  it('members are listed, let in and put out', async (t) => {
    const { as, peer, json } = await recordedGateway(t, transcript);
    peer.at('WHOK', 3);
    const members = await json<{ name: string }[]>(as('cal')('r/Club/members'));
    assert.deepEqual(
      members.map(({ name }) => name),
      ['admin', 'ann', 'boss', 'cal'],
    );
    const change = (user: string, method: string, member: string) =>
      as(user)(`r/Club/members/${member}`, { method }).then(async (answer) =>
        answer.status === 204 ? 204 : refusal(answer),
      );
    assert.equal(await change('ann', 'PUT', 'cal'), 204);
    assert.deepEqual(await change('boss', 'PUT', 'nosuch'), [404, 570]);
    peer.at('KICK ann');
    assert.deepEqual(await change('cal', 'PUT', 'boss'), [403, 550]);
    assert.deepEqual(await change('cal', 'DELETE', 'ann'), [403, 550]);
    peer.at('KICK cal');
    assert.equal(await change('ann', 'DELETE', 'cal'), 204);
  });
});

describe('60-users', () => {
  it('users are listed, all or by a part of their name', async (t) => {
    const { as, peer, json } = await recordedGateway(t, 'transcripts/60-users.txt');
    peer.at('LIST zz');
    const users = await json<{ name: string }[]>(as('boss')('u/?q=AN'));
    assert.deepEqual(users, [
      { name: 'ann', usernum: 2, axlevel: 4, last_call: 1795221559 },
      { name: 'dan', usernum: 5, axlevel: 5, last_call: 1000000000 },
    ]);
    assert.deepEqual(await json(as('boss')('u/?q=zz')), []);
  });
});

describe('25-room-kinds', () => {
  it('a password that the server would cut is refused before anything is made', async (t) => {
    const { as, peer } = await recordedGateway(t, 'transcripts/25-room-kinds.txt');
    const post = (path: string, fields: object) =>
      as('boss')(path, { method: 'POST', body: JSON.stringify(fields) }).then(({ status }) => status);
    const password = 'p'.repeat(REAL_SERVER_ROOM_PASSWORD_BYTES + 1);
    assert.equal(await post('r/', { name: 'Vault', kind: 'password', password }), 400);
    assert.equal(await post('u/', { username: 'zed', password: 'p'.repeat(MAX_PASSWORD_BYTES) }), 400);
    assert.equal(await post('a/password', { old: 'bosspw', new: 'p'.repeat(MAX_PASSWORD_BYTES) }), 400);
    assert.ok(peer.received.every((command) => !/^(CRE8|CREU|SETP)/.test(command)));
  });
});

// LOCK and UNLOCK (RFC 4918 sections 6, 7, 9.10 and 9.11): what a lock keeps out, and whom.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  MAX_LOCK_OWNER_BYTES,
  MAX_LOCK_SECONDS,
  MAX_LOCKS_PER_USER,
  MAX_XML_ATTRIBUTES,
} from '../../src/limits/dav.ts';
import { type Api, startGateway } from '../support/gateway.ts';
import type { Init } from '../support/raw-http.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');
const bob = gateway.as('bob');

const lockInfo = (scope = 'exclusive', owner = '<D:owner><D:href>mailto:alice</D:href></D:owner>') =>
  `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope>` +
  `<D:locktype><D:write/></D:locktype>${owner}</D:lockinfo>`;
const lock = (api: Api, path: string, headers: Record<string, string> = {}, body = lockInfo()) =>
  api(path, { method: 'LOCK', headers, body });
const tokenOf = (answer: Response) => answer.headers.get('lock-token')!.slice(1, -1);
const taken = async (api: Api, path: string, headers: Record<string, string> = {}, body = lockInfo()) => {
  const answer = await lock(api, path, headers, body);
  assert.ok([200, 201].includes(answer.status), `LOCK ${path}: ${answer.status}`);
  return tokenOf(answer);
};
const unlock = async (api: Api, path: string, token: string) =>
  (await api(path, { method: 'UNLOCK', headers: { 'lock-token': token } })).status;
const status = async (api: Api, method: string, path: string, init: Init = {}) =>
  (await api(path, { method, ...(method === 'PUT' && { body: 'x' }), ...init })).status;
const discovered = async (path: string, api = alice) => {
  const body = '<D:propfind xmlns:D="DAV:"><D:prop><D:lockdiscovery/></D:prop></D:propfind>';
  const answer = await api(path, { method: 'PROPFIND', headers: { depth: '0' }, body });
  return [...(await answer.text()).matchAll(/<D:locktoken><D:href>([^<]*)</g)].map(([, token]) => token!);
};
let rooms = 0;
/** a new room with a folder: `a.txt`, `docs/`, `docs/b.txt` */
const newRoom = async () => {
  const room = `r/Locks-${++rooms}`;
  assert.equal(await status(alice, 'MKCOL', `${room}/`), 201);
  assert.equal(await status(alice, 'MKCOL', `${room}/docs/`), 201);
  for (const name of ['a.txt', 'docs/b.txt']) assert.equal(await status(alice, 'PUT', `${room}/${name}`), 201);
  return room;
};
const change =
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>';

describe('LOCK', () => {
  it('answers with the lock, which is told to all who may see what it is on', async () => {
    const room = await newRoom();
    const answer = await lock(alice, `${room}/a.txt`, { timeout: 'Second-600' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
    const token = tokenOf(answer);
    assert.match(token, /^urn:uuid:[0-9a-f-]{36}$/);
    assert.equal(
      (await answer.text()).replace(/Second-\d+/, 'Second-N'),
      '<?xml version="1.0" encoding="utf-8"?>\n<D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock>' +
        '<D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope><D:depth>infinity</D:depth>' +
        '<D:owner><D:href>mailto:alice</D:href></D:owner><D:timeout>Second-N</D:timeout>' +
        `<D:locktoken><D:href>${token}</D:href></D:locktoken>` +
        `<D:lockroot><D:href>/svc/${room}/a.txt</D:href></D:lockroot></D:activelock></D:lockdiscovery></D:prop>\n`,
    );
    assert.deepEqual(await discovered(`${room}/a.txt`), [token]);
    const number = (await alice(`${room}/a.txt`)).headers.get('etag')!.slice(1, -1);
    assert.deepEqual(await discovered(`${room}/%7C${number}`), [token], 'by its number, too');
    assert.deepEqual(await discovered(`${room}/`), []);
  });

  it('takes the body whatever its type says, and a token without its brackets', async () => {
    const room = await newRoom();
    const token = await taken(alice, `${room}/a.txt`, { 'content-type': 'text/plain' });
    assert.equal(await unlock(alice, `${room}/a.txt`, token), 204);
    assert.deepEqual(await discovered(`${room}/a.txt`), []);
    assert.equal(await unlock(alice, `${room}/a.txt`, token), 409, 'it has gone');
  });

  it('keeps an exclusive lock from all other locks, a shared one from exclusive ones', async () => {
    const room = await newRoom();
    const first = await taken(alice, `${room}/a.txt`, {}, lockInfo('shared'));
    const second = await taken(alice, `${room}/a.txt`, {}, lockInfo('shared'));
    const refused = await lock(alice, `${room}/a.txt`);
    assert.equal(refused.status, 423);
    assert.equal(
      await refused.text(),
      '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:no-conflicting-lock>' +
        `<D:href>/svc/${room}/a.txt</D:href></D:no-conflicting-lock></D:error>\n`,
    );
    for (const token of [first, second]) assert.equal(await unlock(alice, `${room}/a.txt`, token), 204);
    const token = await taken(alice, `${room}/a.txt`);
    for (const scope of ['shared', 'exclusive']) {
      assert.equal((await lock(alice, `${room}/a.txt`, {}, lockInfo(scope))).status, 423, scope);
    }
    assert.equal(await unlock(alice, `${room}/a.txt`, token), 204);
  });

  it('of infinite depth is on all that lies below, also on what comes later', async () => {
    const room = await newRoom();
    const token = await taken(alice, `${room}/docs/`);
    assert.deepEqual(await discovered(`${room}/docs/b.txt`), [token]);
    assert.equal((await lock(alice, `${room}/docs/b.txt`)).status, 423);
    assert.equal((await lock(alice, `${room}/`)).status, 423, 'the room holds a locked folder');
    assert.equal((await lock(alice, `${room}/`, { depth: '0' })).status, 200);
    assert.equal(await status(alice, 'PUT', `${room}/docs/new.txt`), 423);
    const tagged = { if: `</svc/${room}/docs/> (<${token}>)` };
    assert.equal(await status(alice, 'PUT', `${room}/docs/new.txt`, { headers: tagged }), 201);
    assert.deepEqual(await discovered(`${room}/docs/new.txt`), [token]);
    assert.equal(await unlock(alice, `${room}/docs/new.txt`, token), 204, 'from anywhere below');
    assert.equal(await status(alice, 'PUT', `${room}/docs/new.txt`), 204);
  });

  it('of a name that is free makes an empty file, which the holder writes', async () => {
    const room = await newRoom();
    const path = `${room}/docs/new%20file.txt`;
    const answer = await lock(alice, path, { depth: '0' });
    assert.equal(answer.status, 201);
    const read = await alice(path);
    assert.deepEqual([read.status, await read.text()], [200, '']);
    assert.equal(await status(alice, 'PUT', path), 423);
    const headers = { if: `(<${tokenOf(answer)}>)`, 'if-match': read.headers.get('etag')! };
    assert.equal(await status(alice, 'PUT', path, { headers, body: 'written' }), 204);
    assert.equal(await (await alice(path)).text(), 'written');
    const fresh = `${room}/docs/davfs2.txt`;
    const held = { if: `<${gateway.url}svc/${fresh}> (<${await taken(alice, fresh)}>)`, 'if-none-match': '*' };
    assert.equal(await status(alice, 'PUT', fresh, { headers: { 'if-none-match': '*' } }), 412);
    assert.equal(await status(alice, 'PUT', fresh, { headers: held }), 204, 'nobody has written it yet');
    assert.equal(await status(alice, 'PUT', fresh, { headers: held }), 412, 'now it has been');
    assert.equal((await lock(alice, `${room}/none/x`)).status, 409, 'without a parent');
    assert.equal((await lock(alice, `${room}/none/`)).status, 409, 'a folder is not made so');
    assert.equal((await lock(alice, 'r/Nowhere/x')).status, 409);
    assert.equal((await lock(alice, 'r/Events/x.ics')).status, 403, 'no event is empty');
  });

  it('refuses what it cannot understand, changing nothing', async () => {
    const room = await newRoom();
    for (const [body, headers] of [
      ['<D:lockinfo xmlns:D="DAV:"/>', {}],
      ['<x/>', {}],
      ['no xml', {}],
      ['', {}],
      [lockInfo(), { depth: '1' }],
    ] as const) {
      assert.equal((await lock(alice, `${room}/a.txt`, headers, body)).status, 400, body.slice(0, 50));
    }
    // written anew, each attribute declares its namespace
    const attributes = Array.from({ length: MAX_XML_ATTRIBUTES / 2 + 1 }, (_, i) => `p:a${i}=""`).join(' ');
    for (const owner of ['o'.repeat(MAX_LOCK_OWNER_BYTES), `<o xmlns:p="u" ${attributes}/>`]) {
      const body = lockInfo('exclusive', `<D:owner>${owner}</D:owner>`);
      assert.equal((await lock(alice, `${room}/a.txt`, {}, body)).status, 413, owner.slice(0, 50));
    }
    assert.equal((await alice(`${room}/`, { method: 'PROPFIND', headers: { depth: '1' } })).status, 207);
    assert.deepEqual(await discovered(`${room}/a.txt`), []);
  });

  it('is for who may change what it is on', async () => {
    const { status: made } = await lock(bob, 'r/Town%20Square/');
    assert.equal(made, 403);
    assert.equal((await lock(gateway.api, 'r/Lobby/')).status, 401);
    const room = await newRoom();
    assert.equal((await lock(bob, `${room}/a.txt`)).status, 409, 'to bob there is no such room');
  });

  it('has a time, which is bounded and can be renewed', async () => {
    const room = await newRoom();
    const secondsOf = async (answer: Response) => Number(/Second-(\d+)/.exec(await answer.text())![1]);
    const answer = await lock(alice, `${room}/docs/`, { timeout: 'Infinite, Second-4100000000' });
    const seconds = await secondsOf(answer.clone());
    assert.ok(seconds <= MAX_LOCK_SECONDS && seconds > MAX_LOCK_SECONDS - 60, `${seconds}`);
    const token = tokenOf(answer);
    const renew = (path: string, header: string, api = alice) =>
      api(path, { method: 'LOCK', headers: { if: header, timeout: 'Second-300' } });
    const renewed = await renew(`${room}/docs/b.txt`, `(<${token}>)`);
    assert.deepEqual([renewed.status, renewed.headers.get('lock-token')], [200, null]);
    const left = await secondsOf(renewed);
    assert.ok(left <= 300 && left > 240, `${left}`);
    assert.equal((await renew(`${room}/docs/`, '(<urn:uuid:none>)')).status, 412);
    assert.equal((await renew(`${room}/a.txt`, `(<${token}>)`)).status, 412, 'not on this file');
    assert.equal((await alice(`${room}/docs/`, { method: 'LOCK' })).status, 400);
  });

  it('ends when its time is over', async () => {
    const room = await newRoom();
    await taken(alice, `${room}/a.txt`, { timeout: 'Second-1' });
    assert.equal(await status(alice, 'PUT', `${room}/a.txt`), 423);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assert.equal(await status(alice, 'PUT', `${room}/a.txt`), 204);
  });

  it('is bounded for each account', async (t) => {
    const crowded = await startGateway(t, { demo: true });
    const api = crowded.as('alice');
    await api('r/Many/', { method: 'MKCOL' });
    await api('r/Many/a', { method: 'PUT', body: 'x' });
    for (let i = 0; i < MAX_LOCKS_PER_USER; i++) {
      assert.equal((await lock(api, 'r/Many/a', {}, lockInfo('shared', ''))).status, 200);
    }
    assert.equal((await lock(api, 'r/Many/a', {}, lockInfo('shared', ''))).status, 507);
    assert.deepEqual(
      crowded.faults.filter((fault) => !/too many locks/i.test(String(fault))),
      [],
    );
  });
});

describe('a lock', () => {
  it('keeps out every change without its token, and no reading', async () => {
    const room = await newRoom();
    await status(alice, 'PUT', `${room}/other.txt`);
    const token = await taken(alice, `${room}/a.txt`);
    const to = (name: string) => ({ headers: { destination: `/svc/${room}/${name}` } });
    const number = (await alice(`${room}/a.txt`)).headers.get('etag')!.slice(1, -1);
    for (const [method, path, init] of [
      ['PUT', 'a.txt', {}],
      ['DELETE', 'a.txt', {}],
      ['DELETE', `%7C${number}`, {}],
      ['MOVE', 'a.txt', to('b.txt')],
      ['MOVE', `%7C${number}`, to('b.txt')],
      ['MOVE', 'other.txt', to('a.txt')],
      ['COPY', 'other.txt', to('a.txt')],
      ['COPY', 'docs/', to('a.txt')],
      ['PROPPATCH', 'a.txt', { body: change }],
      ['LOCK', 'a.txt', { body: lockInfo() }],
    ] as const) {
      const answer = await alice(`${room}/${path}`, { method, ...(method === 'PUT' && { body: 'x' }), ...init });
      assert.equal(answer.status, 423, `${method} ${path}`);
      if (method === 'LOCK') continue;
      const element = `<D:lock-token-submitted><D:href>/svc/${room}/a.txt</D:href></D:lock-token-submitted>`;
      assert.ok((await answer.text()).includes(element), `${method} ${path}`);
    }
    for (const method of ['GET', 'HEAD', 'PROPFIND', 'OPTIONS']) {
      const answered = await status(alice, method, `${room}/a.txt`, { headers: { depth: '0' } });
      assert.ok([200, 207].includes(answered), method);
    }
    assert.equal(await status(alice, 'COPY', `${room}/a.txt`, to('copy.txt')), 201, 'a copy is not locked');
    assert.deepEqual(await discovered(`${room}/copy.txt`), []);
    const headers = { if: `(<${token}>)` };
    assert.equal(await status(alice, 'PUT', `${room}/a.txt`, { headers }), 204);
    assert.deepEqual(await discovered(`${room}/a.txt`), [token], 'and is on what has replaced it');
    const tagged = { if: `</svc/${room}/a.txt> (<${token}>)`, ...to('a.txt').headers };
    assert.equal(await status(alice, 'COPY', `${room}/other.txt`, { headers: tagged }), 204);
    const moving = { if: `(<${token}>)`, ...to('moved.txt').headers };
    assert.equal(await status(alice, 'MOVE', `${room}/a.txt`, { headers: moving }), 201);
    assert.deepEqual(await discovered(`${room}/moved.txt`), [], 'a lock does not move along');
    assert.equal(await status(alice, 'PUT', `${room}/a.txt`), 201, 'nor does it stay');
  });

  it('is on a member and in a room by whatever name', async () => {
    const room = await newRoom();
    const other = room.replace('Locks', 'lOcKs');
    await status(alice, 'PUT', `${room}/other.txt`);
    for (const path of ['a.txt', 'docs/']) await taken(alice, `${room}/${path}`);
    for (const path of [`${room}/%61.txt`, `${room}/docs/%62.txt`, `${room}/docs%2Fb.txt`, `${other}/a.txt`]) {
      assert.equal(await status(alice, 'PUT', path), 423, path);
      assert.equal(await status(alice, 'DELETE', path), 423, path);
      const headers = { destination: `/svc/${path}` };
      assert.equal(await status(alice, 'MOVE', `${room}/other.txt`, { headers }), 423, path);
    }
    assert.equal(await status(alice, 'MKCOL', `${other}/docs/new/`), 423);
    assert.equal(await status(alice, 'DELETE', `${other}/`), 423);
    assert.equal(await status(alice, 'PUT', `${other}/A.txt`), 201, 'which is another member');
  });

  it('on a folder alone keeps its list of members, on a room the room', async () => {
    const room = await newRoom();
    const token = await taken(alice, `${room}/docs/`, { depth: '0' });
    for (const [method, path] of [
      ['PUT', 'docs/new.txt'],
      ['DELETE', 'docs/b.txt'],
      ['MKCOL', 'docs/sub/'],
      ['DELETE', 'docs/'],
      ['DELETE', ''],
    ] as const) {
      assert.equal(await status(alice, method, `${room}/${path}`), 423, `${method} ${path}`);
    }
    assert.equal((await lock(alice, `${room}/docs/new.txt`)).status, 423);
    assert.equal(await status(alice, 'PUT', `${room}/docs/b.txt`), 204, 'what a member holds is not guarded');
    assert.equal(await unlock(alice, `${room}/docs/`, token), 204);
    const whole = await taken(alice, `${room}/`);
    for (const [method, path] of [
      ['PUT', 'a.txt'],
      ['PUT', 'new'],
      ['MKCOL', 'more/'],
      ['DELETE', 'docs/b.txt'],
      ['DELETE', ''],
    ] as const) {
      assert.equal(await status(alice, method, `${room}/${path}`), 423, `${method} ${path}`);
    }
    const destination = `/svc/${room}-renamed/`;
    assert.equal(await status(alice, 'MOVE', `${room}/`, { headers: { destination } }), 423);
    const json = { 'content-type': 'application/json' };
    const name = JSON.stringify({ name: `Locks-${rooms}-renamed` });
    assert.equal(await status(alice, 'PATCH', `${room}/`, { headers: json, body: name }), 423);
    const headers = { if: `(<${whole}>)`, destination };
    assert.equal(await status(alice, 'MOVE', `${room}/`, { headers }), 201);
    assert.deepEqual(await discovered(`${room}-renamed/`), []);
  });

  it('inside of a folder keeps the folder', async () => {
    const room = await newRoom();
    const token = await taken(alice, `${room}/docs/b.txt`);
    const headers = { destination: `/svc/${room}/moved/` };
    assert.equal(await status(alice, 'DELETE', `${room}/docs/`), 423);
    assert.equal(await status(alice, 'MOVE', `${room}/docs/`, { headers }), 423);
    assert.equal(await status(alice, 'COPY', `${room}/a.txt`, { headers: { destination: `/svc/${room}/docs/` } }), 423);
    assert.equal(await status(alice, 'COPY', `${room}/docs/`, { headers }), 201);
    const tagged = { if: `</svc/${room}/docs/b.txt> (<${token}>)` };
    assert.equal(await status(alice, 'DELETE', `${room}/docs/`, { headers: tagged }), 204);
    assert.equal(await status(alice, 'MKCOL', `${room}/docs/`), 201);
    assert.equal(await status(alice, 'PUT', `${room}/docs/b.txt`), 201, 'the lock has gone with it');
  });

  it('is of its creator: nobody else can use its token', async () => {
    const json = { 'content-type': 'application/json' };
    const club = { method: 'POST', headers: json, body: JSON.stringify({ name: 'Club', kind: 'invitation' }) };
    assert.equal((await alice('r/', club)).status, 201);
    assert.equal(await status(alice, 'PUT', 'r/Club/members/bob'), 204);
    await status(alice, 'PUT', 'r/Club/plan.txt');
    const token = await taken(alice, 'r/Club/plan.txt');
    assert.deepEqual(await discovered('r/Club/plan.txt', bob), [token], 'he sees who has it');
    const headers = { if: `(<${token}>)` };
    assert.equal(await status(bob, 'PUT', 'r/Club/plan.txt', { headers }), 423);
    assert.equal(await status(bob, 'LOCK', 'r/Club/plan.txt', { headers }), 403);
    assert.equal(await unlock(bob, 'r/Club/plan.txt', token), 403);
    assert.equal(await unlock(alice, 'r/Club/plan.txt', token), 204);
  });

  it('is on a personal room of one user, not on another’s of the same name', async () => {
    const token = await taken(alice, 'r/Drafts/');
    assert.equal(await status(alice, 'PUT', 'r/_DRAFTS_/x.txt'), 423, 'whatever the room is called');
    assert.deepEqual(await discovered('r/Drafts/', bob), []);
    assert.equal(await status(bob, 'PUT', 'r/Drafts/x.txt'), 201);
    assert.equal(await unlock(alice, 'r/_DRAFTS_/', token), 204);
  });

  it('lets two PUTs at the same time write one after the other, and nobody without the token', async () => {
    const room = await newRoom();
    const token = await taken(alice, `${room}/a.txt`);
    const headers = { if: `(<${token}>)` };
    const bodies = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(1000));
    const answers = await Promise.all(
      bodies.map((body, i) => status(alice, 'PUT', `${room}/a.txt`, { body, ...(i % 2 === 0 && { headers }) })),
    );
    assert.deepEqual(
      answers,
      bodies.map((_, i) => (i % 2 === 0 ? 204 : 423)),
    );
    assert.ok(bodies.filter((_, i) => i % 2 === 0).includes(await (await alice(`${room}/a.txt`)).text()));
    const numbers = (await (await alice(`${room}/msgs.all`)).json()) as number[];
    assert.equal(numbers.length, 3, 'nothing is left over');
  });

  it('is taken once by those who want it at the same time', async () => {
    const room = await newRoom();
    const answers = await Promise.all(Array.from({ length: 8 }, () => lock(alice, `${room}/fresh.txt`)));
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [201, 423, 423, 423, 423, 423, 423, 423]);
    const numbers = (await (await alice(`${room}/msgs.all`)).json()) as number[];
    assert.equal(numbers.length, 4);
  });
});

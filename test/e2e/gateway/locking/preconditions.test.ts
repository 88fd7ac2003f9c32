// What must hold before something is changed, whichever interface changes it.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGateway } from '../../../support/gateway.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');
const LOCK =
  '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
  '<D:locktype><D:write/></D:locktype></D:lockinfo>';

let rooms = 0;
/** a room of files with `a.txt` and `docs/b.txt` */
async function newRoom(): Promise<string> {
  const room = `r/Guarded-${++rooms}`;
  for (const folder of ['', 'docs/']) assert.equal((await alice(`${room}/${folder}`, { method: 'MKCOL' })).status, 201);
  for (const name of ['a.txt', 'docs/b.txt']) assert.equal((await put(`${room}/${name}`)).status, 201);
  return room;
}

function put(path: string, headers: Record<string, string> = {}) {
  return alice(path, { method: 'PUT', headers: { 'content-type': 'text/plain', ...headers }, body: 'x' });
}

async function lock(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await alice(path, { method: 'LOCK', headers, body: LOCK });
  assert.ok(answer.ok, `LOCK ${path} ${answer.status}`);
  return answer.headers.get('lock-token')!.slice(1, -1);
}

const etagOf = async (path: string) => (await alice(path, { method: 'HEAD' })).headers.get('etag')!;
const status = async (answer: Promise<Response>) => (await answer).status;

describe('a condition', () => {
  it('is looked at before a lock is: who has missed a change is told that', async () => {
    const room = await newRoom();
    await lock(`${room}/a.txt`);
    assert.equal(await status(put(`${room}/a.txt`, { 'if-match': '"1"' })), 412);
    assert.equal(await status(put(`${room}/a.txt`, { 'if-match': await etagOf(`${room}/a.txt`) })), 423);
  });

  it('changes nothing where it does not hold', async () => {
    const room = await newRoom();
    const before = await etagOf(`${room}/a.txt`);
    for (const headers of [
      { 'if-match': '"1"' },
      { 'if-none-match': '*' },
      { if: '(["1"])' },
      { if: '(Not [W/"x"] ["1"])' },
    ]) {
      assert.equal(await status(put(`${room}/a.txt`, headers)), 412, JSON.stringify(headers));
      assert.equal(await status(alice(`${room}/a.txt`, { method: 'DELETE', headers })), 412);
    }
    assert.equal(await etagOf(`${room}/a.txt`), before);
    assert.equal(await status(put(`${room}/a.txt`, { if: '(["1"' })), 400);
  });
});

describe('a lock', () => {
  it('is named in the answer, with the address of what is locked', async () => {
    const room = await newRoom();
    await lock(`${room}/docs/`, { depth: 'infinity' });
    for (const [method, path] of [
      ['PUT', 'docs/b.txt'],
      ['DELETE', 'docs/b.txt'],
      ['DELETE', 'docs/'],
    ] as const) {
      const answer = await alice(`${room}/${path}`, { method, headers: { accept: 'application/xml' } });
      assert.equal(answer.status, 423, `${method} ${path}`);
      assert.match(await answer.text(), new RegExp(`/svc/${room}/docs/`), `${method} ${path}`);
    }
  });

  it('is opened by its token, and by no other', async () => {
    const room = await newRoom();
    const headers = { if: `(<${await lock(`${room}/a.txt`)}>)` };
    assert.equal(await status(put(`${room}/a.txt`, headers)), 204);
    assert.equal(await status(put(`${room}/a.txt`, { if: '(<urn:uuid:0>)' })), 412);
    assert.equal(await status(alice(`${room}/a.txt`, { method: 'DELETE', headers })), 204);
  });

  it('of something in a room keeps the room from going', async () => {
    const room = await newRoom();
    const token = await lock(`${room}/docs/b.txt`);
    assert.equal(await status(alice(`${room}/`, { method: 'DELETE' })), 423);
    const headers = { if: `</svc/${room}/docs/b.txt> (<${token}>)` };
    assert.equal(await status(alice(`${room}/`, { method: 'DELETE', headers })), 204);
  });
});

// A gateway in front of a room server of another process or machine: over TCP and over a unix socket, with the server
// gone, back again, and out of its mind.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Answers, type Fault, type FaultKind, faultServer } from '../support/fault-server.ts';
import { behindGateway, type Ending, postedNumber, startGateway, withCookie } from '../support/gateway.ts';

const folder = await mkdtemp(join(tmpdir(), 'line-'));
after(() => rm(folder, { recursive: true, force: true }));

for (const address of ['tcp://127.0.0.1:0', `unix:${join(folder, 'socket')}`]) {
  const kind = address.slice(0, address.indexOf(':'));

  describe(`a second gateway over ${kind}`, async () => {
    const first = await startGateway({ after }, { demo: true, options: ['--line-listen', address] });
    const second = await behindGateway({ after }, first);

    it('lets one live a whole life', async () => {
      const alice = await withCookie(second, 'alice');
      const put = await alice('r/Lobby/new?subj=hello', { method: 'PUT', body: 'over the line\n000\n' });
      const path = `r/Lobby/${postedNumber(put)}`;
      assert.equal(await (await alice(path)).text(), 'over the line\n000\n');
      assert.equal(await (await first.as('bob')(path)).text(), 'over the line\n000\n', 'on the first gateway');
      const { seen, subj } = (await (await alice(`${path}/json`)).json()) as Record<string, unknown>;
      assert.deepEqual([seen, subj], [false, 'hello']);
      assert.equal((await alice('r/Lobby/slrp?last=HIGHEST')).status, 204);
      assert.deepEqual(await (await first.as('alice')('r/Lobby/msgs.new')).json(), [], 'on the first gateway too');
      const move = { method: 'MOVE', headers: { destination: '/svc/r/Mail/' } };
      assert.equal((await alice(path, move)).status, 403, 'the Lobby is not hers');
      assert.equal((await alice(path, { ...move, method: 'COPY' })).status, 201);
      const copy = `r/Mail/${path.split('/').at(-1)}`;
      assert.equal((await alice(copy, { method: 'DELETE' })).status, 204);
      assert.equal((await alice(copy)).status, 404);
      assert.equal((await alice('a/logout', { method: 'POST' })).status, 204);
    });

    it('says 502 while the room server is gone, and works again when it is back', async () => {
      const alice = await withCookie(second, 'alice');
      const put = await alice('r/Lobby/new', { method: 'PUT', body: 'before' });
      const path = `r/Lobby/${postedNumber(put)}`;
      await first.close();
      for (const gone of [path, 'r/', 'c/info', 'a/whoami']) {
        const response = await alice(gone);
        assert.equal(response.status, 502, gone);
        assert.equal(response.headers.get('content-type'), 'application/problem+json');
        assert.doesNotMatch(await response.text(), /127\.0\.0\.1|socket|ECONN|at file/);
      }
      assert.equal((await second.as('bob')('r/')).status, 502, 'for who was not logged in');
      assert.equal((await alice('r/Lobby/new', { method: 'PUT', body: 'lost' })).status, 502);
      assert.equal((await second.api('s/no.css')).status, 404, 'what needs no room server goes on');
      await first.restart();
      // it is asked again within a second
      await eventually(async () => (await alice(path)).text(), 'before');
      assert.equal((await alice('r/Lobby/new', { method: 'PUT', body: 'after' })).status, 201);
    });

    it('survives a restart of the room server between two requests', async () => {
      const alice = second.as('alice');
      for (const [method, path, status] of [
        ['GET', 'r/', 200],
        ['PUT', 'r/Lobby/new', 201],
        ['GET', 'r/Lobby/1', 200],
        ['GET', 'u/alice/userpic', 404],
      ] as const) {
        assert.equal((await alice('r/Lobby/')).status, 200);
        assert.equal((await alice('r/Lobby/1?format=rfc822')).status, 200);
        await first.restart();
        const response = await alice(path, { method, ...(method === 'PUT' && { body: 'text' }) });
        assert.equal(response.status, status, `${method} ${path}`);
      }
    });
  });
}

describe('a room server that is not there', () => {
  it('is 502', async (t) => {
    const gateway = await startGateway(t, { backend: `unix:${join(folder, 'none')}` });
    assert.equal((await gateway.as('ann')('r/')).status, 502);
    const body = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'ann|x' };
    for (let i = 0; i < 20; i++) assert.equal((await gateway.api('a/login', body)).status, 502, 'no guess was wrong');
    assert.equal((await gateway.api('/')).status, 302);
  });
});

const PART = 'part=||1||text/plain|100000||';
const HEAD: Answers = {
  GOTO: '200 Lobby|0|1|0|2|9|0|0|0|0|0|0|0|0|0|0|\n',
  LRMS: '100 rooms\nLobby|2|0|0|0|38|0|0|0|\n000\n',
  LZRM: '100 rooms\n000\n',
  'MSG0 0|3': '550 none\n',
  MSG0: `100 message\ntype=4\nmsgn=1@x\ntime=1700000000\nfrom=ann\n${PART}\ntext\n000\n`,
  MSG2: '100 message\nFrom: ann\nContent-type: text/plain\n\n000\n',
  GTSN: '200 \n',
  SLRP: '200 ok\n',
};

const sound: Fault = { kind: 'none', after: 0 };

/** The connection on which is asked whom a name stands for, the first of all, has no fault. */
async function peerWith(t: Ending, faults: readonly Fault[]) {
  const peer = await faultServer(HEAD, [sound, ...faults]);
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  return { peer, ann: gateway.as('ann', 'pw') };
}

describe('a connection that dies while it is used', () => {
  // One connection behind that serves for everything; three commands log it in.
  const dies = (after: number): Fault => ({ kind: 'close', after });

  it('does no harm to what only reads: it is asked once more', async (t) => {
    const { peer, ann } = await peerWith(t, [dies(3)]);
    assert.equal((await ann('r/')).status, 200);
    assert.equal(peer.received.length, 3);
  });

  it('does no harm before the room is entered', async (t) => {
    const { peer, ann } = await peerWith(t, [dies(3)]);
    assert.equal((await ann('r/Lobby/slrp?last=1')).status, 204);
    assert.equal(peer.received.length, 3);
  });

  it('is 502 for what changes something, which is never sent twice', async (t) => {
    const { peer, ann } = await peerWith(t, [dies(5)]);
    assert.equal((await ann('r/Lobby/new', { method: 'PUT', body: 'text' })).status, 502);
    const posts = peer.received.flat().filter((line) => /^ENT0 1/.test(line));
    assert.equal(posts.length, 1);
  });
});

describe('a room server that misbehaves', () => {
  const misbehaving = async (t: Ending, kind: FaultKind, after: Fault['after'], connections = 20) =>
    (await peerWith(t, new Array(connections).fill({ kind, after }))).ann;

  for (const kind of ['close', 'cut-status', 'cut-listing', 'garbage'] as const) {
    it(`is 502 when it does this: ${kind}`, async (t) => {
      const ann = await misbehaving(t, kind, 3);
      const response = await ann('r/');
      assert.equal(response.status, 502);
      assert.doesNotMatch(await response.text(), /garbage|row|at file/);
    });
  }

  it('is 502 when it does not greet', async (t) => {
    const ann = await misbehaving(t, 'close', 'greeting');
    assert.equal((await ann('r/')).status, 502);
  });

  for (const kind of ['endless-line', 'endless-listing'] as const) {
    it(`is 502 when it does this: ${kind}`, async (t) => {
      const ann = await misbehaving(t, kind, 3);
      assert.equal((await ann('r/')).status, 502);
    });
  }

  it('breaks a download off, so that it cannot look complete', async (t) => {
    // eleven commands: log-in, the head of the message, entering the room; then the part
    const ann = await misbehaving(t, 'cut-binary', 10, 1);
    const response = await ann('r/Lobby/1');
    assert.deepEqual([response.status, response.headers.get('content-length')], [200, '100000']);
    await assert.rejects(response.arrayBuffer());
  });
});

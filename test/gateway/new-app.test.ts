// What is sealed or signed for one room server counts at no other, though the fleet has one key.

import assert from 'node:assert/strict';
import { it, mock, type TestContext } from 'node:test';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { localNotices } from '../../src/fleet/notices.ts';
import { newApp } from '../../src/gateway/new-app.ts';
import { Sealer } from '../../src/gateway/seal.ts';
import { RenderThreads } from '../../src/render/threads.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';

const KEY = Buffer.alloc(32, 7);
const SESSION = { user: 'ann', key: 'k', id: 'i', inbox: 0, issued: 0, expires: 2 ** 40 };

function makeApps(t: TestContext, ...servers: string[]) {
  const fleet = { notices: localNotices() } as Fleet;
  const renderThreads = new RenderThreads({ logError: () => {} });
  t.after(() => renderThreads.close());
  const live = { landing: '/', hasSecureCookies: false, statics: [], allowedOrigins: new Set<string>() };
  const bounds = { maxBodyBytes: 1, maxSpooledBytes: 1, maxEventStreams: 1 };
  const paths = { prefix: '/svc/', davRoutes: new Set<string>() };
  const common = { fleet, live, renderThreads, keys: [KEY] as [Buffer], ...paths, ...bounds };
  return servers.map((server) => {
    const pool = new Pool({ target: { path: '/nowhere' }, clientName: 'test', clientVersion: '1' });
    const app = newApp({ ...common, server, pool, spoolFolder: '/nowhere' });
    t.after(() => {
      app.watches.close();
      pool.close();
    });
    return app;
  });
}

it('seals and signs with a key of its own; the one without a name has that of the fleet', (t) => {
  const [none, a, b] = makeApps(t, '', 'a.example', 'b.example');
  const all = [none!, a!, b!];
  for (const app of all) {
    const cookie = app.sealer.seal(SESSION);
    assert.deepEqual(
      all.map((other) => other.sealer.open(cookie)?.id),
      all.map((other) => (other === app ? 'i' : undefined)),
    );
  }
  assert.equal(new Set(all.map(({ sealer }) => sealer.sign(Buffer.from('list')).toString('hex'))).size, 3);
  assert.equal(new Sealer(KEY).open(none!.sealer.seal(SESSION))?.id, 'i');
  // another gateway with the same key and the same host
  assert.equal(makeApps(t, 'a.example')[0]!.sealer.open(a!.sealer.seal(SESSION))?.id, 'i');
});

it('forgets what a notice of its room server is about, and hears of no other', async (t) => {
  const [a, b] = makeApps(t, 'a.example', 'b.example');
  const forgotten = [a!, b!].map(({ pool }) => mock.method(pool, 'forget', () => {}).mock);
  await a!.fleet.notices.tell({ about: 'account', usernum: 5 });
  await a!.fleet.notices.tell({ about: 'inbox', account: '5', seen: 9 });
  await a!.fleet.notices.tell({ about: 'replaced session', sessionId: 'i' });
  assert.deepEqual(
    forgotten.map((each) => each.callCount()),
    [1, 0],
  );
  assert.deepEqual([a!.inboxSeen.get('5'), b!.inboxSeen.get('5')], [9, undefined]);
  assert.deepEqual([a!.replacedSessions.get('i'), b!.replacedSessions.get('i')], [true, undefined]);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pause, RespNode } from '../../../../src/extra/resp/node.ts';
import { FIRST_STORE_RETRY_MS, LAST_STORE_RETRY_MS } from '../../../../src/limits/processes.ts';
import { eventually } from '../../../support/eventually.ts';
import { startRedis } from '../../../support/redis-server.ts';

const PLAIN = { user: undefined, password: undefined, database: 0, tls: undefined };

describe('a server of a store', () => {
  it('is connected to again after it was lost, and who asks meanwhile is told at once', async (t) => {
    const store = await startRedis(t);
    let located = 0;
    const node = new RespNode(() => {
      located++;
      return { host: '127.0.0.1', port: store.port };
    }, PLAIN);
    t.after(() => node.close());
    assert.deepEqual(await Promise.all([node.ask(['PING']), node.ask(['PING'])]), ['PONG', 'PONG']);
    assert.equal(located, 1);
    await store.stop();
    for (let i = 0; i < 100; i++) await assert.rejects(node.ask(['PING']), { code: 'shared_unreachable' });
    assert.ok(located < 20, `${located} connects`);
    await store.start();
    await eventually<unknown>(() => node.ask(['PING']), 'PONG');
    assert.equal(node.at?.port, store.port);
    node.close();
    await assert.rejects(node.ask(['PING']), { code: 'shared_unreachable' });
  });

  it('is tried again ever less often, by chance a little sooner or later', () => {
    const least = new Pause();
    const most = new Pause();
    let [low, high] = [0, 0];
    for (let i = 0; i < 20; i++) {
      const full = Math.min(FIRST_STORE_RETRY_MS * 2 ** i, LAST_STORE_RETRY_MS);
      [low, high] = [least.begin(0), most.begin(1)];
      assert.deepEqual([low, high], [full / 2, full]);
    }
    assert.equal(high, LAST_STORE_RETRY_MS);
    assert.ok(!most.isOver);
    assert.ok(new Pause().isOver);
  });
});

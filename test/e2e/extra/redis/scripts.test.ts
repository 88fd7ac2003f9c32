import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as scripts from '../../../../src/extra/redis/scripts.ts';
import { startRedis } from '../../../support/redis-server.ts';

it('a real server takes each script, by the name that it is called by', async (t) => {
  const store = await startRedis(t);
  for (const [name, { text, sha }] of Object.entries(scripts)) {
    assert.equal(String(await store.ask('SCRIPT', 'LOAD', text)), sha, name);
  }
});

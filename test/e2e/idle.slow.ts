// A thousand connections that nobody uses cost little: sessions on the line, kept-alive HTTP, event streams.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONNECTIONS, IDLE_KINDS, measureIdle } from '../../scripts/idle-cost.ts';

const MAX_MEGABYTES = 50;

describe(`${CONNECTIONS} idle connections`, () => {
  for (const kind of IDLE_KINDS) {
    it(`cost less than ${MAX_MEGABYTES} MB as ${kind}`, { timeout: 600_000 }, async (t) => {
      const megabytes = await measureIdle(kind);
      t.diagnostic(`${megabytes.toFixed(1)} MB`);
      assert.ok(megabytes < MAX_MEGABYTES, `${megabytes.toFixed(1)} MB`);
    });
  }
});

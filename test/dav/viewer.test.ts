// The caller as properties tell of him.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { viewerOf } from '../../src/dav/resource.ts';
import type { App } from '../../src/gateway/app.ts';
import { MAX_OBJECT_BYTES } from '../../src/limits/backend.ts';

const CALLER = { identity: { user: 'a b', password: '' }, session: undefined, isGuest: false };
const viewerAt = (bytes: number | undefined) =>
  viewerOf(
    {
      prefix: '/svc/',
      pool: { identify: async () => ({ name: 'A B' }) },
      messageLimit: { bytes },
    } as unknown as App,
    CALLER,
  );

it('A caller is a principal, by the name that the room server calls him', async () => {
  assert.deepEqual(await viewerAt(1000), { prefix: '/svc/', principal: '/svc/u/A%20B/', maxResourceSize: 1000 });
});

it('An object may have what the room server takes, but no more than is read of one', async () => {
  assert.equal((await viewerAt(undefined)).maxResourceSize, MAX_OBJECT_BYTES);
  assert.equal((await viewerAt(MAX_OBJECT_BYTES + 1)).maxResourceSize, MAX_OBJECT_BYTES);
});

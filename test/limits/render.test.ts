// Bounds of rendering that rely on one another.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as render from '../../src/limits/http.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../../src/limits/mime.ts';

const MIB = 1024 * 1024;

it('nobody has all places, nor all places to wait', () => {
  assert.ok(render.MAX_RENDERINGS_PER_CALLER < render.MAX_RENDERINGS);
  assert.ok(render.MAX_WAITING_RENDERINGS_PER_CALLER < render.MAX_WAITING_RENDERINGS);
  assert.ok(render.MIN_RENDER_THREADS >= 2 && render.MIN_RENDER_THREADS <= render.MAX_RENDER_THREADS);
});

it('the largest reading can be kept, and does not push all others out', () => {
  assert.ok(render.MAX_READING_BYTES + render.READING_OVERHEAD_BYTES < render.MAX_KEPT_READING_BYTES);
  assert.ok(render.MAX_RENDERED_IN_PLACE_BYTES < MAX_RENDERED_SOURCE_BYTES);
});

it('a thread has memory for the largest source many times', () => {
  assert.ok(20 * MAX_RENDERED_SOURCE_BYTES < render.MAX_RENDER_HEAP_MIB * MIB);
});

it('who waits is answered after the slowest job before his', () => {
  assert.ok(render.RENDER_TIMEOUT_MS < render.RENDER_WAIT_MS);
});

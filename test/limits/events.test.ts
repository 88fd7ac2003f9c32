// Bounds of event streams that rely on those of connections.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as events from '../../src/limits/http.ts';
import { MAX_HTTP_CONNECTIONS, MAX_HTTP_CONNECTIONS_PER_ADDRESS } from '../../src/limits/http.ts';
import { CONNECTION_IDLE_MS, RECEIVER_IDLE_MS } from '../../src/limits/protocol.ts';

it('streams leave connections to those who only ask', () => {
  assert.ok(events.MAX_EVENT_STREAMS < MAX_HTTP_CONNECTIONS);
  assert.ok(events.MAX_EVENT_STREAMS_PER_USER < MAX_HTTP_CONNECTIONS_PER_ADDRESS);
});

it('the connection with the notices is used before it is closed for being idle', () => {
  assert.ok(events.EVENTS_CHECK_MS < CONNECTION_IDLE_MS);
  assert.ok(events.EVENTS_CHECK_MS < RECEIVER_IDLE_MS);
});

it('a stream that is alive says so before anybody gives it up', () => {
  assert.ok(events.EVENTS_KEEP_ALIVE_MS < 30_000);
});

it('what is known of the rooms outlives a reload of the page, by which a client connects again', () => {
  assert.ok(events.EVENTS_LINGER_MS > events.EVENTS_RECONNECT_MS);
});

it('a server without notices is asked often enough for a change to be told within two seconds', () => {
  assert.ok(events.EVENTS_POLL_MS < 2000 && events.EVENTS_POLL_MS < events.EVENTS_CHECK_MS);
});

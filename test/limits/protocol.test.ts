// Bounds of the line protocol and of the pool that rely on one another.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as protocol from '../../src/limits/protocol.ts';

describe('connections to the room server', () => {
  it('are never all for one account, nor those of an account for one identity', () => {
    assert.ok(protocol.MAX_CONNECTIONS_PER_IDENTITY < protocol.MAX_CONNECTIONS_PER_ACCOUNT);
    assert.ok(protocol.MAX_CONNECTIONS_PER_ACCOUNT < protocol.MAX_CONNECTIONS);
    assert.ok(protocol.EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY < protocol.EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT);
    assert.ok(protocol.EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT < protocol.EMBEDDED_MAX_CONNECTIONS);
    assert.ok(protocol.MAX_CONNECTIONS_OF_GUESTS < protocol.MAX_CONNECTIONS);
  });

  it('have defaults that an operator may choose himself', () => {
    assert.ok(Math.max(protocol.MAX_CONNECTIONS, protocol.EMBEDDED_MAX_CONNECTIONS) <= protocol.MOST_MAX_CONNECTIONS);
    assert.ok(protocol.MAX_CONNECTING <= protocol.MOST_MAX_CONNECTING);
    assert.ok(protocol.MOST_MAX_CONNECTING <= protocol.MAX_CONNECTIONS);
  });

  it('are closed by us before a real server does, which waits 900 seconds', () => {
    for (const ms of [protocol.CONNECTION_IDLE_MS, protocol.RECEIVER_IDLE_MS]) assert.ok(ms < 900_000);
    assert.ok(protocol.CONNECTION_MAX_AGE_MS < protocol.EMBEDDED_CONNECTION_MAX_AGE_MS);
  });

  it('are tried again with pauses that grow, for less time than one attempt may take', () => {
    assert.ok(protocol.FIRST_RETRY_MS < protocol.LAST_RETRY_MS);
    assert.ok(protocol.LAST_RETRY_MS < protocol.REFUSED_RETRY_MS);
    assert.ok(protocol.REFUSED_RETRY_MS < protocol.CONNECT_TIMEOUT_MS);
    assert.ok(protocol.SLOT_POLL_MS < protocol.MAX_WAIT_MS);
  });
});

describe('what is read', () => {
  it('has lines that fit a listing, and a rest that is drained rather than collected', () => {
    assert.ok(protocol.MAX_LINE_BYTES < protocol.MAX_LISTING_BYTES);
    assert.ok(protocol.STREAM_CHUNK_BYTES <= protocol.MAX_LINE_BYTES);
    assert.ok(protocol.MAX_DRAIN_BYTES < protocol.MAX_LISTING_BYTES);
  });

  it('is asked for by lines that a real server does not cut', () => {
    assert.ok(protocol.MAX_COMMAND_BYTES <= 4095);
    assert.ok('msgn|'.length + protocol.MAX_TEMPLATE_VALUE_BYTES < 255);
    assert.ok(protocol.MAX_UNIX_PATH_BYTES < 108);
  });
});

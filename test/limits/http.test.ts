// Bounds of HTTP that rely on one another.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BACKEND_MAX_MESSAGE_BYTES, MAX_INFO_TEXT_BYTES } from '../../src/limits/backend.ts';
import * as http from '../../src/limits/http.ts';
import { MAX_COOKIE_BYTES } from '../../src/limits/sessions.ts';

describe('a request', () => {
  it('has a head that holds the longest address and cookie', () => {
    assert.ok(http.MAX_URL_BYTES + MAX_COOKIE_BYTES < http.MAX_HEADER_BYTES);
  });

  it('has parts that are no larger than the whole', () => {
    assert.ok(http.MAX_SMALL_BODY_BYTES <= http.MAX_BODY_BYTES);
    assert.ok(http.MAX_PICTURE_BYTES <= http.MAX_BODY_BYTES);
    assert.ok(http.MAX_FILE_NAME_BYTES < http.MAX_PART_HEADER_BYTES);
    assert.ok(http.MAX_TEXT_BODY_BYTES <= MAX_INFO_TEXT_BYTES, 'a banner that is taken is kept');
  });

  it('has a body that the room server takes, also in base64 with line ends', () => {
    assert.ok((http.MAX_BODY_BYTES * 4 * 77) / (3 * 76) < BACKEND_MAX_MESSAGE_BYTES);
    assert.ok(http.MAX_BODY_BYTES <= http.MOST_MAX_BODY_BYTES);
    assert.ok(http.MOST_MAX_BODY_BYTES <= http.MAX_SPOOLED_BYTES_PER_USER);
    assert.ok(http.MOST_MAX_BODY_BYTES <= BACKEND_MAX_MESSAGE_BYTES);
  });
});

describe('an answer', () => {
  it('is counted where it goes out in pieces', () => {
    assert.ok(http.MAX_UNCOUNTED_ANSWER_BYTES <= http.OUTGOING_PIECE_BYTES);
    assert.ok(http.MAX_WAITING_OUTGOING_BYTES <= http.MAX_OUTGOING_BYTES);
  });

  it('is packed between two sizes', () => assert.ok(http.MIN_COMPRESS_BYTES < http.MAX_COMPRESS_BYTES));
});

describe('connections', () => {
  it('are never all for one client, nor for those that are refused', () => {
    assert.ok(http.MAX_HTTP_CONNECTIONS_PER_ADDRESS < http.MAX_HTTP_CONNECTIONS);
    assert.ok(http.MAX_REFUSED_CONNECTIONS < http.MAX_HTTP_CONNECTIONS_PER_ADDRESS);
  });

  it('are waited for longest where somebody is known', () => {
    assert.ok(http.ANONYMOUS_BODY_WAIT_MS < http.BODY_WAIT_MS);
    assert.ok(http.DISPLACE_AFTER_MS < http.ANONYMOUS_BODY_WAIT_MS);
    assert.ok(http.HEADERS_CHECK_MS < http.HEADERS_TIMEOUT_MS);
  });
});

// Bounds of sessions, uploads and the log that rely on one another.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BACKEND_MAX_MESSAGE_BYTES, MAX_PASSWORD_BYTES, MAX_USER_NAME_BYTES } from '../../src/limits/backend.ts';
import { MOST_MAX_BODY_BYTES } from '../../src/limits/http.ts';
import { MAX_COMMAND_BYTES } from '../../src/limits/protocol.ts';
import * as sessions from '../../src/limits/sessions.ts';

describe('a session', () => {
  it('is renewed long before it ends, and its key outlives every cookie that holds it', () => {
    assert.ok(sessions.SESSION_RENEW_SECONDS < sessions.SESSION_SECONDS);
    assert.ok(sessions.sessionKeySeconds() >= sessions.SESSION_SECONDS + sessions.SESSION_RENEW_SECONDS);
    assert.ok(sessions.SESSION_KEY_NOTE_SECONDS < sessions.SESSION_RENEW_SECONDS);
  });

  it('fits a cookie with the longest name and password, in base64', () => {
    const sealed = Math.ceil(((2 * sessions.MAX_CREDENTIAL_BYTES + 200) * 4) / 3);
    assert.ok(sealed <= sessions.MAX_COOKIE_BYTES && sessions.MAX_COOKIE_BYTES < 4096);
  });

  it('may be anybody’s who has an account', () => {
    assert.ok(Math.max(MAX_USER_NAME_BYTES, MAX_PASSWORD_BYTES) <= sessions.MAX_CREDENTIAL_BYTES);
    assert.ok(sessions.MAX_CREDENTIAL_BYTES + 10 < MAX_COMMAND_BYTES);
  });
});

describe('uploads', () => {
  it('may each be as large as a body, and a message as large as the room server takes', () => {
    assert.ok(MOST_MAX_BODY_BYTES <= sessions.MAX_UPLOAD_BYTES_PER_USER);
    assert.ok(BACKEND_MAX_MESSAGE_BYTES <= sessions.MAX_UPLOAD_BYTES_PER_USER);
    assert.ok(sessions.MAX_UPLOADS_UNDER_WAY_PER_USER < sessions.MAX_UPLOADS_PER_USER);
    assert.ok(sessions.MAX_MESSAGE_ATTACHMENTS <= sessions.MAX_UPLOADS_PER_USER);
  });

  it('are swept often against the time they live', () => {
    assert.ok(sessions.FLEET_SWEEP_MS < sessions.UPLOAD_SECONDS * 1000);
  });
});

describe('passwords that are tried', () => {
  it('hold a place for less time than it takes to count as a failure', () => {
    assert.ok(sessions.LOGIN_HOLD_SECONDS < sessions.LOGIN_WINDOW_SECONDS);
    assert.ok(sessions.FAILED_LOGIN_MS < sessions.LOGIN_HOLD_SECONDS * 1000);
  });

  it('that were wrong are forgotten before those that were right', () => {
    assert.ok(sessions.WRONG_PASSWORD_SECONDS < sessions.RIGHT_PASSWORD_SECONDS);
  });

  it('do not let one account have all networks', () => {
    assert.ok(sessions.MAX_KNOWN_NETWORKS_PER_ACCOUNT < sessions.MAX_KNOWN_NETWORKS);
    assert.ok(sessions.KNOWN_NETWORK_RENEW_SECONDS < sessions.KNOWN_NETWORK_SECONDS);
  });
});

it('a stall is measured more exactly than it is long', () =>
  assert.ok(sessions.STALL_BEAT_MS * 4 <= sessions.STALL_MS));

// Names of uploads, which whoever sends them chooses.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanFileName } from '../../src/api/uploads.ts';
import { MAX_FILE_NAME_BYTES } from '../../src/limits/http.ts';

describe('the name of an upload', () => {
  it('is cut at its bound, between characters', () => {
    const longest = 'a'.repeat(MAX_FILE_NAME_BYTES);
    assert.equal(cleanFileName(longest), longest);
    assert.equal(cleanFileName(`${longest}a`), longest);
    assert.equal(cleanFileName(`${longest.slice(1)}é`), longest.slice(1));
    assert.equal(cleanFileName(`a${'😀'.repeat(1000)}`), `a${'😀'.repeat(63)}`);
    assert.equal(cleanFileName('a'.repeat(1_000_000)), longest);
  });

  it('holds no path and no control character, and is never empty', () => {
    assert.equal(cleanFileName('../a\\b\u0000\r\nc.txt'), 'bc.txt');
    for (const name of ['', ' ', '..', 'a/', '\r\n']) assert.equal(cleanFileName(name), 'file');
  });
});

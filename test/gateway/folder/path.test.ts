// Paths inside a files room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { baseName, checkedPath, encodedPath, withoutSlash } from '../../../src/gateway/paths.ts';
import { MAX_FILE_PATH_BYTES, MAX_FOLDER_DEPTH, MAX_MESSAGE_NAME_BYTES } from '../../../src/limits/dav.ts';
import { parentFolder } from '../../../src/model.ts';

describe('a path inside a files room', () => {
  it('is taken apart into folder and name', () => {
    for (const [name, parent, base] of [
      ['b.txt', '', 'b.txt'],
      ['a/b.txt', 'a/', 'b.txt'],
      ['a/', '', 'a'],
      ['a/b/', 'a/', 'b'],
      ['a/b/c', 'a/b/', 'c'],
    ]) {
      assert.equal(parentFolder(name!), parent);
      assert.equal(baseName(name!), base);
    }
    assert.equal(parentFolder(''), undefined);
    assert.equal(withoutSlash('a/b/'), 'a/b');
    assert.equal(encodedPath('ü & #1%/?.txt'), '%C3%BC%20%26%20%231%25/%3F.txt');
  });

  it('may hold whatever file systems allow, and numbers in folders', () => {
    for (const name of ['._x', '.hidden', 'a b/ü#%?.txt', 'docs/2026/7', 'docs/mailbox', '…/...', 'a:b\\c*']) {
      assert.equal(checkedPath(name), name);
    }
  });

  it('holds no empty or dot segments and no bar, and may be a number or what rooms have of their own', () => {
    for (const name of ['', '/', 'a//b', '/a', 'a/../b', './a', 'a/..', '..', 'a|b']) {
      assert.throws(() => checkedPath(name), { code: 'conflict' }, name);
    }
    for (const name of ['7', '7/a', 'stat', 'mailbox/a', 'msgs.x/a', 'new/']) assert.equal(checkedPath(name), name);
  });

  it('is bounded in depth, in its segments and as a whole', () => {
    const deepest = Array.from({ length: MAX_FOLDER_DEPTH }, () => 'a').join('/');
    assert.equal(checkedPath(deepest), deepest);
    assert.equal(checkedPath(`${deepest}/`), `${deepest}/`);
    assert.throws(() => checkedPath(`${deepest}/a`), { code: 'conflict' });
    const longest = `a/${'n'.repeat(MAX_MESSAGE_NAME_BYTES)}`;
    assert.equal(checkedPath(longest), longest);
    assert.throws(() => checkedPath(`${longest}n`), { code: 'conflict' });
    const whole = 'abcdefghi/'.repeat(25).repeat(4).split('/').slice(0, 20).join('/');
    const filled = `${whole}/${'n'.repeat(250)}/${'n'.repeat(250)}/${'n'.repeat(250)}`;
    const fill = MAX_FILE_PATH_BYTES - Buffer.byteLength(filled) - 1;
    const full = `${filled}/${'n'.repeat(fill)}`;
    assert.equal(checkedPath(full), full);
    assert.throws(() => checkedPath(`${full}n`), { code: 'conflict' });
  });
});

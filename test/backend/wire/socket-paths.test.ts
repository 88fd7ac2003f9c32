// Where the sockets of a data folder are.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { claimSocketPaths, findSocketPaths } from '../../../src/backend/wire/socket-paths.ts';
import { MAX_UNIX_PATH_BYTES } from '../../../src/limits/protocol.ts';

/** whose path of the longer socket has so many bytes */
function folderFor(t: TestContext, bytes: number): string {
  const parent = mkdtempSync('/tmp/sockets-');
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'x'.repeat(bytes - join(parent, 'citadel-admin.socket').length - 1));
  mkdirSync(folder);
  return folder;
}

describe('the sockets of a data folder', () => {
  it('are in it where their paths are as long as may be', (t) => {
    const folder = folderFor(t, MAX_UNIX_PATH_BYTES);
    const { socketPath, adminSocketPath, remove } = claimSocketPaths(folder);
    assert.deepEqual(
      [socketPath, adminSocketPath],
      [join(folder, 'citadel.socket'), join(folder, 'citadel-admin.socket')],
    );
    assert.deepEqual(findSocketPaths(folder), { socketPath, adminSocketPath });
    remove();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('are in a private folder elsewhere where one byte is too many, and are found there', (t) => {
    const folder = folderFor(t, MAX_UNIX_PATH_BYTES + 1);
    const { socketPath, adminSocketPath, remove } = claimSocketPaths(folder);
    const elsewhere = join(socketPath, '..');
    assert.ok(Buffer.byteLength(adminSocketPath) <= MAX_UNIX_PATH_BYTES && !socketPath.startsWith(folder));
    assert.deepEqual(
      [statSync(elsewhere).mode & 0o777, statSync(join(folder, 'socket-folder')).mode & 0o777],
      [0o700, 0o600],
    );
    writeFileSync(socketPath, '');
    assert.deepEqual(findSocketPaths(folder), { socketPath, adminSocketPath });
    remove();
    assert.deepEqual([existsSync(elsewhere), readdirSync(folder)], [false, []]);
    remove();
  });

  it('of a server that does not run are told all the same', (t) => {
    const folder = folderFor(t, MAX_UNIX_PATH_BYTES + 1);
    assert.equal(findSocketPaths(folder).socketPath, join(folder, 'citadel.socket'));
  });
});

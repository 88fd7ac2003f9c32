// scripts/require-node.sh and .cjs, the guard that npm runs first: what a person reads where Node is too old, or cannot
// start.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('../../scripts/require-node.cjs', import.meta.url));
const shellGuard = fileURLToPath(new URL('../../scripts/require-node.sh', import.meta.url));

function runAs(version: string) {
  const pretend = `
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    Object.defineProperty(process, 'version', { value: 'v${version}' });
    require(${JSON.stringify(guard)});`;
  return spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' });
}

/** The guard as npm runs it, with a program of this text as `node`. */
function runWith(test: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-guard-'));
  test.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'node'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return spawnSync('sh', [shellGuard], { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } });
}

describe('the guard against an old Node', () => {
  it('says nothing from 24 on', () => {
    for (const version of ['24.0.0', '26.10.0'])
      assert.deepEqual([runAs(version).status, runAs(version).stderr], [0, '']);
  });

  it('stops below with the version found and what to do', () => {
    const { status, stderr } = runAs('23.11.1');
    assert.equal(status, 1);
    assert.match(stderr, /needs Node 24 or newer; this is v23\.11\.1\./);
    assert.match(stderr, /`npm ci` \(without --omit=optional/);
  });
});

describe('the guard against a Node that does not start', () => {
  it('names the package that is missing, in one line and instead of the words of the loader', (test) => {
    const loader = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file';
    const { status, stderr } = runWith(test, `echo '${loader}' >&2; exit 127`);
    assert.equal(status, 1);
    assert.match(stderr, /^The Node that npm ci brings needs libatomic.*: apt-get install libatomic1 .*\n$/);
  });

  it('hands on what it says otherwise', (test) => {
    const { status, stderr } = runWith(test, `echo 'Exec format error' >&2; exit 126`);
    assert.deepEqual([status, stderr], [1, 'Node does not start here: Exec format error\n']);
  });

  it('goes on to the version where it starts', (test) => {
    const { status, stderr } = runWith(test, `exec '${process.execPath}' "$@"`);
    assert.deepEqual([status, stderr], [0, '']);
  });
});

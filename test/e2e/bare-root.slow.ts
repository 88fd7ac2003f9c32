// The one-file binary where there is nothing but the C and the C++ library: no libatomic, no shell, no /etc, no /proc.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtBinary } from '../support/binary.ts';

const root = mkdtempSync(join(tmpdir(), 'vestibule-bare-'));
/** the loader, glibc in its parts, and those of GCC that each Debian has, for apt needs them */
const LIBRARIES = /ld-linux-[\w-]+\.so\.2|lib(?:c|m|dl|pthread|stdc\+\+|gcc_s)\.so\.\d+/;

describe('the binary in a bare root', () => {
  before(() => {
    const binary = builtBinary();
    copyInto(binary, '/vestibule');
    for (const [path] of execFileSync('ldd', [binary], { encoding: 'utf8' }).matchAll(/\/\S+/g)) {
      assert.match(path, LIBRARIES, 'what it is linked to');
      copyInto(path, path);
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('makes its data folder, listens, answers and stops', async () => {
    const [command, args] = inRoot('/vestibule', '--port', '0', '--data', '/data', '--demo');
    const child = spawn(command, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, faults] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      faults += text;
    });
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += text;
      if (output.includes('\n')) break;
    }
    const url = /Listening on (http:\/\/\S+)/.exec(output)?.[1];
    assert.ok(url, `${output}${faults}`);
    const authorization = `Basic ${btoa('alice:alice')}`;
    const answer = await fetch(new URL('/svc/r/Lobby/mailbox', url), { headers: { authorization } });
    assert.equal(answer.status, 200);
    await answer.text();
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null], faults);
  });

  it('makes a backup there and finds it sound', () => {
    for (const words of [
      ['backup', '/saved.db'],
      ['check', '/saved.db'],
    ]) {
      const [command, args] = inRoot('/vestibule', ...words, '--data', '/data');
      execFileSync(command, args, { env: {}, stdio: 'pipe' });
    }
  });
});

function copyInto(from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(realpathSync(from), join(root, to));
}

/** Who is not root becomes it in a namespace of the test. */
function inRoot(...words: string[]): [string, string[]] {
  const chroot = ['chroot', root, ...words];
  const path = '/usr/sbin/chroot';
  return process.getuid!() === 0
    ? [path, chroot.slice(1)]
    : ['/usr/bin/unshare', ['--map-root-user', path, ...chroot.slice(1)]];
}

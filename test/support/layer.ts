// A layer over this machine's own files, in memory, in which a test may install and remove what it wants: it ends with
// the shell that runs inside, and so does everything that was started there. Needs Linux, and root or sudo.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SETUP = `
set -e
cd "$1"
mount -t tmpfs none .
mkdir upper work root
mount -t overlay none -o lowerdir=/,upperdir=upper,workdir=work root
mount --bind /dev root/dev
mount -t proc none root/proc
cp "$2" "root$3"
exec chroot root sh -s
`;

/** Runs the script of a shell there, as root, with a file of ours at `to`. Answers its output. */
export function runInLayer(script: string, { from, to }: { from: string; to: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-layer-'));
  try {
    const words = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', SETUP, 'sh', folder, from, to];
    if (process.getuid!() !== 0) words.unshift('sudo', '-n');
    return execFileSync(words[0]!, words.slice(1), { input: script, encoding: 'utf8', stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

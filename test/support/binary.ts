// The one-file binary for a test: built first where a source is newer.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Path of `dist/vestibule`. */
export function builtBinary(): string {
  const binary = join(repository, 'dist/vestibule');
  const isBuilt =
    existsSync(binary) &&
    ['src', 'static', 'scripts', 'package.json'].every(
      (path) => newest(join(repository, path)) <= statSync(binary).mtimeMs,
    );
  if (!isBuilt) execFileSync('npm', ['run', '-s', 'build'], { cwd: repository, stdio: 'inherit' });
  return binary;
}

function newest(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts?.isDirectory()) return facts?.mtimeMs ?? 0;
  return Math.max(facts.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

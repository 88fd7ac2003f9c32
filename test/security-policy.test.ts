// SECURITY.md names the test of each promise: they are there.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

it('SECURITY.md names a test for each promise, and files that are there', () => {
  const promises = text.split('\n').filter((line) => /^\| [A-Z]/.test(line));
  assert.ok(promises.length > 10);
  for (const promise of promises) assert.match(promise, /`test\/[\w/.-]+\.(?:test|slow|clients|browser)\.ts`/);
  const named = Array.from(text.matchAll(/`((?:test|src|static)\/[^`]*)`/g), ([, path]) => path!);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

it('SECURITY.md says how to report, and what is not defended', () => {
  for (const word of ['## Report', '## Threat model', 'Not defended']) assert.ok(text.includes(word), word);
});

// No line of the repository is wider than a screen of two windows shows: sources, tests, style sheets, documents.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'test', 'scripts', 'static'];
const MAX_COLUMNS = 120;

/** `path:line` of each line of a source or document that has more than MAX_COLUMNS characters. */
function longLines(): string[] {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const ours = paths.filter((path) => /\.(ts|js|cjs|css|md)$/.test(path) && !/^test\/fixtures|node_modules/.test(path));
  assert.ok(ours.length > 500, 'the sources were found');
  return ours.sort().flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, i) => ([...line].length > MAX_COLUMNS ? [`${path}:${i + 1}`] : [])),
  );
}

it('no line has more than 120 columns', () => {
  assert.deepEqual(longLines(), []);
});

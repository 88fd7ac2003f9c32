// The modules of the web client import from their own level and from below: shell, then kinds and pages, then ui and
// model, then api, then formats, then core. Only api/ knows addresses of the gateway.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

const STATIC = join(import.meta.dirname, '../../static');
const LEVELS: Record<string, number> = {
  core: 0,
  words: 0,
  formats: 1,
  api: 2,
  ui: 3,
  model: 3,
  kinds: 4,
  pages: 4,
  shell: 5,
};
const files = globSync('*/**/*.js', { cwd: STATIC }).filter((file) => !file.startsWith('guide/'));
const levelOf = (file: string) => LEVELS[file.split('/', 1)[0]!];

describe('modules of the web client', () => {
  it('import downwards', () => {
    assert.ok(files.length > 50);
    const wrong = files.flatMap((file) => {
      const source = readFileSync(join(STATIC, file), 'utf8');
      return [...source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
        .map(([, path]) => normalize(join(dirname(file), path!)))
        .filter((path) => levelOf(path) !== undefined && levelOf(path)! > levelOf(file)!)
        .map((path) => `${file} imports ${path}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('know addresses of the gateway in api/ only, but for files that are served with them', () => {
    const wrong = files.filter((file) => {
      const source = readFileSync(join(STATIC, file), 'utf8');
      return !file.startsWith('api/') && /['"`]\.\.\/[acfrpu]\//.test(source);
    });
    // the form works without scripts, too
    assert.deepEqual(wrong, ['pages/log-in.js']);
  });
});

// The modules of the web client import from their own level and from below: shell, then kinds and pages, then ui and
// model, then api, then formats, then core, and never in a circle. Only api/ knows addresses of the gateway.

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

/** also for a type, and by import() */
const graph = new Map(
  files.map((file) => {
    const source = readFileSync(join(STATIC, file), 'utf8');
    const paths = [...source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, path]) => path!);
    return [file, paths.map((path) => normalize(join(dirname(file), path)))] as const;
  }),
);

/** `a.js → b.js → a.js`, for each that there is. */
function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const target of graph.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

describe('modules of the web client', () => {
  it('import downwards', () => {
    assert.ok(files.length > 50);
    const wrong = [...graph].flatMap(([file, paths]) =>
      paths
        .filter((path) => levelOf(path) !== undefined && levelOf(path)! > levelOf(file)!)
        .map((path) => `${file} imports ${path}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('do not import in a circle', () => {
    assert.deepEqual(circles(), []);
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

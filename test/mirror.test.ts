// The tests of a part of src/ are in the folder of the same name below test/, or below test/e2e/ if they need a
// gateway or a room server. How much of each part they run: scripts/folder-coverage.ts.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'acorn';
import { SCRIPTS } from '../scripts/bundle-server.ts';
import { partOf } from '../scripts/product-sources.ts';
import { batchesOf, type RunName, USUAL_RUNS } from '../scripts/test-batches.ts';
import { importsOf } from './support/import-rules.ts';

const root = join(import.meta.dirname, '..');
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));

/** It has something to run: types alone, or names of numbers, have not. */
function runs(source: string): boolean {
  const script = stripTypeScriptTypes(source);
  return parse(script, { ecmaVersion: 'latest', sourceType: 'module' }).body.some((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (!declared || /^(?:Import|Export)/.test(declared.type)) return false;
    return (
      declared.type !== 'VariableDeclaration' ||
      /=>|\bfunction\b|\bnew\b/.test(script.slice(declared.start, declared.end))
    );
  });
}

/** The sources that these files load, directly or not. */
function loadedBy(paths: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const from of importsOf(readFileSync(path, 'utf8'))) {
      const target = join(dirname(path), from);
      if (/^\..*\.ts$/.test(from) && existsSync(target)) load(target);
    }
  };
  for (const path of paths) load(join(root, path));
  return loaded;
}

/** parts whose tests run the program, or one of its threads, by the name of its script */
const RUN_AS_PROGRAM = ['.', 'cli', 'render', 'serve'];

it('every source that has something to run is loaded by a test of its part', () => {
  const program = loadedBy(SCRIPTS.map((name) => `src/${name}.ts`));
  for (const [part, paths] of Map.groupBy(sources('src'), (path) => (path.includes('/') ? partOf(path) : '.'))) {
    const tests = globSync(part === '.' ? 'test/{,e2e/}*.test.ts' : `test/{,e2e/}${part}/**/*.test.ts`, { cwd: root });
    assert.notEqual(tests.length, 0, part);
    const loaded = loadedBy(tests);
    const never = paths.filter((path) => {
      const file = join(root, 'src', path);
      return (
        !loaded.has(file) && !(RUN_AS_PROGRAM.includes(part) && program.has(file)) && runs(readFileSync(file, 'utf8'))
      );
    });
    assert.deepEqual(never, [], `not loaded by a test of ${part}`);
  }
});

it('tells what has something to run from what has not', () => {
  assert.ok(runs('export function f(): number { return 1; }'));
  assert.ok(runs('const table = { a: () => 1 };\nexport { table };'));
  assert.ok(runs('main();'));
  assert.ok(!runs("import type { A } from './a.ts';\nexport interface B { a: A }\nexport type C = 'c';"));
  assert.ok(!runs('// bounds\nexport const KIB = 1024;\nexport const NAMES = { a: 1 } as const;'));
});

it('npm test runs each test once, npm run test:clients and test:browser each with a real client', () => {
  const filesOf = (runs: readonly RunName[]) =>
    runs
      .flatMap((run) => batchesOf(run, root))
      .flatMap(({ files }) => files)
      .sort();
  assert.deepEqual(filesOf(USUAL_RUNS), globSync('test/**/*.test.ts', { cwd: root }).sort());
  for (const run of ['clients', 'browser'] as const)
    assert.deepEqual(filesOf([run]), globSync(`test/**/*.${run}.ts`, { cwd: root }).sort());
});

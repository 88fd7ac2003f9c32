// Whoever changes a source finds its tests under its name: at the same path below test/, or below test/e2e where only a
// gateway or a room server shows what it does.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'acorn';
import { SCRIPTS } from '../scripts/bundle-server.ts';
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

it('every source that has something to run has tests of its name', () => {
  const untested = sources('src').filter((path) => {
    const test = path.replace(/\.ts$/, '.test.ts');
    const places = [join(root, 'test', test), join(root, 'test/e2e', test)];
    return !places.some(existsSync) && runs(readFileSync(join(root, 'src', path), 'utf8'));
  });
  assert.deepEqual(untested, []);
});

/** The coverage counts what is loaded: of what nothing loads it would say nothing. */
it('every source that has something to run is loaded by the program, its threads, or a test', () => {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const from of importsOf(readFileSync(path, 'utf8'))) {
      const target = join(dirname(path), from);
      if (/^\..*\.ts$/.test(from) && existsSync(target)) load(target);
    }
  };
  for (const name of SCRIPTS) load(join(root, 'src', `${name}.ts`));
  for (const path of globSync('test/**/*.test.ts', { cwd: root })) load(join(root, path));
  const never = sources('src').filter((path) => {
    const file = join(root, 'src', path);
    return !loaded.has(file) && runs(readFileSync(file, 'utf8'));
  });
  assert.deepEqual(never, []);
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

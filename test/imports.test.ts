// The direction of imports in src/, and the size of its files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importOffences, MAX_FILE_LINES } from './support/import-rules.ts';

function sourceFiles(): Map<string, string> {
  const root = new URL('../src/', import.meta.url).pathname;
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return new Map(paths.sort().map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]));
}

describe('imports of src/', () => {
  it('go in the directions of the design', () => {
    const files = sourceFiles();
    assert.ok(files.size > 10, 'the sources were found');
    assert.deepEqual(importOffences(files), []);
  });
});

describe('the check of imports', () => {
  const offencesOf = (files: Record<string, string>) => importOffences(new Map(Object.entries(files)));
  const existing = Object.fromEntries(
    [
      'main',
      'config',
      'embedded',
      'errors',
      'limits/http',
      'client/pool',
      'backend/store',
      'http/router',
      'api/rooms',
      'dav/xml',
    ].map((name) => [`${name}.ts`, '']),
  );

  for (const [path, from, offence] of [
    ['client/a.ts', '../backend/store.ts', 'client must not import backend'],
    ['backend/a.ts', '../client/pool.ts', 'backend must not import client'],
    ['http/a.ts', '../client/pool.ts', 'http must not import client'],
    ['api/a.ts', '../dav/xml.ts', 'api must not import dav'],
    ['dav/a.ts', '../api/rooms.ts', 'dav must not import api'],
    ['api/a.ts', '../backend/store.ts', 'api must not import backend'],
    ['api/a.ts', '../main.ts', 'api must not import main'],
    ['api/a.ts', '../config.ts', 'api must not import config'],
    ['backend/a.ts', '../embedded.ts', 'backend must not import embedded'],
    ['errors.ts', './limits/http.ts', 'errors must not import limits'],
    ['api/a.ts', 'left-pad', 'imports the package left-pad'],
    ['api/a.ts', './rooms.js', './rooms.js does not end in .ts'],
    ['api/a.ts', './room.ts', './room.ts does not exist'],
    ['new/a.ts', 'node:fs', 'the rules know no part new'],
  ] as const) {
    it(`says: ${offence}`, () => {
      for (const statement of [
        `import { a } from '${from}';`,
        `import type { a } from '${from}';`,
        `import {\n  a,\n  b,\n} from '${from}';`,
        `export * from '${from}';`,
        `import '${from}';`,
        `  const a = await import('${from}');`,
      ]) {
        assert.deepEqual(
          offencesOf({ ...existing, [path]: `// from\n\n${statement}\n` }),
          [`${path}: ${offence}`],
          statement,
        );
      }
    });
  }

  it('lets main import everything, and handlers what they need', () => {
    const everything = Object.keys(existing).filter((path) => path !== 'main.ts');
    const main = everything.map((path) => `import '#/${path}';\n`.replace('#', '.')).join('');
    const rooms =
      "import { a } from '../http/router.ts';\nimport { b } from '../client/pool.ts';\n// import 'left-pad';\n";
    assert.deepEqual(offencesOf({ ...existing, 'main.ts': main, 'api/rooms.ts': rooms }), []);
  });

  it('finds a circle, but not one closed by a type', () => {
    const a = "import { b } from './b.ts';\n";
    assert.deepEqual(offencesOf({ 'http/a.ts': a, 'http/b.ts': "import type { a } from './a.ts';\n" }), []);
    assert.deepEqual(offencesOf({ 'http/a.ts': a, 'http/b.ts': "import { a } from './a.ts';\n" }), [
      'circle: http/a.ts → http/b.ts → http/a.ts',
    ]);
  });

  it('counts lines', () => {
    const imports = "import {\n  a,\n  b,\n} from 'node:fs';\n";
    assert.deepEqual(offencesOf({ 'errors.ts': imports + '\n'.repeat(MAX_FILE_LINES) }), []);
    assert.equal(offencesOf({ 'errors.ts': '\n'.repeat(MAX_FILE_LINES + 1) }).length, 1);
  });
});

// The direction of imports in src/, between its folders and within them, and the size of its folders.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importOffences, MAX_FOLDER_FILES } from './support/import-rules.ts';

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
      'serve/start',
      'errors',
      'model',
      'cli/options',
      'limits/http',
      'html/escape',
      'mime/walk',
      'mime/coding/base64',
      'mime/objects/recurrence',
      'room-server/rooms',
      'room-server/connection/pool',
      'room-server/watch/watch',
      'backend/start',
      'backend/store/rooms',
      'backend/session/session',
      'backend/verbs/goto',
      'backend/verbs/citadel/chat',
      'backend/wire/server',
      'http/router',
      'api/rooms',
      'dav/xml-read',
    ].map((name) => [`${name}.ts`, '']),
  );

  for (const [path, from, offence] of [
    ['room-server/a.ts', '../backend/start.ts', 'room-server must not import backend'],
    ['backend/a.ts', '../room-server/rooms.ts', 'backend must not import room-server'],
    ['http/a.ts', '../room-server/rooms.ts', 'http must not import room-server'],
    ['html/a.ts', '../mime/walk.ts', 'html must not import mime'],
    ['api/a.ts', '../dav/xml-read.ts', 'api must not import dav'],
    ['dav/a.ts', '../api/rooms.ts', 'dav must not import api'],
    ['api/a.ts', '../backend/store/rooms.ts', 'api must not import backend'],
    ['api/a.ts', '../main.ts', 'api must not import main'],
    ['backend/verbs/goto.ts', './citadel/chat.ts', 'only the table of verbs imports verbs/citadel'],
    ['backend/verbs/citadel/chat.ts', '../goto.ts', 'verbs must not import verbs'],
    ['backend/wire/a.ts', '../verbs/citadel/chat.ts', 'only the table of verbs imports verbs/citadel'],
    ['cli/a.ts', '../serve/start.ts', 'cli must not import serve'],
    ['serve/start.ts', '../main.ts', 'serve must not import main'],
    ['api/a.ts', '../cli/options.ts', 'api must not import cli'],
    ['errors.ts', './limits/http.ts', 'errors must not import limits'],
    ['backend/store/a.ts', '../session/session.ts', 'backend/store must not import backend/session'],
    ['backend/session/a.ts', '../wire/server.ts', 'backend/session must not import backend/wire'],
    ['backend/wire/a.ts', '../start.ts', 'backend/wire must not import backend'],
    ['room-server/connection/a.ts', '../rooms.ts', 'room-server/connection must not import room-server'],
    ['room-server/a.ts', './watch/watch.ts', 'room-server must not import room-server/watch'],
    ['mime/coding/a.ts', '../objects/recurrence.ts', 'mime/coding must not import mime/objects'],
    ['api/a.ts', 'left-pad', 'imports the package left-pad'],
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

  it('lets main import everything, handlers what they need, and a layer those below it', () => {
    const everything = Object.keys(existing).filter((path) => path !== 'main.ts');
    const main = everything.map((path) => `import './${path}';\n`).join('');
    const rooms = [
      "import { a } from '../http/router.ts';\n",
      "import { b } from '../room-server/rooms.ts';\n",
      "// import 'left-pad';\n",
    ].join('');
    const server = "import { a } from '../session/session.ts';\nimport { b } from '../store/rooms.ts';\n";
    const files = { ...existing, 'main.ts': main, 'api/rooms.ts': rooms, 'backend/wire/server.ts': server };
    assert.deepEqual(offencesOf(files), []);
  });

  it('lets the core reach what is loaded on demand by import() only', () => {
    const extra = { 'extra/redis/locks.ts': '' };
    const at = "import { a } from './extra/redis/locks.ts';\n";
    const late = "const a = await import('./extra/redis/locks.ts');\n";
    assert.deepEqual(offencesOf({ 'main.ts': at, ...extra }), ['main.ts: extra/ is reached by import() only']);
    assert.deepEqual(offencesOf({ 'main.ts': late, ...extra }), []);
  });

  it('counts the files of a folder, not those of its sub-folders', () => {
    const filesOf = (folder: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}.ts`, '']));
    assert.deepEqual(offencesOf({ ...filesOf('http', MAX_FOLDER_FILES), ...filesOf('http/x', MAX_FOLDER_FILES) }), []);
    assert.equal(offencesOf(filesOf('http', MAX_FOLDER_FILES + 1)).length, 1);
  });
});

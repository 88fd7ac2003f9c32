// One word, one thing: a name that two files of src export means the same noun in two layers, and is in the list below
// with the reason. Looking for `Room` must not lead to two things that have nothing to do with each other.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { homonymFaults, homonyms } from './support/vocabulary-rules.ts';

const SRC = join(import.meta.dirname, '../src');

/** reason → names that stand for the same thing in each file that exports them */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  'the same act: asked of the room server by client, done by backend, offered to programs by api': [
    'biff',
    'copyToRoom',
    'createRoom',
    'createUser',
    'deleteUser',
    'enterRoom',
    'logIn',
    'logOut',
    'moveToRoom',
    'updateUser',
  ],
  'the same noun at both ends of the line protocol': ['NewRoom', 'RoomServer'],
  'one group of methods of RoomServer, by each of its drivers': ['events', 'messages', 'rooms', 'search'],
};

function sources(): Map<string, string> {
  const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(SRC, path), 'utf8')]));
}

describe('exported names of src/', () => {
  it('mean one thing each, but for those that are listed, and what is listed is still there', () => {
    const files = sources();
    assert.ok(files.size > 300, 'the sources were found');
    assert.deepEqual(homonymFaults(files, Object.values(MEANT).flat()), []);
  });
});

describe('the check of names', () => {
  const found = (files: Record<string, string>) => [...homonyms(new Map(Object.entries(files)))];

  it('finds every kind of declaration that two files export', () => {
    for (const declaration of [
      'const a = 1;',
      'let a = 1;',
      'function a() {}',
      'function* a() {}',
      'async function a() {}',
      'async function* a() {}',
      'class a {}',
      'abstract class a {}',
      'interface a {}',
      'type a = 1;',
    ]) {
      const source = `// first\n\nexport ${declaration}\n`;
      assert.deepEqual(found({ 'x/1.ts': source, 'x/2.ts': source }), [['a', ['x/1.ts', 'x/2.ts']]], declaration);
    }
  });

  it('leaves out what is exported once, not at all, passed on, or overloaded', () => {
    const a = 'export function a(b: 1): void;\nexport function a(b: 2): void;\nconst c = 1;\n';
    assert.deepEqual(found({ '1.ts': a, '2.ts': "const c = 1;\nexport { a } from './1.ts';\n" }), []);
  });

  it('says what is new, and what is listed in vain', () => {
    const files = new Map([
      ['1.ts', 'export const a = 1;\nexport const b = 1;\n'],
      ['2.ts', 'export type a = 1;\n'],
    ]);
    assert.deepEqual(homonymFaults(files, []), ['a: exported by 1.ts, 2.ts']);
    assert.deepEqual(homonymFaults(files, ['a', 'b']), ['b: listed, but exported once or never']);
    assert.deepEqual(homonymFaults(files, ['a', 'a']), ['a: listed twice']);
  });
});

// What the web client runs of src/: it uses nothing that a browser does not have, and the gateway gives out all of it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { it } from 'node:test';
import { isSharedModule, sharedModule } from '../../src/system/shared-modules.ts';

const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

/** Below src/, as the module names it. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) =>
    name!.startsWith('.') ? relative(SRC, join(dirname(path), name!)) : name!,
  );

it('the web client imports no source but those that are given out', () => {
  const wanted = filesBelow(join(ROOT, 'static'), '.js').flatMap((path) =>
    importsOf(path, readFileSync(path, 'utf8'))
      .filter((name) => !name.startsWith('../') && name.endsWith('.ts'))
      .map((name) => `${relative(ROOT, path)}: ${name}`),
  );
  assert.deepEqual(
    wanted.filter((line) => !isSharedModule(line.split(': ')[1]!)),
    [],
  );
});

it('what is given out imports nothing else, and uses nothing that a browser does not have', async () => {
  const shared = filesBelow(SRC, '.ts').filter((path) => isSharedModule(relative(SRC, path)));
  assert.ok(shared.length > 30, 'the sources were found');
  for (const path of shared) {
    const { bytes } = (await sharedModule(relative(SRC, path)))!;
    const script = Buffer.from(bytes).toString();
    assert.deepEqual(
      importsOf(path, script).filter((name) => !isSharedModule(name)),
      [],
      path,
    );
    assert.doesNotMatch(
      script.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, ''),
      /\b(?:Buffer|process|require)\b|'node:/,
      path,
    );
  }
});

it('no other source is given out', async () => {
  for (const path of [
    'serve/start.ts',
    'mime/headers.ts',
    'mime/objects/../headers.ts',
    'mime/objects/x.ts',
    'mime/objects/',
    '',
  ]) {
    assert.equal(await sharedModule(path), undefined, path);
  }
});

// The web client as the one-file binary carries it: few files, named by their content.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { bundleClient } from '../../scripts/bundle-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = await bundleClient(root);
const page = Buffer.from(files.get('app/landing.html')!).toString();
const references = [...page.matchAll(/(?:src|href)="\.\.\/s\/(app\/[^"]+)"/g)].map((match) => match[1]!);

it('has one style sheet, and what its scripts begin with and load by name', () => {
  assert.deepEqual([...new Set(references.map((path) => path.replace(/.*\./, '')))].toSorted(), ['css', 'js', 'svg']);
  assert.equal(references.filter((path) => path.endsWith('.css')).length, 1);
  for (const path of references) assert.ok(files.has(path), path);
  for (const [path, bytes] of files) {
    if (!path.endsWith('.js')) continue;
    const named = Buffer.from(bytes)
      .toString()
      .matchAll(/["'`](?:\.\/|\.\.\/s\/app\/)([\w.-]+\.\w+)["'`]/g);
    for (const [, name] of named) assert.ok(files.has(`app/${name}`), `${path} loads ${name}`);
  }
});

it('leaves nothing of a source by its own name to be looked at again and again', () => {
  for (const [path, bytes] of files) {
    if (path.endsWith('.js'))
      assert.doesNotMatch(Buffer.from(bytes).toString(), /\.\.\/s\/(?:icons|favicon|css)/, path);
  }
});

it('is less than 120 kB before the first view, with the words of one language and the drawings', () => {
  const first = ['app/landing.html', ...references];
  for (const language of ['en', 'de', 'fr', 'es']) {
    const named = [language, 'icons'].map((name) => [...files.keys()].find((path) => path.startsWith(`app/${name}-`))!);
    const sizes = new Set([...first, ...named]).values().map((path) => files.get(`${path}.br`)!.length);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(all < 120_000, `${language}: ${all}`);
  }
});

it('lies packed beside itself', () => {
  for (const [path, bytes] of files) {
    if (path.endsWith('.br')) assert.deepEqual(brotliDecompressSync(bytes), Buffer.from(files.get(path.slice(0, -3))!));
    else assert.ok(files.has(`${path}.br`), path);
  }
});

it('is the same when it is made again', async () => {
  const sums = (made: ReadonlyMap<string, Uint8Array>) =>
    [...made].map(([path, bytes]) => [path, hash('sha256', bytes)]);
  assert.deepEqual(sums(await bundleClient(root)), sums(files));
});

// The web client as the one-file binary carries it: few files, named by their content.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleClient } from '../../scripts/bundle-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = await bundleClient(root);
const page = Buffer.from(files.get('app/landing.html')!).toString();
const references = [...page.matchAll(/(?:src|href)="\.\.\/s\/(app\/[^"]+)"/g)].map((match) => match[1]!);

it('has one script and one style sheet, and what they load by name', () => {
  assert.deepEqual(references.map((path) => path.replace(/.*\./, '')).toSorted(), ['css', 'js']);
  for (const path of references) assert.ok(files.has(path), path);
  for (const [path, bytes] of files) {
    if (!path.endsWith('.js')) continue;
    for (const [, name] of Buffer.from(bytes)
      .toString()
      .matchAll(/["']\.\/([\w.-]+\.js)["']/g)) {
      assert.ok(files.has(`app/${name}`), `${path} loads ${name}`);
    }
  }
});

it('is the same when it is made again', async () => {
  const sums = (made: ReadonlyMap<string, Uint8Array>) =>
    [...made].map(([path, bytes]) => [path, hash('sha256', bytes)]);
  assert.deepEqual(sums(await bundleClient(root)), sums(files));
});

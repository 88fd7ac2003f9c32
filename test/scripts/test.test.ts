// The runner of npm test: what fails in one of its processes fails the whole, and so does a process that ran nothing.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { runBatches } from '../../scripts/test.ts';

const root = await mkdtemp(join(tmpdir(), 'runner-'));
after(() => rm(root, { recursive: true, force: true }));

const FILES = {
  'good.test.mjs': "import { it } from 'node:test';\nit('one', () => {});\nit('two', () => {});\n",
  'bad.test.mjs':
    "import { it } from 'node:test';\nit('three', () => {});\nit('is wrong', () => { throw new Error('so'); });\n",
  'broken.test.mjs': "import { it } from 'node:test';\nit('four', () => {});\nthrow new Error('at its start');\n",
  'left.test.mjs': "import { it } from 'node:test';\nit('five', () => process.exit(0));\nit('six', () => {});\n",
  'hook.test.mjs':
    "import { after, it } from 'node:test';\nit('seven', () => {});\nafter(() => { throw new Error('so'); });\n",
  'empty.test.mjs': '\n',
};
for (const [name, source] of Object.entries(FILES)) await writeFile(join(root, name), source);

async function run(...batches: string[][]) {
  const said: string[] = [];
  const tally = await runBatches(
    batches.map((files) => ({ name: files.join(' '), files })),
    { root, jobs: 2, say: (text) => said.push(text) },
  );
  return { ...tally, said: said.join('') };
}

it('counts what ran in all processes', async () => {
  const { counts, failed, said } = await run(['good.test.mjs'], ['good.test.mjs', 'good.test.mjs']);
  assert.deepEqual(failed, []);
  assert.deepEqual([counts.tests, counts.pass, counts.fail], [4, 4, 0]);
  assert.match(said, /▸ good\.test\.mjs: [\d.]+ s\n✔ one /);
});

it('fails with a test that fails, and goes on with the others', async () => {
  const { counts, failed, details, said } = await run(['bad.test.mjs'], ['good.test.mjs']);
  assert.deepEqual(failed, ['bad.test.mjs: it ended with 1']);
  assert.deepEqual([counts.tests, counts.pass, counts.fail], [4, 3, 1]);
  assert.match(said, /✔ three[\s\S]*✖ is wrong[\s\S]*Error: so/);
  assert.match(details.join(''), /^✖ failing tests:\s[^✖]*✖ is wrong[\s\S]*Error: so/);
});

it('fails with a file that cannot be loaded beside others', async () => {
  const { failed, said } = await run(['broken.test.mjs', 'good.test.mjs']);
  assert.deepEqual(failed, ['broken.test.mjs good.test.mjs: it ended with 1']);
  assert.match(said, /at its start/);
});

it('fails with a process that ran no test, or left before it had told of its tests', async () => {
  const { failed } = await run(['empty.test.mjs'], ['left.test.mjs']);
  assert.deepEqual(failed.sort(), ['empty.test.mjs: it ended with 1', 'left.test.mjs: it ran no test']);
});

it('fails with a hook behind the last test', async () => {
  assert.deepEqual((await run(['hook.test.mjs', 'good.test.mjs'])).failed, [
    'hook.test.mjs good.test.mjs: it ended with 1',
  ]);
});

it('fails with a file that is not there', async () => {
  assert.equal((await run(['away.test.mjs', 'good.test.mjs'])).failed.length, 1);
});

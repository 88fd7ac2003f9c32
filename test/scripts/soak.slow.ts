// A minute of the soak (scripts/soak.ts) with few people.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/soak.ts', import.meta.url));

it('a soak loses nothing, and nothing grows', async (t) => {
  const soak = spawn(process.execPath, [script, '--minutes', '1', '--users', '40']);
  t.after(() => void soak.kill('SIGKILL'));
  let said = '';
  for (const pipe of [soak.stdout, soak.stderr]) pipe.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = await once(soak, 'close');
  assert.equal(code, 0, said);
  assert.match(said, /nothing was lost/);
});

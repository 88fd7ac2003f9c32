// Runs the test files that its arguments name in this process, and ends with 1 where anything of theirs failed, a hook
// behind the last test, too: `node --test --test-isolation=none` ends with 0 then. Started by scripts/test.ts.

import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const TEST_TIMEOUT_MS = 300_000;
const loader = join(import.meta.dirname, 'test-files.ts');

const events = run({ files: [loader], isolation: 'none', timeout: TEST_TIMEOUT_MS });
const fail = () => {
  process.exitCode = 1;
};
events.on('test:fail', fail);
events.on('test:pass', ({ name }) => {
  if (name === loader) fail(); // what stands for a file in which no test was found
});
events.compose(new spec()).pipe(process.stdout);

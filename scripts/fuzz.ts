// Fuzzes what reads a peer's bytes, for as long as one likes; a failing input is kept in test/fixtures/fuzz, where the
// tests find it from then on. Run: npm run fuzz [-- --seconds 60 --target xml --seed 7]

import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fuzz, type Outcome, type Target } from '../test/fuzz/engine.ts';
import { TARGETS } from '../test/fuzz/targets/all.ts';
import { newSeed, randomFrom } from '../test/support/random.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(import.meta.filename, {
  seconds: { type: 'string', default: '60' },
  target: { type: 'string', default: '' },
  seed: { type: 'string', default: String(newSeed()) },
});
const KEPT = join(import.meta.dirname, '../test/fixtures/fuzz');

const targets = TARGETS.filter(({ name }) => values.target === '' || name === values.target);
if (targets.length === 0) throw new Error(`--target is one of ${TARGETS.map(({ name }) => name).join(', ')}`);
console.log(`seed ${values.seed}, ${values.seconds} s for each of ${targets.length} targets`);
for (const target of targets) {
  const end = performance.now() + 1000 * Number(values.seconds);
  print(target, await fuzz(target, randomFrom(Number(values.seed)), () => performance.now() > end));
  await target.close?.();
}

function print({ name }: Target, { inputs, accepted, kept, blocks, slowest, failure }: Outcome): void {
  const share = `${Math.round((100 * accepted) / Math.max(1, inputs))} %`;
  const slow = `${slowest.ms.toFixed(0)} ms for ${slowest.input.length} bytes`;
  console.log(
    `${name.padEnd(12)} ${inputs} inputs, ${share} past the first check, ${kept.length} kept, ${blocks} blocks; ` +
      `slowest ${slow}`,
  );
  if (!failure) return;
  const folder = join(KEPT, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, hash('sha256', failure.input).slice(0, 12));
  writeFileSync(file, failure.input);
  console.log(`  fails; kept as ${file}\n`, failure.error);
  process.exitCode = 1;
}

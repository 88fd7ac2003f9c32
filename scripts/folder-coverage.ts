// Fails if the tests run less of a folder of src/ than they should. Reads what c8 has written. Run: npm run coverage

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const LEAST = { lines: 95, branches: 90 };
/** tests kill the processes that run them, and a killed process writes no coverage */
const LEAST_OF: Readonly<Record<string, typeof LEAST>> = {
  workers: { lines: 75, branches: 70 },
  '.': { lines: 90, branches: 85 },
};

const root = join(import.meta.dirname, '..');
type Counts = Record<keyof typeof LEAST, { total: number; covered: number }>;
const { total: _, ...files }: Record<string, Counts> = JSON.parse(
  readFileSync(join(root, 'coverage/coverage-summary.json'), 'utf8'),
);
const byFolder = Map.groupBy(Object.entries(files), ([path]) => relative(root, path).split('/').slice(0, -1)[1] ?? '.');
for (const [folder, entries] of [...byFolder].sort()) {
  const percent = (kind: keyof typeof LEAST) => {
    const sum = (which: 'total' | 'covered') => entries.reduce((all, [, counts]) => all + counts[kind][which], 0);
    return sum('total') === 0 ? 100 : (100 * sum('covered')) / sum('total');
  };
  const [lines, branches] = [percent('lines'), percent('branches')];
  console.log(`src/${folder}`.padEnd(20), `lines ${lines.toFixed(2)} %, branches ${branches.toFixed(2)} %`);
  const least = LEAST_OF[folder] ?? LEAST;
  if (lines < least.lines || branches < least.branches) {
    console.error(
      `src/${folder}: the tests have to run ${least.lines} % of its lines and ${least.branches} % of its branches`,
    );
    process.exitCode = 1;
  }
}

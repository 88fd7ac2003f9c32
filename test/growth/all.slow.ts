// The tests of growth with all cases, where growth.ts takes some of those that are much alike.

import { globSync } from 'node:fs';

process.env.GROWTH_CASES = 'all';
for (const path of globSync('*.test.ts', { cwd: import.meta.dirname })) await import(`./${path}`);

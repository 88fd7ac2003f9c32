// Compares random recurrences with what python3-dateutil and libical make of them; prints each difference that is not
// explained, and ends with 1 if there is one. Debian packages: python3-dateutil, python3-gi, gir1.2-ical-3.0.
// Run: npm run recurrences [-- --count 2000 --seed 7]

import { newSeed } from '../test/support/random.ts';
import { compareRecurrences } from '../test/support/recurrence-peers.ts';
import { scriptOptions } from './script-options.ts';

const { count, seed } = scriptOptions(import.meta.filename, {
  count: { type: 'string', default: '2000' },
  seed: { type: 'string', default: String(newSeed()) },
});
console.log(`seed ${seed}`);
const { compared, explained, byLibical, unexplained } = await compareRecurrences(Number(count), Number(seed));
for (const text of unexplained) console.log(text);
for (const [why, many] of explained) console.log(`${many} explained: ${why}`);
console.log(
  `${compared} recurrences compared, ${byLibical} of them with libical alone; ${unexplained.length} unexplained`,
);
if (unexplained.length > 0) process.exitCode = 1;

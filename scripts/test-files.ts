// Loads the test files that are the arguments of the process, one after the other (scripts/test-process.ts). One that
// cannot be loaded is a test that fails: node:test passes over it where tests of the file were made before the fault.

import { it } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    it(`${file} can be loaded`, () => {
      throw error;
    });
  }
}

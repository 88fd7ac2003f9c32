// Preloaded into every process and thread of a test run (scripts/test.ts). Node strips the types of each source anew in
// each of them, which takes longer than all else at the start of a gateway: here they are read as the beginning of the
// run has stripped them, into the folder that the address of this module names. Lines and columns stay what they are.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { searchParams } = new URL(import.meta.url);
const folder = searchParams.get('folder');
const root = new URL('..', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(root) || !url.endsWith('.ts')) return nextLoad(url, context);
    try {
      const source = readFileSync(`${folder}/${url.slice(root.length)}`, 'utf8');
      return { format: 'module', source, shortCircuit: true };
    } catch {
      return nextLoad(url, context);
    }
  },
});

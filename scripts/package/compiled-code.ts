// The code that V8 compiled of the scripts of the binary (compile.ts). It is for the Node that compiled it, on its kind
// of processor. The same scripts give the same bytes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { compiledFile, scriptFile } from '../../src/system/assets.ts';
import { SCRIPTS } from '../bundle-server.ts';

/** Writes it beside the scripts in `work`. */
export function compileScripts(work: string): void {
  const data = mkdtempSync(join(tmpdir(), 'vestibule-compile-'));
  // compiled code has random numbers in it, of which the same seed makes the same; nothing of the environment matters
  const compile = (name: string) =>
    execFileSync(process.execPath, ['--random-seed=1', 'scripts/package/compile.ts', name, work, data], {
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      env: {},
    });
  try {
    compile('main'); // makes the data folder, which a start mostly finds: what that takes is not kept
    for (const name of SCRIPTS) {
      compile(name);
      const cachedData = readFileSync(`${work}/${compiledFile(name)}`);
      const { cachedDataRejected } = new Script(readFileSync(`${work}/${scriptFile(name)}`, 'latin1'), { cachedData });
      if (cachedDataRejected) throw new Error(`V8 refuses the code that it compiled of ${name}`);
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

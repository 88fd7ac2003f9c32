// Writes the code that V8 compiled for a script of the binary by the time it is ready (a server that listens), so that
// the binary need not compile it at each start. Runs the bundled script on this Node, on a data folder of its own.
// Run by compiled-code.ts: node --random-seed=1 compile.ts NAME WORK DATA

import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { compiledFile, scriptFile, type ThreadName } from '../../src/system/assets.ts';

const VERSION = '1.0.0';
/** They leave marks on functions, at times that differ; V8 takes code only where they are as they were. */
const TIERS = ['sparkplug', 'maglev', 'turbofan'];
for (const tier of TIERS) setFlagsFromString(`--no-${tier}`);
const [name, work, data] = process.argv.slice(2) as [ThreadName | 'main', string, string];
const filename = scriptFile(name);
const script = new Script(readFileSync(`${work}/${filename}`, 'latin1'), { filename });
const require = createRequire(import.meta.url);

/** Called when the script is ready, in the same turn: what comes later is not the same in each run. */
function ready(): never {
  for (const tier of TIERS) setFlagsFromString(`--${tier}`);
  writeFileSync(`${work}/${compiledFile(name)}`, script.createCachedData());
  process.exit();
}

/** Another thread runs from source: each script is compiled in a process of its own. */
class SourceThread extends Worker {
  constructor(_script: string, options: WorkerOptions) {
    super(new URL('../../src/backend/worker.ts', import.meta.url), { ...options, eval: false });
  }
}

/** of the thread of the room server; that of the renderer needs no data */
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: ({ type, message }: { type: string; message?: string }) => {
    if (type !== 'ready') throw new Error(message ?? type);
    ready();
  },
});
/** What the script finds other than it is here: it is to take itself for the binary, or for its thread. */
const inBinary: Record<string, object> = {
  'node:sea': {
    isSea: () => true,
    getAsset: () => JSON.stringify({ version: VERSION, mtimeSeconds: 0 }),
    getAssetKeys: () => [],
  },
  'node:worker_threads': {
    ...require('node:worker_threads'),
    ...(name === 'main' ? { Worker: SourceThread } : { isMainThread: false, parentPort }),
  },
};
process.argv = [process.execPath, name, '--port', '0', '--data', data];
console.log = (text: string) => {
  if (text.startsWith('Listening on ')) ready();
};
script.runInThisContext()((id: string) => inBinary[id] ?? require(id), {});
if (name === 'render/worker') ready();
else parentPort.emit('message', { dataFolder: data, demo: false, version: VERSION });

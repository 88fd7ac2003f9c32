// The program and its threads as scripts: from source the files of src/, in the one-file binary (node:sea) what
// scripts/build.ts bundled, with the code that it compiled. What V8 compiled before, it need not compile at the start.

import { SourceMap, type SourceMapPayload } from 'node:module';
import { getRawAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';

/** The script of a thread: its path below src/ without `.ts`. */
export type ThreadName = 'backend/worker' | 'render/worker';

/** Names of the assets of a script. */
export const scriptFile = (name: string) => `${name}.cjs`;
export const compiledFile = (name: string) => `${name}.compiled`;
export const mapFile = (name: string) => `${name}.cjs.map.br`;

/** A position in a script of the binary, as stacks have it. */
const POSITION = /\b(main|backend\/worker|render\/worker)\.cjs:(\d{1,9}):(\d{1,9})/g;

/** A thread that runs its script. */
export function startThread(name: ThreadName, options: WorkerOptions = {}): Worker {
  if (!isSea()) return new Worker(new URL(`../${name}.ts`, import.meta.url), { name, ...options });
  return new Worker(startOf(name), { name, ...options, eval: true });
}

/** Source of what runs a script of the binary: the main one of the binary, and of its threads. */
export function startOf(name: ThreadName | 'main'): string {
  return `(${runScript})('${scriptFile(name)}', '${compiledFile(name)}', require)`;
}

/** Runs as a text of its own: it can use nothing of this file. Scripts are one function, and ASCII. */
function runScript(filename: string, compiled: string, require: NodeJS.Require): void {
  const { Script } = process.getBuiltinModule('node:vm');
  const { getRawAsset } = process.getBuiltinModule('node:sea');
  const text = Buffer.from(getRawAsset(filename)).toString('latin1');
  // empty in a binary for another processor; V8 itself refuses what it cannot use, and compiles as ever
  const script = new Script(text, { filename, cachedData: Buffer.from(getRawAsset(compiled)) });
  script.runInThisContext()(require, {});
}

/** The text of a stack, in the binary with files and lines of the sources. */
export function readableStack(text: string): string {
  if (!isSea()) return text;
  return stackOfSources(text, (name) => mapInside(name));
}

function mapInside(name: string): SourceMapPayload {
  return JSON.parse(brotliDecompressSync(getRawAsset(mapFile(name))).toString()) as SourceMapPayload;
}

/** `mapOf`: the source map of a script. Maps are read when a stack is written: to read them takes 50 ms. */
export function stackOfSources(text: string, mapOf: (name: string) => SourceMapPayload): string {
  const maps = new Map<string, SourceMap>();
  return text.replace(POSITION, (position, name: string, line: string, column: string) => {
    const map = maps.get(name) ?? new SourceMap(mapOf(name));
    maps.set(name, map);
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return position;
    return `${origin.fileName.replace(/^[./]*/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

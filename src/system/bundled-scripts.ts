// The scripts of the program and its threads: the files of src/, or in the one-file binary (node:sea) the bundles of
// scripts/build.ts with V8's code cache.

import { SourceMap, type SourceMapPayload } from 'node:module';
import { getRawAsset, isSea } from 'node:sea';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';

/** The path of a thread's script below src/, without `.ts`. */
export type ThreadName = 'backend/worker' | 'render/worker';

/** Asset names. */
export const scriptFile = (name: string) => `${name}.cjs`;
export const compiledFile = (name: string) => `${name}.compiled`;
export const mapFile = (name: string) => `${name}.cjs.map.br`;

/** a position in a bundled script, as in stack traces */
const POSITION = /\b(main|backend\/worker|render\/worker)\.cjs:(\d{1,9}):(\d{1,9})/g;

export function startThread(name: ThreadName, resourceLimits: ResourceLimits = {}): Worker {
  if (!isSea()) return new Worker(new URL(`../${name}.ts`, import.meta.url), { name, resourceLimits });
  return new Worker(startOf(name), { name, resourceLimits, eval: true });
}

/** The bootstrap source of a bundled script. */
export function startOf(name: ThreadName | 'main'): string {
  return `(${runScript})('${scriptFile(name)}', '${compiledFile(name)}', require)`;
}

/** Serialized, so it can use nothing of this file. Bundles are one function, in ASCII. */
function runScript(filename: string, compiled: string, require: NodeJS.Require): void {
  const { Script } = process.getBuiltinModule('node:vm');
  const { getRawAsset } = process.getBuiltinModule('node:sea');
  const text = Buffer.from(getRawAsset(filename)).toString('latin1');
  // empty in a binary for another processor; V8 rejects data that it cannot use
  const script = new Script(text, { filename, cachedData: Buffer.from(getRawAsset(compiled)) });
  script.runInThisContext()(require, {});
}

/** A stack trace with source files and lines. */
export function readableStack(text: string): string {
  if (!isSea()) return text;
  return stackOfSources(text, (name) => mapInside(name));
}

function mapInside(name: string): SourceMapPayload {
  return JSON.parse(brotliDecompressSync(getRawAsset(mapFile(name))).toString()) as SourceMapPayload;
}

/** `mapOf`: the source map of a script, loaded on demand because parsing takes 50 ms. */
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

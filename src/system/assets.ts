// The contents of the one-file binary (node:sea), written by scripts/build.ts: static files, the version, and the
// scripts of the program and its threads, with V8's code cache. When run from source, the source tree has them.

import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';

export interface EmbeddedFile {
  /** a view of the binary's memory: writing to it is a segmentation fault */
  bytes: Uint8Array;
  mtimeSeconds: number;
}

/** Written by scripts/build.ts. */
interface BuildFacts {
  version: string;
  mtimeSeconds: number;
}

const STATIC_KEY = 'static/';
const BUILD_KEY = 'build.json';

/** The files of `static/` by relative path (`'landing.html'`, `'css/base.css'`); undefined when run from source. */
export function embeddedStatic(): Map<string, EmbeddedFile> | undefined {
  if (!isSea()) return undefined;
  const mtimeSeconds = embeddedTime();
  const files = new Map<string, EmbeddedFile>();
  for (const key of getAssetKeys()) {
    if (!key.startsWith(STATIC_KEY)) continue;
    files.set(key.slice(STATIC_KEY.length), {
      get bytes() {
        return new Uint8Array(getRawAsset(key));
      },
      mtimeSeconds,
    });
  }
  return files;
}

/** The version in package.json: `'1.0.0'`. */
export function version(): string {
  if (isSea()) return buildFacts().version;
  const facts = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as BuildFacts;
  return facts.version;
}

/** Last-Modified of all embedded files, in Unix seconds. */
export function embeddedTime(): number {
  return buildFacts().mtimeSeconds;
}

function buildFacts(): BuildFacts {
  return JSON.parse(getAsset(BUILD_KEY, 'utf8')) as BuildFacts;
}

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

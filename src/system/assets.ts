// What the one-file binary carries inside: the static files, the scripts of its threads and the version. Run from
// source there is nothing inside, and each says so. Called by main.ts and config.ts; filled by scripts/build.ts.

import { readFileSync } from 'node:fs';
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea';

export interface EmbeddedFile {
  /** a view of the binary's own pages: writing to it is a segmentation fault */
  bytes: Uint8Array;
  mtimeSeconds: number;
}

/** The asset that says what was built; its keys are written by scripts/build.ts. */
interface BuildFacts {
  version: string;
  mtimeSeconds: number;
}

const STATIC_KEY = 'static/';
const BUILD_KEY = 'build.json';

/** The files of `static/` by their path below it (`'landing.html'`, `'css/base.css'`); undefined from source. */
export function embeddedStatic(): Map<string, EmbeddedFile> | undefined {
  if (!isSea()) return undefined;
  const { mtimeSeconds } = buildFacts();
  const files = new Map<string, EmbeddedFile>();
  for (const key of getAssetKeys()) {
    if (!key.startsWith(STATIC_KEY)) continue;
    files.set(key.slice(STATIC_KEY.length), { bytes: new Uint8Array(getRawAsset(key)), mtimeSeconds });
  }
  return files;
}

/** The script of a thread: its path below src/ without `.ts`. */
export type WorkerName = 'backend/worker' | 'render/worker';

/** Its whole script as an ES module, for `new Worker(new URL(…))` of a data: URL; undefined from source. */
export function embeddedWorkerScript(name: WorkerName): string | undefined {
  return isSea() ? getAsset(`${name}.mjs`, 'utf8') : undefined;
}

/** The version in package.json: `'0.1.0'`. */
export function version(): string {
  if (isSea()) return buildFacts().version;
  const facts = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as BuildFacts;
  return facts.version;
}

function buildFacts(): BuildFacts {
  return JSON.parse(getAsset(BUILD_KEY, 'utf8')) as BuildFacts;
}

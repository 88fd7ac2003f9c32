// What the one-file binary (node:sea) carries inside: static files and the version, beside the scripts
// (bundled-scripts.ts). scripts/build.ts puts them there. Run from source there is nothing inside, and the source tree
// has it.

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

/** Last-Modified of all that is inside, Unix seconds. */
export function embeddedTime(): number {
  return buildFacts().mtimeSeconds;
}

function buildFacts(): BuildFacts {
  return JSON.parse(getAsset(BUILD_KEY, 'utf8')) as BuildFacts;
}

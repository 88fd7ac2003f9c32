// Files embedded in the one-file binary (node:sea) by scripts/build.ts: static files and the version. When run from
// source, the source tree has them. Scripts: bundled-scripts.ts.

import { readFileSync } from 'node:fs';
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea';

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

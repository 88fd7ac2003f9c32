// How the program and its threads become single scripts (esbuild): for the binary, and for the audit of what gets in.

import { type BuildOptions, build } from 'esbuild';
import type { ThreadName } from '../src/system/assets.ts';

/** the program, and its threads */
export const SCRIPTS: readonly (ThreadName | 'main')[] = ['main', 'backend/worker', 'render/worker'];

/**
 * Paths below the repository. A CommonJS script that is one function, called with `require` and a `module`: to import a
 * module of Node as an ES module loads all that it exports, of node:http also fetch and WebSocket (35 ms of a start).
 */
export function serverBundle(from: string, to: string): BuildOptions {
  return {
    entryPoints: [from],
    outfile: to,
    bundle: true,
    // 5 MB less of an idle gateway; a stack has files and lines of the sources all the same
    minify: true,
    lineLimit: 200, // Node shows the line of an error that nobody catches
    platform: 'node',
    format: 'cjs',
    banner: { js: '(function (require, module) {"use strict";' },
    footer: { js: '})' },
    // asked for from source alone
    define: { 'import.meta.url': 'undefined' },
    target: 'node26',
    // one byte for each character
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
  };
}

/** The modules that the scripts are made of, and what these import from outside; nothing is written. */
export async function serverModules(root: string): Promise<{ inside: string[]; outside: string[] }> {
  const inside = new Set<string>();
  const outside = new Set<string>();
  for (const name of SCRIPTS) {
    const options = serverBundle(`src/${name}.ts`, `${root}/out/${name}.cjs`);
    const { metafile } = await build({ ...options, absWorkingDir: root, metafile: true, write: false });
    for (const [path, { imports }] of Object.entries(metafile!.inputs)) {
      inside.add(path);
      for (const each of imports) if (each.external) outside.add(each.path);
    }
  }
  return { inside: [...inside].sort(), outside: [...outside].sort() };
}

// How the program and its threads become single scripts (esbuild): for the binary, and for the audit of what gets in.

import { type BuildOptions, build } from 'esbuild';
import type { WorkerName } from '../src/system/assets.ts';

/** the scripts of threads */
export const WORKERS: readonly WorkerName[] = ['backend/worker', 'render/worker'];

/** Paths below the repository. */
export function serverBundle(from: string, to: string): BuildOptions {
  return {
    entryPoints: [from],
    outfile: to,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  };
}

/** The modules that the scripts are made of, and what these import from outside; nothing is written. */
export async function serverModules(root: string): Promise<{ inside: string[]; outside: string[] }> {
  const inside = new Set<string>();
  const outside = new Set<string>();
  for (const name of ['main', ...WORKERS]) {
    const options = serverBundle(`src/${name}.ts`, `${root}/out/${name}.mjs`);
    const { metafile } = await build({ ...options, absWorkingDir: root, metafile: true, write: false });
    for (const [path, { imports }] of Object.entries(metafile!.inputs)) {
      inside.add(path);
      for (const each of imports) if (each.external) outside.add(each.path);
    }
  }
  return { inside: [...inside].sort(), outside: [...outside].sort() };
}

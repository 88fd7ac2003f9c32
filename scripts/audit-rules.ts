// What the audit says of the whole product: sources, packages, bundles, and the lines that a reviewer would have to
// read. The rules are in scripts/audit/, the allow-lists in scripts/audit/allowed.ts; scripts/audit.ts runs them.

import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { parse } from 'acorn';
import type { BuildOptions } from 'esbuild';
import { walkModule } from './audit/scopes.ts';
import { type TreeFacts, treeFacts } from './audit/tree.ts';
import { partOf } from './product-sources.ts';

/** Offences of texts by their path from the root, as if they were files of the product. */
export function sourceOffences(files: ReadonlyMap<string, string>): string[] {
  const entries = [...files].map(([path, text]) => {
    return { path, kind: 'file', isExecutable: false, bytes: Buffer.from(text) } as const;
  });
  return treeFacts(entries).offences;
}

/** The modules that these import, and they themselves. */
export function reachableFrom(entries: readonly string[], imports: TreeFacts['imports']): Set<string> {
  const reached = new Set(entries);
  for (const path of reached) for (const each of imports.get(path) ?? []) reached.add(each);
  return reached;
}

/** `inside`: modules of a bundle. `expected`: those that the sources say. `outside`: what the bundle imports. */
export function bundleOffences(bundle: {
  name: string;
  inside: readonly string[];
  expected: ReadonlySet<string>;
  outside: readonly string[];
}): string[] {
  const inside = new Set(bundle.inside);
  return [
    ...[...inside].filter((path) => !bundle.expected.has(path)).map((path) => `${bundle.name}:1: also holds ${path}`),
    ...[...bundle.expected].filter((path) => !inside.has(path)).map((path) => `${bundle.name}:1: lacks ${path}`),
    ...bundle.outside.filter((name) => !name.startsWith('node:')).map((name) => `${bundle.name}:1: imports ${name}`),
  ];
}

const WRAPPER = { banner: '(function (require, module) {"use strict";', footer: '})' };
const BUNDLE_OPTIONS = new Set(
  (
    'entryPoints outfile bundle minify lineLimit platform format banner footer define target charset legalComments ' +
    'sourcemap sourcesContent logLevel'
  ).split(' '),
);

/** Options by which a bundler adds code that no source has: plugins, inject, alias, a banner. */
export function optionOffences(options: BuildOptions): string[] {
  const path = 'scripts/bundle-server.ts:1:';
  const offences = Object.keys(options)
    .filter((key) => !BUNDLE_OPTIONS.has(key))
    .map((key) => `${path} bundles with ${key}`);
  if (options.banner?.js !== WRAPPER.banner || options.footer?.js !== WRAPPER.footer) {
    offences.push(`${path} adds code around a bundle`);
  }
  const defined = Object.entries(options.define ?? {}).map(([name, value]) => `${name}=${value}`);
  if (defined.join() !== 'import.meta.url=undefined') offences.push(`${path} defines ${defined.join(', ')}`);
  return offences;
}

/** The scripts that make the binary import Node, each other, sources of the product and esbuild. */
export function buildOffences(entry: string, read: (path: string) => string): string[] {
  const offences: string[] = [];
  const paths = new Set([entry]);
  for (const path of paths) {
    if (!path.startsWith('scripts/')) continue;
    const script = stripTypeScriptTypes(read(path));
    const program = parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    walkModule(program, (node, _, isGlobal) => {
      const refuse = (why: string) => offences.push(`${path}:${node.loc!.start.line}: ${why}`);
      const source = 'source' in node ? node.source : undefined;
      if (isGlobal && node.type === 'Identifier' && BUILD_LOADERS.has(node.name)) refuse(`uses ${node.name}`);
      if (!source) return;
      const specifier = source.type === 'Literal' ? String(source.value) : '';
      const target = posix.join(posix.dirname(path), specifier);
      const isOurs = /^\.{1,2}\//.test(specifier) && /^(?:scripts|src)\/[a-z0-9/-]+\.ts$/.test(target);
      if (isOurs) paths.add(target);
      else if (specifier !== 'esbuild' && !specifier.startsWith('node:'))
        refuse(`imports ${specifier || 'at run time'}`);
    });
  }
  return offences;
}

const BUILD_LOADERS = new Set(['require', 'eval', 'Function', 'globalThis', 'global', 'module', 'Reflect']);

/**
 * Lines of the sources by part (`src/api`, `src/extra/redis`, `static`), the largest first, then the sums: the core
 * that a running server loads, what is loaded on demand, the web client, and all.
 */
export function lineCounts(files: ReadonlyMap<string, string>): { folder: string; files: number; lines: number }[] {
  const counts = new Map<string, { files: number; lines: number }>();
  const add = (folder: string, text: string): void => {
    const count = counts.getOrInsertComputed(folder, () => ({ files: 0, lines: 0 }));
    count.files++;
    count.lines += text.split('\n').length - 1;
  };
  const sums = ['core', 'extras', 'web client', 'in all'];
  for (const [path, text] of files) {
    const [top = '', ...below] = path.split('/');
    const part = below.length > 1 ? `/${partOf(below.join('/'))}` : '';
    add(top + part, text);
    add(top === 'static' ? 'web client' : part.startsWith('/extra/') ? 'extras' : 'core', text);
    add('in all', text);
  }
  const rows = [...counts].map(([folder, count]) => ({ folder, ...count }));
  const parts = rows.filter(({ folder }) => !sums.includes(folder)).sort((a, b) => b.lines - a.lines);
  return [...parts, ...sums.flatMap((sum) => rows.filter(({ folder }) => folder === sum))];
}

// What is in the product, and what must not be: rules over sources, lock file and bundles, the bill of materials
// (CycloneDX 1.6), and the lines that a reviewer would have to read. Pure; scripts/audit.ts runs them.

import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { partOf } from './product-sources.ts';

/** names by which Node loads what no import statement shows */
const LOADERS = new Set(['require', 'importScripts', 'createRequire', 'dlopen', 'binding', '_linkedBinding']);
/** of these, what is a word of others as well: counts where it is called by itself */
const FREE_LOADERS = new Set(['require', 'importScripts']);
/** keys of package.json by which a package gets into a product */
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'];
/** of process.versions: numbers of interfaces, not of libraries */
const INTERFACES = ['node', 'modules', 'napi'];

export interface Lock {
  packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  version?: string;
  dev?: boolean;
  link?: boolean;
  integrity?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * What sources import from elsewhere, a line each. Keys are paths from the root of the repository: `src/…` imports
 * `node:` and itself, `static/…` itself and src/.
 */
export function sourceOffences(files: ReadonlyMap<string, string>): string[] {
  const offences: string[] = [];
  for (const [path, text] of files) {
    if (/\.(ts|js)$/.test(path)) offences.push(...importOffencesOf(path, text));
    else if (/\.(html|css)$/.test(path)) offences.push(...referenceOffencesOf(path, text));
  }
  return offences;
}

function importOffencesOf(path: string, text: string): string[] {
  const offences: string[] = [];
  const isServer = path.startsWith('src/');
  const script = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const refuse = (what: string) => offences.push(`${path}: ${what}`);
  const check = (source: string) => {
    if (isServer && source.startsWith('node:')) return;
    const target = /^\.\.?\//.test(source) ? posix.join(posix.dirname(path), source) : undefined;
    const isInside = target !== undefined && /^(src|static)\//.test(target) && (!isServer || target.startsWith('src/'));
    if (!isInside) refuse(`imports ${source}`);
  };
  for (const node of nodesIn(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }))) {
    if ('source' in node && node.source) {
      const { source } = node;
      if (source.type === 'Literal') check(String(source.value));
      // one of the same folder, chosen when it runs: the words of a language
      else if (source.type === 'TemplateLiteral' && !isServer) check(source.quasis[0]?.value.raw ?? '');
      else refuse('imports what is worked out when it runs');
    }
    const name = node.type === 'CallExpression' ? calledName(node.callee) : undefined;
    if (name !== undefined && LOADERS.has(name)) refuse(`loads by ${name}()`);
  }
  return offences;
}

/** A node and all below it. */
function* nodesIn(root: AnyNode): Generator<AnyNode> {
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next.filter(Boolean));
    else if (typeof next === 'object' && next !== null && 'type' in next) {
      yield next as AnyNode;
      open.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null));
    }
  }
}

function calledName(callee: AnyNode): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  return FREE_LOADERS.has(callee.property.name) ? undefined : callee.property.name;
}

/** Scripts, style sheets, pictures and fonts from other hosts; a link that a person follows is none. */
function referenceOffencesOf(path: string, text: string): string[] {
  const tags = [...text.matchAll(/<(?:script|link|img|iframe|source|audio|video)\b[^<>]*/gi)];
  const attributes = tags.flatMap(([tag]) => [...tag.matchAll(/(?:src|href)="([^"]*)"/gi)]);
  const inStyles = [...text.matchAll(/(?:@import|url\()[\s"']{0,9}([^"')\s]{1,100})/gi)];
  const loaded = [...attributes, ...inStyles].map(([, from]) => from!);
  return loaded.filter((from) => /^(?:https?:)?\/\//i.test(from)).map((from) => `${path}: loads ${from}`);
}

/**
 * What of the lock file could get into the product: nothing but the pinned Node. `manifests`: package.json of the
 * repository, and of scripts/node-runtime, which names the packages of the pinned Node.
 */
export function lockOffences(
  lock: Lock,
  manifests: { product: Readonly<Record<string, unknown>>; runtime: Readonly<Record<string, unknown>> },
): string[] {
  const offences = DEPENDENCIES.filter((key) => manifests.product[key] !== undefined).map(
    (key) => `package.json: has ${key}`,
  );
  const nodes = (manifests.runtime.optionalDependencies ?? {}) as Readonly<Record<string, string>>;
  const expected = new Set([
    '',
    'scripts/node-runtime',
    'node_modules/node-runtime',
    ...Object.keys(nodes).map((name) => `node_modules/${name}`),
  ]);
  for (const [path, locked] of Object.entries(lock.packages)) {
    const { dev = false, link = false, integrity = '', version } = locked;
    const name = path.replace(/^node_modules\//, '');
    if (!dev && !expected.has(path)) offences.push(`package-lock.json: ${path} is no development package`);
    const isPackage = path.startsWith('node_modules/') && !link;
    if (isPackage && !integrity.startsWith('sha512-')) offences.push(`package-lock.json: ${path} has no SHA-512`);
    if (nodes[name] !== undefined && nodes[name] !== version) offences.push(`package-lock.json: ${path} is ${version}`);
    if (nodes[name] !== undefined && locked.hasInstallScript) offences.push(`package-lock.json: ${path} runs a script`);
  }
  return offences;
}

/** What the bundles are made of beside src/ and static/, and what they import beside Node. */
export function bundleOffences({ inside, outside }: { inside: string[]; outside: string[] }): string[] {
  return [
    ...inside.filter((path) => !/^(src|static)\//.test(path)).map((path) => `bundle: holds ${path}`),
    ...outside.filter((name) => !name.startsWith('node:')).map((name) => `bundle: imports ${name}`),
  ];
}

/** Bill of materials of the binary (CycloneDX 1.6). `versions`: of process. The same input gives the same. */
export function billOfMaterials(product: string, versions: Readonly<Record<string, string | undefined>>) {
  const node = `node@${versions.node}`;
  const libraries = Object.entries(versions)
    .filter(([name, version]) => version && !INTERFACES.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version]) => component('library', name, version!));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', 'vestibule', product) },
    components: [component('platform', 'node', versions.node!), ...libraries],
    dependencies: [
      { ref: `vestibule@${product}`, dependsOn: [node] },
      { ref: node, dependsOn: libraries.map((each) => each['bom-ref']) },
    ],
  };
}

function component(type: 'application' | 'platform' | 'library', name: string, version: string) {
  return {
    type,
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
  };
}

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

// The files of the product and of the repository's root: what lies there that is not known is refused.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { moduleFacts, typesOffences } from './modules.ts';
import { pageOffences, textOffence } from './pages.ts';

export interface TreeEntry {
  /** from the root, with `/` */
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  isExecutable: boolean;
  /** of a file */
  bytes: Uint8Array;
}

const FOLDER = /^(?:[a-z][a-z0-9-]*\/)*$/;
type FileType = 'script' | 'page' | 'text' | 'json' | 'picture' | 'types';

const TYPES: readonly { path: RegExp; type: FileType }[] = [
  { path: /^src\/(?:[a-z][a-z0-9-]*\/)*[a-z][a-z0-9-]*\.ts$/, type: 'script' },
  { path: /^static\/(?:[a-z][a-z0-9-]*\/)*[a-z][a-z0-9-]*\.js$/, type: 'script' },
  { path: /^static\/(?:[a-z][a-z0-9-]*\/)*[a-z][a-z0-9-]*\.(?:html|css|svg)$/, type: 'page' },
  { path: /^(?:src|static)\/(?:[a-z][a-z0-9-]*\/)*[A-Z]+\.md$/, type: 'text' },
  { path: /^static\/(?:guide\/)?[a-z][a-z0-9-]*\.png$/, type: 'picture' },
  { path: /^static\/openapi\.json$/, type: 'json' },
  { path: /^static\/(?:api\/interface|kinds\/kind|model\/object-style)\.d\.ts$/, type: 'types' },
];
/** of the root; `.git`, and what .gitignore names, is no part of the repository */
const ROOT = new Set(
  (
    '.ci .editorconfig .git .gitattributes .gitignore CONTRIBUTING.md LICENSE README.md SECURITY.md biome.json ' +
    'coverage data dist node_modules package-lock.json package.json scripts src static test tsconfig.json ' +
    'tsconfig.static.json'
  ).split(' '),
);
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PNG_END = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');

/** Everything below `folders` of `root`, links not followed, sorted by path. */
export function treeEntries(root: string, folders: readonly string[] = ['src', 'static']): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const read = (path: string): void => {
    const stat = lstatSync(`${root}/${path}`);
    const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other';
    const bytes = kind === 'file' ? readFileSync(`${root}/${path}`) : new Uint8Array();
    entries.push({ path, kind, isExecutable: kind === 'file' && (stat.mode & 0o111) !== 0, bytes });
    if (kind === 'folder') for (const name of readdirSync(`${root}/${path}`).sort()) read(`${path}/${name}`);
  };
  for (const folder of folders) read(folder);
  return entries;
}

export interface TreeFacts {
  /** `src/a.mjs:1: why` */
  offences: string[];
  /** what each script imports of the product */
  imports: Map<string, string[]>;
}

/** Files of other types or with other names, links, text that hides something, and what is in scripts and pages. */
export function treeFacts(entries: readonly TreeEntry[]): TreeFacts {
  const offences: string[] = [];
  const imports = new Map<string, string[]>();
  for (const entry of entries) {
    const { path } = entry;
    const { line, why, type } = checkEntry(entry);
    if (why) {
      offences.push(`${path}:${line}: ${why}`);
      continue;
    }
    const text = Buffer.from(entry.bytes).toString();
    if (type === 'page') offences.push(...pageOffences(path, text));
    else if (type === 'types') offences.push(...typesOffences(path, text));
    else if (type === 'script') {
      const facts = moduleFacts(path, text);
      offences.push(...facts.offences);
      imports.set(path, facts.imports);
    }
  }
  return { offences, imports };
}

interface Checked {
  line?: number;
  why?: string;
  type?: FileType;
}

function checkEntry({ path, kind, isExecutable, bytes }: TreeEntry): Checked {
  const refuse = (why: string) => ({ line: 1, why });
  if (kind === 'folder') return FOLDER.test(`${path}/`) ? {} : refuse('is a folder with an unknown name');
  if (kind !== 'file') return refuse(kind === 'link' ? 'is a symbolic link' : 'is no file');
  const type = TYPES.find((each) => each.path.test(path))?.type;
  if (!type) return refuse('is a file of an unknown type or name');
  if (isExecutable) return refuse('is executable');
  if (type === 'picture') {
    const isWhole = PNG.equals(bytes.subarray(0, PNG.length)) && PNG_END.equals(bytes.subarray(-PNG_END.length));
    return isWhole ? { type } : refuse('is no PNG picture');
  }
  if (type === 'json' && !isJson(bytes)) return refuse('is no JSON');
  return textOffence(bytes) ?? { type };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
  }
}

/** Names in the root that are unknown: `.npmrc`, `.gitmodules`, `binding.gyp`, `npm-shrinkwrap.json` … */
export function rootOffences(entries: readonly { name: string; isSymbolicLink: () => boolean }[]): string[] {
  return entries.flatMap((entry) => {
    const { name } = entry;
    if (!ROOT.has(name)) return [`${name}:1: is unknown in the root of the repository`];
    return entry.isSymbolicLink() && entry.name !== 'node_modules' ? [`${name}:1: is a symbolic link`] : [];
  });
}

const TOOL_FILES = [
  /^scripts\/[a-z0-9-]+\.(?:ts|cjs|sh|js)$/,
  /^scripts\/(?:audit|bench|corpus|package|soak|soak\/errands)\/[a-z0-9-]+\.ts$/,
  /^scripts\/package\/debian\/(?:postinst|postrm|prerm|vestibule\.json)$/,
  /^scripts\/deploy\/(?:Containerfile|Caddyfile|[a-z]+\.(?:conf|cfg|service|socket))$/,
  /^scripts\/node-runtime\/package\.json$/,
  /^\.ci\/run$/,
];

/** Files of scripts/ and .ci/ that are unknown: a package of its own, a setting of a tool, something binary. */
export function folderOffences(entries: readonly TreeEntry[]): string[] {
  return entries.flatMap(({ path, kind, bytes }) => {
    if (kind === 'folder') return [];
    if (kind !== 'file' || !TOOL_FILES.some((each) => each.test(path))) return [`${path}:1: is unknown`];
    const found = textOffence(bytes);
    return found ? [`${path}:${found.line}: ${found.why}`] : [];
  });
}

// The web client as few files as a browser far away should have to ask for: its modules, style sheets and drawings,
// each named by its content, so that it is kept for good. `npm start` serves the modules as they are.

import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, type OutputFile, type Plugin, transformSync } from 'esbuild';
import { BUNDLE_FOLDER, PACKED } from '../src/http/static.ts';

/** below static/ */
const PAGE = 'landing.html';
const WORKER = 'worker.js';
/** what is asked for by its name below static/ as the page runs */
export const NAMED = ['icons.svg', 'favicon.svg', 'favicon-unread.svg', 'css/tokens.css', 'css/message-text.css'];
/**
 * Kinds that come when such a room is opened, what stands beside the inbox once that is there, pages that manage or
 * show people, and what sends the outbox, by where their modules begin; what else is imported as the page runs is in
 * the first file, but for the words of each language.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  groupware: [
    'kinds/calendar/',
    'kinds/message/invitation.js',
    'kinds/contacts/',
    'kinds/tasks/',
    'kinds/notes/',
    'model/outbox-sending.js',
  ],
  today: ['pages/today.js'],
  papers: ['kinds/wiki/', 'kinds/files/', 'kinds/blog/'],
  managing: [
    'pages/all-rooms.js',
    'pages/people.js',
    'pages/users.js',
    'pages/floors.js',
    'pages/settings',
    'pages/room-',
    'pages/account.js',
    'pages/profile.js',
    'pages/new-room.js',
  ],
};
/** `import('./x.js')`, but not the types of comments, `import('./x.js').Name` */
const IMPORT = /\bimport\('(\.[^']+)'\)(?!\.)/g;
/** inputs of a bundle that are no files */
const MADE_HERE = /^(?:group:[a-z]+|client\.css)$/;
/** as small as they can get: they are packed once */
const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/**
 * Files of the bundle by their path below static/: scripts, one style sheet, drawings, and `app/landing.html` that
 * names them; beside each the same packed by Brotli. The same sources give the same. `onModule` is told of each module
 * and style sheet that is in them.
 */
export async function bundleClient(
  root: string,
  onModule: (path: string) => void = () => {},
): Promise<Map<string, Uint8Array>> {
  const page = readFileSync(`${root}/static/${PAGE}`, 'utf8');
  const scripts = attributes(page, /<script type="module"(?: async)? src="\.\.\/s\/([^"]+)"><\/script>/g);
  const sheets = attributes(page, /<link rel="stylesheet" href="\.\.\/s\/([^"]+)">/g);
  if (scripts.length === 0 || sheets.length === 0) throw new Error(`${PAGE} names no script, or no style sheet.`);

  const files = new Map<string, Uint8Array>();
  const addresses = new Map<string, string>();
  for (const path of NAMED) {
    const whole = readFileSync(`${root}/static/${path}`);
    const bytes = path.endsWith('.css')
      ? (await bundled(root, styles([path]), onModule)).outputFiles[0]!.contents
      : whole;
    const name = BUNDLE_FOLDER + basename(path).replace('.', `-${nameOf(bytes)}.`);
    files.set(name, bytes);
    addresses.set(`../s/${path}`, `../s/${name}`);
  }
  const entryPoints = scripts.map((script) => `./static/${script}`);
  const client = { entryPoints, plugins: [clientModules(root, addresses)], splitting: true };
  const modules = await bundled(root, client, onModule);
  const [sheet] = (await bundled(root, styles(sheets), onModule)).outputFiles;
  for (const { path, contents } of [...modules.outputFiles, sheet!])
    files.set(BUNDLE_FOLDER + basename(path), contents);
  files.set(BUNDLE_FOLDER + PAGE, Buffer.from(pageOf(page, { sheets, sheet: sheet!, addresses, modules, scripts })));
  files.set(BUNDLE_FOLDER + WORKER, Buffer.from(workerOf(root, [...files.keys()])));
  for (const [path, bytes] of [...files]) files.set(path + PACKED, brotliCompressSync(bytes, PACKING));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The service worker, which keeps all of it: another bundle is another worker. */
function workerOf(root: string, paths: readonly string[]): string {
  const files = JSON.stringify(paths.filter((path) => path !== BUNDLE_FOLDER + PAGE).sort());
  const source = readFileSync(`${root}/static/${WORKER}`, 'utf8');
  const filled = source
    .replace('const FILES = [];', `const FILES = ${files};`)
    .replace("const VERSION = 'modules';", `const VERSION = '${nameOf(Buffer.from(source + files))}';`);
  if (/FILES = \[\];|'modules'/.test(filled)) throw new Error(`${WORKER} has no place for its files.`);
  return transformSync(filled, { minify: true, charset: 'utf8', legalComments: 'none' }).code;
}

const nameOf = (bytes: Uint8Array) => hash('sha256', bytes, 'hex').slice(0, 8).toUpperCase();

const styles = (sheets: readonly string[]): BuildOptions => ({
  stdin: {
    contents: sheets.map((sheet) => `@import './static/${sheet}';`).join('\n'),
    loader: 'css',
    resolveDir: '.',
    sourcefile: 'client.css',
  },
  entryNames: 'client-[hash]',
});

interface Bundle {
  sheets: readonly string[];
  sheet: OutputFile;
  addresses: ReadonlyMap<string, string>;
  modules: Built;
  scripts: readonly string[];
}

/** The page with the files of the bundle in the place of the sources; all that the scripts begin with is named. */
function pageOf(page: string, { sheets, sheet, addresses, modules, scripts }: Bundle): string {
  const linkOf = (path: string) => `<link rel="stylesheet" href="../s/${path}">\n`;
  const [first, ...others] = sheets;
  let written = page.replace(linkOf(first!), linkOf(BUNDLE_FOLDER + basename(sheet.path)));
  for (const each of others) written = written.replace(linkOf(each), '');
  for (const [from, to] of addresses) written = written.replaceAll(`"${from}"`, `"${to}"`);
  const outputs = Object.entries(modules.metafile.outputs);
  const needed = new Set<string>();
  for (const script of scripts) {
    const [output, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === `static/${script}`)!;
    written = written.replace(`"../s/${script}"`, `"../s/${BUNDLE_FOLDER}${basename(output)}"`);
    for (const { kind, path } of imports) if (kind === 'import-statement') needed.add(basename(path));
  }
  // esbuild names all that an entry needs, also what its parts need
  const ahead = [...needed].sort().map((name) => `<link rel="modulepreload" href="../s/${BUNDLE_FOLDER}${name}">\n`);
  return written.replace('<script', `${ahead.join('')}<script`);
}

/**
 * The modules as they are bundled: those that are imported as the page runs come with those that import them, or with
 * their group, and files are asked for by their names of the bundle.
 */
function clientModules(root: string, addresses: ReadonlyMap<string, string>): Plugin {
  const folder = resolve(root, 'static');
  const members = new Map<string, Set<string>>(Object.keys(GROUPS).map((name) => [name, new Set()]));
  const importedBy = (file: string, path: string) => normalize(join(dirname(file), path)).replaceAll('\\', '/');
  for (const file of globSync('**/*.js', { cwd: folder })) {
    for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)) {
      members.get(groupOf(importedBy(file, path!)) ?? '')?.add(importedBy(file, path!));
    }
  }
  return {
    name: 'client-modules',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        if (!file.startsWith(folder)) return undefined;
        const within = file.slice(folder.length + 1).replaceAll('\\', '/');
        let source = readFileSync(file, 'utf8');
        const heads: string[] = [];
        source = source.replaceAll(IMPORT, (_, path: string) => {
          const wanted = importedBy(within, path);
          const group = groupOf(wanted);
          if (group) return `import('group:${group}').then((all) => all[${JSON.stringify(nameIn(wanted))}])`;
          heads.push(`import * as now${heads.length} from '${path}';`);
          return `Promise.resolve(now${heads.length - 1})`;
        });
        for (const [from, to] of addresses) source = source.replaceAll(from, to);
        return { contents: heads.join('') + source, loader: 'js' };
      });
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }));
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
        contents: [...members.get(path)!]
          .sort()
          .map((member) => `export * as ${nameIn(member)} from './static/${member}';`)
          .join('\n'),
        resolveDir: root,
      }));
    },
  };
}

const groupOf = (path: string): string | undefined =>
  Object.keys(GROUPS).find((name) => GROUPS[name]!.some((folder) => path.startsWith(folder)));

/** `kinds/tasks/tasks.js` → `kinds_tasks_tasks` */
const nameIn = (path: string): string => path.replace(/\.js$/, '').replaceAll(/\W/g, '_');

type Built = BuildResult<{ write: false; metafile: true }>;

/** `onModule` hears of the files that were read, not of what is made here. */
async function bundled(root: string, entry: BuildOptions, onModule: (path: string) => void): Promise<Built> {
  const options = {
    absWorkingDir: root,
    outdir: `${root}/out`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome125', 'firefox128', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    external: ['*.svg'],
    logLevel: 'warning',
    ...entry,
    ...(entry.stdin && { stdin: { ...entry.stdin, resolveDir: root } }),
  } satisfies BuildOptions;
  const built = await build({ ...options, write: false, metafile: true });
  for (const path of Object.keys(built.metafile.inputs)) if (!MADE_HERE.test(path)) onModule(path);
  return built;
}

const attributes = (page: string, pattern: RegExp): string[] => [...page.matchAll(pattern)].map((match) => match[1]!);

// The web client as few files as a browser far away should have to ask for: its modules and style sheets bundled by
// esbuild, each named by its content, so that it is kept for good. `npm start` serves the modules as they are.

import { readFileSync } from 'node:fs';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { BUNDLE_FOLDER } from '../src/http/static.ts';

/** below static/ */
const PAGE = 'landing.html';

/** Files of the bundle by their path below static/; the page is `app/landing.html`. The same sources give the same. */
export async function bundleClient(root: string): Promise<Map<string, Uint8Array>> {
  const page = readFileSync(`${root}/static/${PAGE}`, 'utf8');
  const script = attributes(page, /<script type="module" src="\.\.\/s\/([^"]+)"><\/script>/g);
  const sheets = attributes(page, /<link rel="stylesheet" href="\.\.\/s\/([^"]+)">/g);
  if (script.length !== 1 || sheets.length === 0) throw new Error(`${PAGE} names no script, or no style sheet.`);

  const name = script[0]!.replace(/\.js$/, '');
  const outputs = await bundled(root, { entryPoints: { [name]: `./static/${script[0]}` }, splitting: true });
  const contents = sheets.map((sheet) => `@import './static/${sheet}';`).join('\n');
  const styles = await bundled(root, {
    stdin: { contents, loader: 'css', resolveDir: root, sourcefile: 'styles.css' },
  });
  const files = new Map<string, Uint8Array>();
  for (const { path, contents } of [...outputs, ...styles]) files.set(BUNDLE_FOLDER + nameOf(path), contents);
  const entry = nameIn(outputs, `/${name}-`, '.js');
  const sheet = nameIn(styles, '/', '.css');
  let isLinked = false;
  const written = page
    .replace(/<link rel="stylesheet" href="[^"]*">\n/g, () => {
      if (isLinked) return '';
      isLinked = true;
      return `<link rel="stylesheet" href="../s/${BUNDLE_FOLDER}${sheet}">\n`;
    })
    .replace(`../s/${script[0]}`, `../s/${BUNDLE_FOLDER}${entry}`);
  files.set(BUNDLE_FOLDER + PAGE, Buffer.from(written));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function bundled(root: string, entry: BuildOptions): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...entry,
    absWorkingDir: root,
    outdir: `${root}/out`,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome125', 'firefox128', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    external: ['*.svg'],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles!;
}

const attributes = (page: string, pattern: RegExp): string[] => [...page.matchAll(pattern)].map((match) => match[1]!);

const nameOf = (path: string): string => path.slice(path.replaceAll('\\', '/').lastIndexOf('/') + 1);

function nameIn(outputs: readonly OutputFile[], start: string, ending: string): string {
  const found = outputs.find(({ path }) => path.replaceAll('\\', '/').includes(start) && path.endsWith(ending));
  if (!found) throw new Error(`The bundle has nothing like ${start}…${ending}.`);
  return nameOf(found.path);
}

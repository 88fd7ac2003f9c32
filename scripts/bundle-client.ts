// The web client as few files as a browser far away should have to ask for: its modules and style sheets bundled by
// esbuild, each named by its content, so that it is kept for good. `npm start` serves the modules as they are.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { BUNDLE_FOLDER } from '../src/http/static.ts';

/** below static/ */
const PAGE = 'landing.html';
/** what imports the style sheets, made when it is bundled */
const STYLES = 'client.css';

/**
 * Files of the bundle by their path below static/: one script, one style sheet, and `app/landing.html` that names them.
 * The same sources give the same. `onModule` is told of each module and style sheet that is in them.
 */
export async function bundleClient(
  root: string,
  onModule: (path: string) => void = () => {},
): Promise<Map<string, Uint8Array>> {
  const page = readFileSync(`${root}/static/${PAGE}`, 'utf8');
  const script = attributes(page, /<script type="module" src="\.\.\/s\/([^"]+)"><\/script>/g);
  const sheets = attributes(page, /<link rel="stylesheet" href="\.\.\/s\/([^"]+)">/g);
  if (script.length !== 1 || sheets.length === 0) throw new Error(`${PAGE} names no script, or no style sheet.`);

  const outputs = await bundled(root, { entryPoints: { client: `./static/${script[0]}` } }, onModule);
  const contents = sheets.map((sheet) => `@import './static/${sheet}';`).join('\n');
  const stdin = { contents, loader: 'css' as const, resolveDir: root, sourcefile: STYLES };
  const styles = await bundled(root, { stdin, entryNames: 'client-[hash]' }, onModule);
  const files = new Map<string, Uint8Array>();
  for (const { path, contents } of [...outputs, ...styles]) files.set(BUNDLE_FOLDER + basename(path), contents);
  const linkOf = (path: string) => `<link rel="stylesheet" href="../s/${path}">\n`;
  const [first, ...others] = sheets;
  let written = page.replace(linkOf(first!), linkOf(BUNDLE_FOLDER + basename(styles[0]!.path)));
  for (const sheet of others) written = written.replace(linkOf(sheet), '');
  written = written.replace(`../s/${script[0]}`, `../s/${BUNDLE_FOLDER}${basename(outputs[0]!.path)}`);
  files.set(BUNDLE_FOLDER + PAGE, Buffer.from(written));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function bundled(root: string, entry: BuildOptions, onModule: (path: string) => void): Promise<OutputFile[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    outdir: `${root}/out`,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome125', 'firefox128', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    external: ['*.svg'],
    write: false,
    metafile: true,
    logLevel: 'warning',
    ...entry,
  });
  for (const path of Object.keys(metafile!.inputs)) if (path !== STYLES) onModule(path);
  return outputFiles!;
}

const attributes = (page: string, pattern: RegExp): string[] => [...page.matchAll(pattern)].map((match) => match[1]!);

// Builds dist/vestibule, one file that needs neither Node nor node_modules: src/main.ts and the scripts of its threads
// bundled by esbuild, the files of static/, the sources that the web client runs, and the client once more in a bundle,
// put into a copy of the running Node. The same input gives the same bytes. Run: npm run build

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_FOLDER } from '../src/http/static.ts';
import { isSharedModule, withoutTypes } from '../src/system/shared-modules.ts';
import { bundleClient } from './bundle-client.ts';
import { serverBundle, WORKERS } from './bundle-server.ts';

// Every path below is relative to the repository: an absolute one would end up inside the binary.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const WORK = 'dist/build';
const OUTPUT = process.platform === 'win32' ? 'dist/vestibule.exe' : 'dist/vestibule';
/** the first with --build-sea */
const OLDEST_BUILDER = 26;

if (Number(process.versions.node.split('.')[0]) < OLDEST_BUILDER) {
  console.error(
    `The build needs Node ${OLDEST_BUILDER} or newer; this is ${process.version}. Run \`npm ci\`, then \`npm run ` +
      `build\`.`,
  );
  process.exit(1);
}

rmSync(WORK, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
await build(serverBundle('src/main.ts', `${WORK}/main.mjs`));
for (const name of WORKERS) await build(serverBundle(`src/${name}.ts`, `${WORK}/${name}.mjs`));
const staticFiles = listFiles('static');
const clientFiles = await bundleClient(process.cwd());
mkdirSync(`${WORK}/static/${BUNDLE_FOLDER}`, { recursive: true });
for (const [path, bytes] of clientFiles) writeFileSync(`${WORK}/static/${path}`, bytes);
const sharedFiles = listFiles('src').filter((path) => isSharedModule(path.slice('src/'.length)));
for (const path of sharedFiles) {
  mkdirSync(dirname(`${WORK}/${path}`), { recursive: true });
  writeFileSync(`${WORK}/${path}`, withoutTypes(readFileSync(path, 'utf8')));
}
writeFileSync(`${WORK}/build.json`, JSON.stringify(buildFacts()));
copyFileSync(process.execPath, `${WORK}/node`);
strip(`${WORK}/node`);
writeFileSync(`${WORK}/sea.json`, JSON.stringify(seaConfig()));
rmSync(OUTPUT, { force: true });
execFileSync(process.execPath, ['--build-sea', `${WORK}/sea.json`], { stdio: ['ignore', 'ignore', 'inherit'] });
// Injection breaks the signature of Apple's format; an ad-hoc one lets the file run on the machine that built it.
if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', OUTPUT]);
rmSync(WORK, { recursive: true });
console.log(`${OUTPUT}  ${(statSync(OUTPUT).size / 1e6).toFixed(1)} MB`);

/** The names of src/system/assets.ts. */
function seaConfig() {
  const assets: Record<string, string> = { 'build.json': `${WORK}/build.json` };
  for (const name of WORKERS) assets[`${name}.mjs`] = `${WORK}/${name}.mjs`;
  for (const path of staticFiles) assets[path] = path;
  for (const path of clientFiles.keys()) assets[`static/${path}`] = `${WORK}/static/${path}`;
  for (const path of sharedFiles) assets[path] = `${WORK}/${path}`;
  return {
    main: `${WORK}/main.mjs`,
    mainFormat: 'module',
    executable: `${WORK}/node`,
    output: OUTPUT,
    disableExperimentalSEAWarning: true,
    execArgv: ['--enable-source-maps'],
    // the program's own arguments and environment are not Node's
    execArgvExtension: 'none',
    assets,
  };
}

/** Paths with `/`, sorted; no dotfile, no folder. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') && entry.name !== '.well-known') continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...listFiles(path));
    else paths.push(path);
  }
  return paths.sort();
}

function buildFacts() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return { version, mtimeSeconds: sourceTimeSeconds() };
}

/** Last-Modified of the files inside. The time of a checkout or of the build would differ from build to build. */
function sourceTimeSeconds(): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) return Number(given);
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { stdio }));
  } catch {
    return Math.max(0, ...staticFiles.map((path) => Math.floor(statSync(path).mtimeMs / 1000)));
  }
}

/** Saves a fifth of the size. Only before the injection: stripped after it, the file crashes. */
function strip(path: string): void {
  if (process.platform !== 'linux') return;
  try {
    execFileSync('strip', [path], { stdio: 'ignore' });
  } catch {
    console.warn('No `strip` (package binutils) here: the binary keeps its symbols and is a quarter larger.');
  }
}

// Builds dist/vestibule, one file that needs neither Node nor node_modules: src/main.ts and the scripts of its threads
// bundled by esbuild, the files of static/, the sources that the web client runs, and the client once more in a bundle,
// put into a copy of the running Node. The same input gives the same bytes. Run: npm run build
// For others, dist/vestibule-VERSION-PLATFORM and dist/SHA256SUMS: npm run build -- --platform linux-arm64
// --platform darwin-arm64 …; all: linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { BUNDLE_FOLDER } from '../src/http/static.ts';
import { compiledFile, mapFile, scriptFile, startOf } from '../src/system/assets.ts';
import { isSharedModule, withoutTypes } from '../src/system/shared-modules.ts';
import { bundleClient } from './bundle-client.ts';
import { SCRIPTS, serverBundle } from './bundle-server.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { compileScripts } from './package/compiled-code.ts';
import { withoutLibatomic, withoutSymbols } from './package/elf.ts';
import { nodeBinary, PLATFORMS, THIS_PLATFORM } from './package/node-binary.ts';
import { sourceTimeSeconds } from './package/source-time.ts';
import { scriptOptions } from './script-options.ts';

// Every path below is relative to the repository: an absolute one would end up inside the binary.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const WORK = 'dist/build';
const SUMS = 'dist/SHA256SUMS';
/** the first with --build-sea */
const OLDEST_BUILDER = 26;

if (Number(process.versions.node.split('.')[0]) < OLDEST_BUILDER) {
  console.error(
    `The build needs Node ${OLDEST_BUILDER} or newer; this is ${process.version}. Run \`npm ci\`, then \`npm run ` +
      `build\`.`,
  );
  process.exit(1);
}

const { platform = [] } = scriptOptions(import.meta.filename, { platform: { type: 'string', multiple: true } });
const wanted = platform.includes('all') ? Object.keys(PLATFORMS) : platform;
for (const each of wanted) {
  if (PLATFORMS[each] !== undefined) continue;
  console.error(`--platform takes all, ${Object.keys(PLATFORMS).join(', ')}; this is ${each}`);
  process.exit(2);
}
rmSync(WORK, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
for (const name of SCRIPTS) {
  const file = `${WORK}/${scriptFile(name)}`;
  await build(serverBundle(`src/${name}.ts`, file));
  writeFileSync(`${WORK}/${mapFile(name)}`, brotliCompressSync(readFileSync(`${file}.map`)));
}
compileScripts(WORK);
writeFileSync(`${WORK}/start.cjs`, startOf('main'));
writeFileSync(`${WORK}/empty`, '');
const staticFiles = listFiles('static');
const clientFiles = await bundleClient(process.cwd());
mkdirSync(`${WORK}/static/${BUNDLE_FOLDER}`, { recursive: true });
for (const [path, bytes] of clientFiles) writeFileSync(`${WORK}/static/${path}`, bytes);
const sharedFiles = listFiles('src').filter((path) => isSharedModule(path.slice('src/'.length)));
for (const path of sharedFiles) {
  mkdirSync(dirname(`${WORK}/${path}`), { recursive: true });
  writeFileSync(`${WORK}/${path}`, withoutTypes(readFileSync(path, 'utf8')));
}
const facts = buildFacts();
writeFileSync(`${WORK}/build.json`, JSON.stringify(facts));
const suffix = (platform: string) => (platform.startsWith('win32') ? '.exe' : '');
if (wanted.length === 0) buildBinary(THIS_PLATFORM, `dist/vestibule${suffix(THIS_PLATFORM)}`);
else {
  const sums = wanted.map((platform) => {
    const name = `vestibule-${facts.version}-${platform}${suffix(platform)}`;
    buildBinary(platform, `dist/${name}`);
    return `${createHash('sha256')
      .update(readFileSync(`dist/${name}`))
      .digest('hex')}  ${name}\n`;
  });
  writeFileSync(SUMS, sums.join(''));
}
rmSync(WORK, { recursive: true });

function buildBinary(platform: string, output: string): void {
  const node = `${WORK}/node`;
  const original = nodeBinary(platform, `${WORK}/${platform}`);
  if (platform.startsWith('linux')) {
    const smaller = withoutSymbols(readFileSync(original));
    withoutLibatomic(smaller);
    writeFileSync(node, smaller, { mode: 0o755 });
  } else copyFileSync(original, node);
  writeFileSync(`${WORK}/sea.json`, JSON.stringify(seaConfig(output, platform === THIS_PLATFORM)));
  rmSync(output, { force: true });
  execFileSync(process.execPath, ['--build-sea', `${WORK}/sea.json`], { stdio: ['ignore', 'ignore', 'inherit'] });
  // Injection breaks the signature of Apple's format; an ad-hoc one lets the file run on the machine that built it.
  if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', output]);
  else if (platform.startsWith('darwin')) {
    console.log(`${output} has no signature yet. On a Mac: codesign --force --sign - ${basename(output)}`);
  }
  console.log(`${output}  ${(statSync(output).size / 1e6).toFixed(1)} MB`);
}

/** The names of src/system/assets.ts. Compiled code is for this platform alone. */
function seaConfig(output: string, isCompiled: boolean) {
  const assets: Record<string, string> = { 'build.json': `${WORK}/build.json` };
  for (const name of SCRIPTS) {
    for (const file of [scriptFile(name), mapFile(name)]) assets[file] = `${WORK}/${file}`;
    assets[compiledFile(name)] = `${WORK}/${isCompiled ? compiledFile(name) : 'empty'}`;
  }
  for (const path of staticFiles) assets[path] = path;
  for (const path of clientFiles.keys()) assets[`static/${path}`] = `${WORK}/static/${path}`;
  for (const path of sharedFiles) assets[path] = `${WORK}/${path}`;
  return {
    main: `${WORK}/start.cjs`,
    executable: `${WORK}/node`,
    output,
    disableExperimentalSEAWarning: true,
    execArgv: NODE_FLAGS,
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
  // Last-Modified of the files inside; the time of a checkout or of the build would differ from build to build
  return { version, mtimeSeconds: sourceTimeSeconds() };
}

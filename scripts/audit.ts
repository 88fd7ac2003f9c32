// Proves that nothing outside Node, src/ and static/ is in the product, by allow-lists: files, what scripts and pages
// may do, packages, what the bundles are made of, and the Node of the binary. Writes the bill of materials to
// dist/vestibule.cdx.json and prints what a reviewer would have to read. Run: npm run audit

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './audit/bill.ts';
import { compilerOffences, nodeOffences, packageOffences } from './audit/packages.ts';
import { loadedBy } from './audit/pages.ts';
import { folderOffences, rootOffences, treeEntries, treeFacts } from './audit/tree.ts';
import { buildOffences, bundleOffences, lineCounts, optionOffences, reachableFrom } from './audit-rules.ts';
import { bundleClient, NAMED } from './bundle-client.ts';
import { SCRIPTS, serverBundle, serverModules } from './bundle-server.ts';
import { NO_CODE_FROM_TEXT, NODE_FLAGS } from './node-flags.ts';
import { THIS_PLATFORM } from './package/node-binary.ts';
import { productSources } from './product-sources.ts';

const BILL = 'dist/vestibule.cdx.json';
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const text = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const json = (path: string) => JSON.parse(text(path));

const entries = treeEntries(root, ['src', 'static']);
const tree = treeFacts(entries);
const product = json('package.json');
const executable = createHash('sha256').update(readFileSync(process.execPath)).digest('hex');
const offences = [
  ...rootOffences(readdirSync(root, { withFileTypes: true })),
  ...folderOffences(treeEntries(root, ['scripts', '.ci'])),
  ...packageOffences({ product, runtime: json('scripts/node-runtime/package.json'), lock: json('package-lock.json') }),
  ...['tsconfig.json', 'tsconfig.static.json'].flatMap((path) => compilerOffences(path, json(path))),
  ...nodeOffences(THIS_PLATFORM, process.versions.node, executable),
  ...buildOffences('scripts/build.ts', text),
  ...optionOffences(serverBundle('src/main.ts', 'out/main.cjs')),
  ...(NODE_FLAGS.includes(NO_CODE_FROM_TEXT) ? [] : ['scripts/node-flags.ts:1: lets text become code']),
  ...tree.offences,
];
// what is refused already may not even be bundled
if (offences.length > 0) refuse(offences);

const client: string[] = [];
await bundleClient(root, (path) => client.push(path));
const server = await serverModules(root);
const page = loadedBy(text('static/landing.html'));
const words = [...tree.imports.keys()].filter((path) => path.startsWith('static/words/'));
const sheets = NAMED.filter((path) => path.endsWith('.css')).map((path) => `static/${path}`);
const different = [
  ...bundleOffences({
    name: 'server bundle',
    inside: server.inside,
    expected: reachableFrom(
      SCRIPTS.map((name) => `src/${name}.ts`),
      tree.imports,
    ),
    outside: server.outside,
  }),
  ...bundleOffences({
    name: 'client bundle',
    inside: client,
    expected: reachableFrom([...page, ...words, ...sheets], tree.imports),
    outside: [],
  }),
];
if (different.length > 0) refuse(different);

for (const row of lineCounts(productSources(root))) {
  console.log(`${row.folder.padEnd(20)}${String(row.files).padStart(6)} files${String(row.lines).padStart(8)} lines`);
}
const files = new Map(entries.filter(({ kind }) => kind === 'file').map(({ path, bytes }) => [path, bytes]));
const bill = billOfMaterials({
  product: product.version,
  versions: process.versions,
  platform: THIS_PLATFORM,
  executable,
  files,
});
mkdirSync(`${root}/dist`, { recursive: true });
writeFileSync(`${root}/${BILL}`, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`
The sources import Node (${server.outside.length} of its modules) and each other, nothing else.
The lock file has development packages and the pinned Node, nothing else.
The bundles are made of ${server.inside.length + client.length} modules of src/ and static/, nothing else.
${BILL} lists ${files.size} files, Node ${process.versions.node} and the libraries inside it.`);

function refuse(why: readonly string[]): never {
  console.error(`${why.join('\n')}\n\n${why.length} that must not be in the product.`);
  process.exit(1);
}

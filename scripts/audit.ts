// Proves that nothing outside Node, src/ and static/ is in the product: by the sources, by the lock file, and by what
// the bundles are made of. Writes the bill of materials to dist/vestibule.cdx.json and prints what a reviewer would
// have to read. Run: npm run audit

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { billOfMaterials, bundleOffences, lineCounts, lockOffences, sourceOffences } from './audit-rules.ts';
import { bundleClient } from './bundle-client.ts';
import { serverModules } from './bundle-server.ts';
import { productSources } from './product-sources.ts';

const BILL = 'dist/vestibule.cdx.json';
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));

const sources = productSources(root);
const product = json('package.json');
const client: string[] = [];
await bundleClient(root, (path) => client.push(path));
const server = await serverModules(root);
const offences = [
  ...sourceOffences(sources),
  ...lockOffences(json('package-lock.json'), { product, runtime: json('scripts/node-runtime/package.json') }),
  ...bundleOffences({ inside: [...server.inside, ...client], outside: server.outside }),
];
for (const row of lineCounts(sources)) {
  console.log(`${row.folder.padEnd(20)}${String(row.files).padStart(6)} files${String(row.lines).padStart(8)} lines`);
}
if (offences.length > 0) {
  console.error(`\n${offences.join('\n')}\n\n${offences.length} that must not be in the product.`);
  process.exit(1);
}
mkdirSync(`${root}/dist`, { recursive: true });
writeFileSync(`${root}/${BILL}`, `${JSON.stringify(billOfMaterials(product.version, process.versions), null, 2)}\n`);
console.log(`
The sources import Node (${server.outside.length} of its modules) and each other, nothing else.
The lock file has development packages and the pinned Node, nothing else.
The bundles are made of ${server.inside.length + client.length} modules of src/ and static/, nothing else.
${BILL} lists Node ${process.versions.node} and the libraries inside it.`);

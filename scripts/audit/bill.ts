// The bill of materials of the binary, CycloneDX 1.6.

import { createHash } from 'node:crypto';

/** of process.versions: numbers of interfaces, not of libraries */
const INTERFACES = ['node', 'modules', 'napi'];

export interface BillInput {
  /** version of the product */
  product: string;
  /** of process */
  versions: Readonly<Record<string, string | undefined>>;
  /** `linux-x64`, and the SHA-256 of its executable of Node */
  platform: string;
  executable: string;
  /** files of the product by path */
  files: ReadonlyMap<string, Uint8Array>;
}

type Hash = { alg: 'SHA-256'; content: string };

/**
 * The same input gives the same. Each file has its hash, and Node that of its executable; a library inside Node has no
 * file of its own. The hash of the program is that of the list of its files as `sha256sum` prints it.
 */
export function billOfMaterials({ product, versions, platform, executable, files }: BillInput) {
  const node = `node@${versions.node}`;
  const libraries = Object.entries(versions)
    .filter(([name, version]) => version && !INTERFACES.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version]) => component('library', name, version!));
  const sources = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => ({ type: 'file', 'bom-ref': `file:${path}`, name: path, hashes: [sha256(hashOf(bytes))] }));
  const list = sources.map(({ name, hashes }) => `${hashes[0]!.content}  ${name}\n`).join('');
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...component('application', 'vestibule', product, hashOf(list)),
        licenses: [{ license: { id: 'MIT' } }],
        components: sources,
      },
      properties: [{ name: 'platform', value: platform }],
    },
    components: [component('platform', 'node', versions.node!, executable), ...libraries],
    dependencies: [
      { ref: `vestibule@${product}`, dependsOn: [node] },
      { ref: node, dependsOn: libraries.map((each) => each['bom-ref']) },
    ],
  };
  const { bomFormat, specVersion, ...content } = bill;
  return { bomFormat, specVersion, serialNumber: serialNumber(JSON.stringify(content)), ...content };
}

/** A UUID of version 8 (RFC 9562, 5.8) made of the SHA-256 of the content. */
function serialNumber(content: string): string {
  const digits = hashOf(content).slice(0, 32).split('');
  digits[12] = '8';
  digits[16] = '89ab'[Number.parseInt(digits[16]!, 16) % 4]!;
  return `urn:uuid:${digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}

function component(type: 'application' | 'platform' | 'library', name: string, version: string, hash?: string) {
  return {
    type,
    'bom-ref': `${name}@${version}`,
    name,
    version,
    ...(hash && { hashes: [sha256(hash)] }),
    purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
  };
}

const sha256 = (content: string): Hash => ({ alg: 'SHA-256', content });
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

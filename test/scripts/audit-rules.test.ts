// What the audit says of the whole product, and of its bill of materials. What it refuses in sources, pages and packages
// is in test/scripts/audit/.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchemaObject } from 'ajv';
import addFormats from 'ajv-formats';
import { billOfMaterials } from '../../scripts/audit/bill.ts';
import { buildOffences, bundleOffences, lineCounts, optionOffences, reachableFrom } from '../../scripts/audit-rules.ts';
import { serverBundle } from '../../scripts/bundle-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));

it('a bundle holds the modules that the sources import, and imports nothing else', () => {
  const imports = new Map([
    ['src/main.ts', ['src/a.ts']],
    ['src/a.ts', ['src/main.ts', 'src/b.ts']],
    ['src/c.ts', []],
  ]);
  const expected = reachableFrom(['src/main.ts'], imports);
  assert.deepEqual([...expected], ['src/main.ts', 'src/a.ts', 'src/b.ts']);
  const inside = ['src/main.ts', 'src/a.ts', 'node_modules/left-pad/index.js'];
  assert.deepEqual(bundleOffences({ name: 'bundle', inside, expected, outside: ['node:fs', 'left-pad'] }), [
    'bundle:1: also holds node_modules/left-pad/index.js',
    'bundle:1: lacks src/b.ts',
    'bundle:1: imports left-pad',
  ]);
});

it('a bundle is made with nothing that adds code', () => {
  const options = serverBundle('src/main.ts', 'out.cjs');
  assert.deepEqual(optionOffences(options), []);
  const path = 'scripts/bundle-server.ts:1:';
  for (const key of ['plugins', 'inject', 'alias', 'external', 'loader', 'tsconfig', 'jsx', 'conditions', 'stdin']) {
    assert.deepEqual(optionOffences({ ...options, [key]: [] }), [`${path} bundles with ${key}`]);
  }
  assert.deepEqual(optionOffences({ ...options, banner: { js: 'run()' } }), [`${path} adds code around a bundle`]);
  assert.deepEqual(optionOffences({ ...options, footer: { js: ';run()})' } }), [`${path} adds code around a bundle`]);
  assert.deepEqual(optionOffences({ ...options, define: { a: 'b' } }), [`${path} defines a=b`]);
});

it('the scripts that make the binary import esbuild, and nothing else that is not of this repository', () => {
  const files: Record<string, string> = {
    'scripts/build.ts': "import { build } from 'esbuild';\nimport './package/a.ts';\nimport '../src/b.ts';\n",
    'scripts/package/a.ts': "import 'left-pad';\nawait import(x);\nrequire('x');\nimport '../../test/x.ts';\n",
  };
  assert.deepEqual(
    buildOffences('scripts/build.ts', (path) => files[path]!),
    [
      'scripts/package/a.ts:1: imports left-pad',
      'scripts/package/a.ts:2: imports at run time',
      'scripts/package/a.ts:3: uses require',
      'scripts/package/a.ts:4: imports ../../test/x.ts',
    ],
  );
});

it('the bill of materials has each file with its hash, Node, and each library that is really inside', () => {
  const input = {
    product: '1.2.3',
    versions: { node: '26.0.0', modules: '147', napi: '10', v8: '14.6+x', uv: '1.5', none: '' },
    platform: 'linux-x64',
    executable: 'a'.repeat(64),
    files: new Map([
      ['src/b.ts', Buffer.from('b')],
      ['src/a.ts', Buffer.from('a')],
    ]),
  };
  const bill = billOfMaterials(input);
  assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.6']);
  assert.deepEqual(
    bill.components.map((each) => `${each.type} ${each.purl}`),
    ['platform pkg:generic/node@26.0.0', 'library pkg:generic/uv@1.5', 'library pkg:generic/v8@14.6%2Bx'],
  );
  assert.deepEqual(bill.components[0]!.hashes, [{ alg: 'SHA-256', content: input.executable }]);
  const { components } = bill.metadata.component;
  assert.deepEqual(
    components.map(({ name, hashes }) => `${name} ${hashes[0]!.content}`),
    ['a', 'b'].map((text) => `src/${text}.ts ${createHash('sha256').update(text).digest('hex')}`),
  );
  assert.deepEqual(bill.dependencies, [
    { ref: 'vestibule@1.2.3', dependsOn: ['node@26.0.0'] },
    { ref: 'node@26.0.0', dependsOn: ['uv@1.5', 'v8@14.6+x'] },
  ]);
  assert.match(bill.serialNumber, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.deepEqual(billOfMaterials(input), bill);
  const changed = billOfMaterials({ ...input, files: new Map([['src/a.ts', Buffer.from('c')]]) });
  assert.notEqual(changed.serialNumber, bill.serialNumber);
});

it('lines are counted by part, core and extras apart', () => {
  const files = new Map([
    ['src/a/b.ts', '1\n2\n3\n'],
    ['src/a/c/d.ts', '1\n'],
    ['src/e.ts', '1\n2\n'],
    ['src/extra/f/g.ts', '1\n'],
    ['static/h.js', '1\n2\n3\n'],
  ]);
  assert.deepEqual(lineCounts(files), [
    { folder: 'src/a', files: 2, lines: 4 },
    { folder: 'static', files: 1, lines: 3 },
    { folder: 'src', files: 1, lines: 2 },
    { folder: 'src/extra/f', files: 1, lines: 1 },
    { folder: 'core', files: 3, lines: 6 },
    { folder: 'extras', files: 1, lines: 1 },
    { folder: 'web client', files: 1, lines: 3 },
    { folder: 'in all', files: 5, lines: 10 },
  ]);
});

it('npm run audit finds nothing in this repository, and writes a bill as CycloneDX has it', () => {
  const audit = () =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/audit.ts'], {
      cwd: root,
      encoding: 'utf8',
    });
  assert.match(audit(), /The bundles are made of \d{3,} modules of src\/ and static\/, nothing else\./);
  const bill = json('dist/vestibule.cdx.json') as ReturnType<typeof billOfMaterials>;
  assert.equal(bill.components[0]!.version, process.versions.node);
  assert.equal(bill.components[0]!.hashes![0]!.content, sha256(process.execPath));
  assert.ok(bill.components.some(({ name }) => name === 'openssl'));
  const files = new Map(bill.metadata.component.components.map(({ name, hashes }) => [name, hashes[0]!.content]));
  assert.equal(files.get('src/main.ts'), sha256(`${root}/src/main.ts`));

  const validate = billSchema();
  assert.ok(validate(bill), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...bill, serialNumber: 'urn:uuid:1' }));
  const [node, ...others] = bill.components;
  assert.ok(!validate({ ...bill, components: [{ ...node, hashes: [{ alg: 'SHA-256', content: 'x' }] }, ...others] }));
});

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The published JSON schema of CycloneDX 1.6. */
function billSchema() {
  const folder = 'node_modules/@cyclonedx/cyclonedx-library/res/schema';
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('iri-reference', true);
  ajv.addFormat('idn-email', true);
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(json(`${folder}/${name}`) as AnySchemaObject, `http://cyclonedx.org/schema/${name}`);
  }
  return ajv.compile(json(`${folder}/bom-1.6.SNAPSHOT.schema.json`) as AnySchemaObject);
}

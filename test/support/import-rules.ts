// Which part of src/ may import which, how full a folder may be, and a checker over source texts. An `import type` is an
// import like any other: a reader has to follow it, too. How long a file may be, and that no imports make a circle:
// biome.json.

import { posix } from 'node:path';
import { partOf } from '../../scripts/product-sources.ts';

/** source files that lie in one folder */
export const MAX_FOLDER_FILES = 32;

const BASE = ['errors', 'limits', 'model', 'system'];
const PURE = ['protocol', 'html', 'mime'];
const SERVICES = [...BASE, ...PURE, 'http', 'room-server', 'fleet', 'render'];
const HANDLERS = [...SERVICES, 'gateway'];
const COMMANDS = [...HANDLERS, 'backend', 'telemetry'];
const EXTRAS = ['extra/demo', 'extra/doctor', 'extra/manual', 'extra/migrate', 'extra/redis', 'extra/resp'];

/** part (a folder, or a file beside the folders) → the other parts it may import */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  limits: [],
  model: ['limits'],
  system: ['errors', 'limits'],
  protocol: BASE,
  html: BASE,
  mime: [...BASE, 'html'],
  render: [...BASE, ...PURE],
  'room-server': [...BASE, 'protocol', 'mime'],
  backend: [...BASE, ...PURE, 'extra/demo'],
  http: ['errors', 'limits', 'system'],
  fleet: BASE,
  telemetry: [...BASE, 'http', 'room-server'],
  gateway: SERVICES,
  api: HANDLERS,
  dav: HANDLERS,
  cli: COMMANDS,
  workers: [...BASE, 'fleet', 'cli'],
  serve: [...COMMANDS, 'api', 'dav', 'cli', 'workers', 'extra/redis'],
  main: [...COMMANDS, 'api', 'dav', 'cli', 'serve', 'workers', ...EXTRAS],
  'extra/demo': [...BASE, ...PURE, 'backend'],
  'extra/doctor': [...COMMANDS, 'cli', 'extra/redis', 'extra/resp'],
  'extra/manual': [...BASE, 'cli'],
  'extra/migrate': [...COMMANDS, 'cli'],
  'extra/redis': [...BASE, 'fleet', 'extra/resp'],
  'extra/resp': ['errors', 'limits', 'system', 'fleet'],
};

/**
 * part → its sub-folders in order: each imports only itself and those before it. HERE: the files that lie in the part
 * itself. A sub-folder that is not named belongs to HERE.
 */
const HERE = '.';
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  backend: ['store', 'session', 'content', 'maintenance', 'verbs', 'wire', HERE],
  'room-server': ['connection', HERE, 'watch'],
  mime: ['coding', 'objects', 'scheduling', HERE],
};

/** Every offence against the rules, one line each. Keys are paths below src/ with `/`: `'http/router.ts'`. */
export function importOffences(files: ReadonlyMap<string, string>): string[] {
  const offences: string[] = [];
  for (const [path, source] of files) {
    const part = partOf(path);
    if (MAY_IMPORT[part] === undefined) offences.push(`${path}: the rules know no part ${part}`);
    const isLoadedAtOnce = /^(?:import|export)\s(?!type\b)[^;]*?from '[^']*\/extra\//m.test(source);
    if (isLoadedAtOnce && !part.startsWith('extra/')) offences.push(`${path}: extra/ is reached by import() only`);
    for (const from of importsOf(source)) {
      if (from.startsWith('node:')) continue;
      if (!from.startsWith('.')) {
        offences.push(`${path}: imports the package ${from}`);
        continue;
      }
      const refused = refusal(path, posix.join(posix.dirname(path), from));
      if (refused !== undefined) offences.push(`${path}: ${refused}`);
    }
  }
  return [...offences, ...fullFolders(files.keys())];
}

/** the drivers of room servers (decision 18) */
const DRIVERS = /^room-server\/(?:embedded|citadel)\//;

function refusal(path: string, target: string): string | undefined {
  const isInDriver = posix.dirname(path) === posix.dirname(target);
  if (DRIVERS.test(target) && !isInDriver && path !== 'room-server/driver.ts') return 'only driver.ts imports a driver';
  const [part, other] = [partOf(path), partOf(target)];
  if (part !== other) return MAY_IMPORT[part]?.includes(other) ? undefined : `${part} must not import ${other}`;
  if (target.startsWith(CITADEL) && !path.startsWith(CITADEL) && path !== 'backend/verbs/table.ts') {
    return 'only the table of verbs imports verbs/citadel';
  }
  if (isVerb(path) && isVerb(target) && !posix.dirname(target).endsWith(ONE_VERB)) return 'verbs must not import verbs';
  const [layer, otherLayer] = [layerOf(path), layerOf(target)];
  const order = LAYERS[part] ?? [HERE];
  if (order.indexOf(otherLayer) <= order.indexOf(layer)) return undefined;
  return `${posix.join(part, layer)} must not import ${posix.join(part, otherLayer)}`;
}

/** the verbs that only Citadel's own clients send */
const CITADEL = 'backend/verbs/citadel/';
/** the files of MEMB */
const ONE_VERB = 'verbs/collection';

/** What several verbs need lies in the layers below them. The tables import all verbs, to list them. */
function isVerb(path: string): boolean {
  return path.startsWith('backend/verbs/') && posix.basename(path) !== 'table.ts';
}

// 'backend/store/rooms.ts' → 'store'; 'backend/worker.ts' → '.'
function layerOf(path: string): string {
  const [part, folder] = path.split('/');
  return LAYERS[part!]?.includes(folder!) ? folder! : HERE;
}

export function importsOf(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const statements = [
    /^(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]/gm,
    /^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  ];
  return statements.flatMap((statement) => [...code.matchAll(statement)].map((match) => (match[1] ?? match[2])!));
}

function fullFolders(paths: Iterable<string>): string[] {
  const count = new Map<string, number>();
  for (const path of paths) count.set(posix.dirname(path), (count.get(posix.dirname(path)) ?? 0) + 1);
  return [...count]
    .filter(([, files]) => files > MAX_FOLDER_FILES)
    .map(([folder, files]) => `${folder}: ${files} files, more than ${MAX_FOLDER_FILES}`);
}

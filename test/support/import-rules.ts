// Which part of src/ may import which, and a checker over source texts.

import { posix } from 'node:path';

/** without the imports: a list of what is needed is no subject */
export const MAX_FILE_LINES = 300;

const BASE = ['bytes', 'errors', 'limits', 'model'];
const SERVICES = [...BASE, 'http', 'client', 'mime', 'fleet', 'protocol', 'render'];
const HANDLERS = [...SERVICES, 'gateway'];

/** part → the other parts it may import; main may import every one */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  bytes: [],
  errors: [],
  limits: [],
  model: ['limits'],
  'operator-errors': ['errors'],
  'operator-log': ['errors', 'limits'],
  'folder-lock': ['errors', 'operator-errors'],
  networks: [],
  'atomic-file': [],
  'known-networks': ['limits', 'atomic-file'],
  turn: [],
  stalls: ['limits'],
  throttle: ['limits', 'networks', 'known-networks'],
  embedded: [],
  config: ['limits', 'embedded', 'gateway'],
  'store-command': [...BASE, 'config', 'backend'],
  'user-command': [...BASE, 'embedded', 'config', 'client', 'backend'],
  'copy-command': [...BASE, 'operator-errors', 'embedded', 'config', 'client', 'backend', 'copy', 'protocol'],
  copy: [...BASE, 'client', 'protocol', 'mime', 'http'],
  protocol: BASE,
  mime: BASE,
  render: [...BASE, 'turn', 'protocol', 'mime'],
  client: [...BASE, 'protocol', 'mime'],
  backend: [...BASE, 'operator-errors', 'folder-lock', 'networks', 'known-networks', 'throttle', 'protocol', 'mime'],
  http: ['bytes', 'errors', 'limits', 'networks', 'turn'],
  fleet: [...BASE, 'folder-lock', 'atomic-file', 'known-networks', 'throttle'],
  gateway: SERVICES,
  api: HANDLERS,
  dav: HANDLERS,
};

interface Import {
  from: string;
  isTypeOnly: boolean;
}

/** Every offence against the rules, one line each. Keys are paths below src/ with `/`: `'http/router.ts'`. */
export function importOffences(files: ReadonlyMap<string, string>): string[] {
  const offences: string[] = [];
  const runtime = new Map<string, string[]>();
  for (const [path, source] of files) {
    const lines = source.replace(/^import\s[^;]*;\n/gm, '').split('\n').length - 1;
    if (lines > MAX_FILE_LINES) offences.push(`${path}: ${lines} lines, more than ${MAX_FILE_LINES}`);
    const part = partOf(path);
    const allowed = MAY_IMPORT[part];
    if (part !== 'main' && allowed === undefined) offences.push(`${path}: the rules know no part ${part}`);
    const targets: string[] = [];
    for (const { from, isTypeOnly } of importsOf(source)) {
      if (from.startsWith('node:')) continue;
      if (!from.startsWith('.')) {
        offences.push(`${path}: imports the package ${from}`);
        continue;
      }
      const target = posix.join(posix.dirname(path), from);
      if (!from.endsWith('.ts')) offences.push(`${path}: ${from} does not end in .ts`);
      else if (!files.has(target)) offences.push(`${path}: ${from} does not exist`);
      const other = partOf(target);
      if (other !== part && part !== 'main' && !allowed?.includes(other)) {
        offences.push(`${path}: ${part} must not import ${other}`);
      }
      // an `import type` is gone at run time and can close no circle there
      if (!isTypeOnly) targets.push(target);
    }
    runtime.set(path, targets);
  }
  return [...offences, ...circles(runtime)];
}

// 'http/router.ts' → 'http'; 'config-values.ts' → 'config'
function partOf(path: string): string {
  const first = path.split('/')[0]!;
  return first === path ? first.replace(/(-values|-commands)?\.ts$/, '') : first;
}

function importsOf(source: string): Import[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const statements = /^(?:import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]/gm;
  const imports = [...code.matchAll(statements)].map((match) => ({
    from: match[2]!,
    isTypeOnly: match[1] !== undefined,
  }));
  for (const match of code.matchAll(/^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm)) {
    imports.push({ from: (match[1] ?? match[2])!, isTypeOnly: false });
  }
  return imports;
}

function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`circle: ${[...trail.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const target of graph.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

// Refuses each regular expression in src/, static/ and scripts/ that can take more than linear time over what it is
// matched with: nested repetition, repetitions side by side that can share characters, and searches that begin again at
// each character. recheck does the analysis (of the language, search included). An expression that is put together at
// run time is refused as well, for nothing can be said about it. Part of `npm run lint`.
// Run: node scripts/lint-regexps.ts [--folder DIR]

import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Node, type Options, parse } from 'acorn';
import { check } from 'recheck';
import { scriptOptions } from './script-options.ts';

const FILES = ['src/**/*.ts', 'scripts/**/*.ts', 'static/**/*.js'];
const ACORN: Options = { ecmaVersion: 'latest', sourceType: 'module', locations: true };
/** milliseconds, so long that what is refused does not depend on what else the machine does: counts bound it before */
const PARAMETERS = { timeout: 120_000, attackTimeout: 30_000, incubationTimeout: 30_000 };

interface Expression {
  line: number;
  /** undefined: it is put together at run time */
  pattern: string | undefined;
  flags: string;
}

/** The expressions of a script: literals, and what RegExp makes of constants of the same script. */
export function expressionsOf(path: string, source: string): Expression[] {
  const program = parse(path.endsWith('.ts') ? stripTypeScriptTypes(source) : source, ACORN);
  const found: Expression[] = [];
  const constants = new Map<string, Node>();
  const nodes = [...nodesOf(program)];
  for (const node of nodes) {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
    for (const { id, init } of node.declarations as { id: AnyNode; init: AnyNode }[]) {
      if (id.type === 'Identifier') constants.set(id.name as string, init);
    }
  }
  for (const node of nodes) {
    const line = node.loc!.start.line;
    if (node.type === 'Literal' && node.regex) {
      found.push({ line, ...(node.regex as { pattern: string; flags: string }) });
    } else if (isRegExpCall(node)) {
      const [pattern, flags] = node.arguments as AnyNode[];
      found.push({ line, pattern: textOf(pattern, constants), flags: textOf(flags, constants) ?? '' });
    }
  }
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: a node of any type
type AnyNode = Node & Record<string, any>;

function* nodesOf(value: unknown): Generator<AnyNode> {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return;
  if ('type' in value && 'start' in value) yield value as AnyNode;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

function isRegExpCall(node: AnyNode): boolean {
  return (node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee.name === 'RegExp';
}

/** What a constant expression stands for: a text, a template of such (also String.raw), two of them, a name of one. */
function textOf(node: AnyNode | undefined, constants: ReadonlyMap<string, Node>): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'Identifier') return textOf(constants.get(node.name), constants);
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  const isRaw = node?.type === 'TaggedTemplateExpression' && isStringRaw(node.tag);
  const template = isRaw ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return undefined;
  let text = '';
  for (const [i, quasi] of template.quasis.entries()) {
    text += isRaw ? quasi.value.raw : quasi.value.cooked;
    if (quasi.tail) break;
    const inner = textOf(template.expressions[i], constants);
    if (inner === undefined) return undefined;
    text += inner;
  }
  return text;
}

function isStringRaw(node: AnyNode): boolean {
  return node.type === 'MemberExpression' && node.object.name === 'String' && node.property.name === 'raw';
}

/** What is wrong with it, undefined when it is linear. */
async function faultOf({ pattern, flags }: Expression): Promise<string | undefined> {
  if (pattern === undefined) return 'is put together at run time';
  // recheck takes a sticky one for a search
  const isSticky = flags.includes('y');
  const { status, ...found } = await check(
    isSticky ? `^(?:${pattern})` : pattern,
    isSticky ? flags.replace(/[ym]/g, '') : flags,
    PARAMETERS,
  );
  if (status === 'safe') return undefined;
  if (status === 'unknown') return `cannot be told: ${JSON.stringify('error' in found && found.error)}`;
  const { complexity, attack } = found as { complexity?: { summary: string }; attack?: { pattern: string } };
  return `${complexity?.summary}, e.g. on ${attack?.pattern}`;
}

/** A line for each expression of these scripts, by path, that is not known to be linear. */
export async function regExpFaults(scripts: ReadonlyMap<string, string>): Promise<string[]> {
  const left = [...scripts].flatMap(([path, source]) =>
    expressionsOf(path, source).map((expression) => ({ path, expression })),
  );
  const faults: string[] = [];
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { path, expression } = next;
      const fault = await faultOf(expression);
      if (fault) faults.push(`${path}:${expression.line}: /${expression.pattern ?? '…'}/${expression.flags} ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return faults.sort();
}

if (import.meta.main) {
  const { folder } = scriptOptions(import.meta.filename, {
    folder: { type: 'string', default: join(import.meta.dirname, '..') },
  });
  const paths = globSync(FILES, { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  const faults = await regExpFaults(new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])));
  for (const fault of faults) console.error(fault);
  console.log(`Looked for regular expressions in ${paths.length} files: ${faults.length} refused.`);
  process.exit(faults.length > 0 ? 1 : 0); // recheck leaves its process behind otherwise
}

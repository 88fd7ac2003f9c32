// What scripts of the product may do: each is parsed, and what scripts/audit/allowed.ts does not list is refused.

import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import {
  type AnyNode,
  type CallExpression,
  type Comment,
  type Identifier,
  type Program,
  parse,
  tokenizer,
} from 'acorn';
import { isSharedModule } from '../../src/system/shared-modules.ts';
import { partOf } from '../product-sources.ts';
import {
  ADDRESSES,
  CLIENT_ELEMENTS,
  CLIENT_GLOBALS,
  CLIENT_MEMBERS,
  CLIENT_REQUESTS,
  CLIENT_SINKS,
  COMPUTED_IMPORTS,
  DATABASE_OPTIONS,
  GUARDED_NAMES,
  IMPORT_META_FILES,
  NODE_MODULES,
  OBJECT_MEMBERS,
  POWERS,
  PROCESS_EVENTS,
  PROCESS_MEMBERS,
  REFUSED_PROPERTIES,
  REVIEWED_FUNCTIONS,
  REVIEWED_PROCESS_MEMBERS,
  SERVER_GLOBALS,
  TOKEN_ADDRESS,
} from './allowed.ts';
import { isAssigned, keysOf, memberName, patternNames, walkModule } from './scopes.ts';

export interface ModuleFacts {
  /** `src/a.ts:3: why` */
  offences: string[];
  /** paths from the root of what it imports, import() with a constant included */
  imports: string[];
}

const SPECIFIER = /^\.{1,2}\/(?:\.\.\/)*(?:[a-z0-9-]+\/)*[a-z0-9.-]+$/;
/** calls that find elements and make none */
const QUERIES = new Set(['querySelector', 'querySelectorAll', 'closest', 'matches']);
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
/** comments by which tools load or treat something else */
const TOOL_COMMENT = /^(?:[#@]\s{0,9}source(?:Mapping)?URL|\*?\s{0,9}@jsx)/;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/;
const NETWORK_SCHEMES = /^(?:https?|wss?|ftp|file|data|blob|javascript|vbscript):/;

/** A file of types must hold nothing that would run. */
export function typesOffences(path: string, text: string): string[] {
  try {
    const { body } = parse(stripTypeScriptTypes(text), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
    });
    const running = body.filter((each) => each.type !== 'ExportNamedDeclaration' || each.declaration || each.source);
    return running.map((each) => `${path}:${each.loc!.start.line}: has more than types`);
  } catch (error) {
    return [`${path}:1: cannot be parsed: ${(error as Error).message.split('\n')[0]}`];
  }
}

/** `path`: from the root, `src/…ts` or `static/…js`. */
export function moduleFacts(path: string, text: string): ModuleFacts {
  try {
    return new ModuleAudit(path, text).run();
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } };
    return { offences: [`${path}:${loc?.line ?? 1}: cannot be parsed: ${message.split('\n')[0]}`], imports: [] };
  }
}

class ModuleAudit {
  readonly #path: string;
  readonly #isServer: boolean;
  readonly #script: string;
  readonly #program: Program;
  readonly #comments: Comment[] = [];
  readonly #offences: string[] = [];
  readonly #imports: string[] = [];
  /** local names of imports that need care → imported names */
  readonly #guarded = new Map<string, string>();
  /** texts of constants */
  readonly #constants = new Map<string, AnyNode | undefined>();
  /** names of functions that have no `this` of a caller, and names that may be any function */
  readonly #plainFunctions = new Set<string>();
  readonly #parameters = new Set<string>();

  constructor(path: string, text: string) {
    this.#path = path;
    this.#isServer = path.startsWith('src/');
    this.#script = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
    this.#program = parse(this.#script, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      onComment: this.#comments,
    });
  }

  run(): ModuleFacts {
    if (this.#script.startsWith('#!')) this.#refuse(1, 'names a program to run it');
    for (const { value, loc } of this.#comments) {
      if (TOOL_COMMENT.test(value.trim())) this.#refuse(loc!.start.line, `has a comment for tools: ${value.trim()}`);
    }
    walkModule(this.#program, (node) => this.#collect(node));
    walkModule(this.#program, (node, ancestors, isGlobal) => this.#check(node, ancestors, isGlobal));
    return { offences: [...new Set(this.#offences)], imports: this.#imports };
  }

  #collect(node: AnyNode): void {
    if (node.type === 'ImportDeclaration') {
      for (const each of node.specifiers) {
        if (each.type !== 'ImportSpecifier') continue;
        const name = each.imported.type === 'Identifier' ? each.imported.name : String(each.imported.value);
        if (POWERS.has(name) || name === 'DatabaseSync' || name === 'startThread') {
          this.#guarded.set(each.local.name, name);
        }
      }
    } else if (node.type === 'VariableDeclarator') {
      for (const name of patternNames(node.id)) {
        const value = node.id.type === 'Identifier' && !this.#constants.has(name) ? node.init : undefined;
        this.#constants.set(name, value ?? undefined);
        if (value?.type === 'ArrowFunctionExpression') this.#plainFunctions.add(name);
        else this.#plainFunctions.delete(name);
      }
    } else if (node.type === 'FunctionDeclaration' && node.id) this.#plainFunctions.add(node.id.name);
    if ('params' in node) for (const name of node.params.flatMap(patternNames)) this.#parameters.add(name);
  }

  #refuse(at: AnyNode | number, why: string): void {
    const line = typeof at === 'number' ? at : at.loc!.start.line;
    this.#offences.push(`${this.#path}:${line}: ${why}`);
  }

  #check(node: AnyNode, ancestors: readonly AnyNode[], isGlobal: boolean): void {
    const parent = ancestors.at(-1);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source) this.#checkSource(node, String(node.source.value));
        break;
      case 'ImportExpression':
        this.#checkImportCall(node, node.source, node.options);
        break;
      case 'MetaProperty':
        this.#checkMeta(node, parent!);
        break;
      case 'Identifier':
        if (isGlobal) this.#checkGlobal(node, ancestors);
        else if (this.#guarded.has(node.name) && parent!.type !== 'ImportSpecifier')
          this.#checkGuarded(node, ancestors);
        break;
      case 'MemberExpression':
        this.#checkProperty(node.property, node.computed, ancestors, node);
        break;
      case 'Property':
        this.#checkProperty(node.key, node.computed, ancestors, node);
        break;
      case 'ThisExpression':
        this.#checkThis(node, ancestors);
        break;
      case 'CallExpression':
        this.#checkCall(node);
        break;
      case 'Literal':
      case 'TemplateLiteral':
      case 'BinaryExpression':
        if (parent?.type !== 'ImportDeclaration') this.#checkText(node);
        break;
      case 'WithStatement':
      case 'DebuggerStatement':
        this.#refuse(node, `has ${node.type}`);
        break;
    }
  }

  #checkSource(node: AnyNode, specifier: string): void {
    if ('attributes' in node && node.attributes.length > 0) this.#refuse(node, 'imports with attributes');
    if (specifier.startsWith('node:')) this.#checkNodeImport(node, specifier.slice('node:'.length));
    else this.#checkPath(node, specifier);
  }

  #checkNodeImport(node: AnyNode, name: string): void {
    const folders = Object.hasOwn(NODE_MODULES, name) ? NODE_MODULES[name]! : [];
    const inside = this.#path.split('/').slice(1).join('/');
    if (!this.#isServer || !folders.includes(partOf(inside))) {
      this.#refuse(node, `imports node:${name}`);
      return;
    }
    if (node.type !== 'ImportDeclaration') {
      this.#refuse(node, `exports node:${name}`);
      return;
    }
    const guarded = Object.hasOwn(GUARDED_NAMES, name) ? GUARDED_NAMES[name]! : undefined;
    if (node.specifiers.length === 0 && guarded) this.#refuse(node, `imports node:${name}`);
    for (const each of node.specifiers) {
      if (each.type !== 'ImportSpecifier') {
        this.#refuse(node, `imports all of node:${name}`);
        continue;
      }
      const imported = each.imported.type === 'Identifier' ? each.imported.name : String(each.imported.value);
      const isListed = !guarded || (Object.hasOwn(guarded, imported) && guarded[imported]!.includes(this.#path));
      if (!isListed || REFUSED_PROPERTIES.has(imported) || imported === 'default') {
        this.#refuse(each, `imports ${imported} of node:${name}`);
      }
    }
  }

  #checkPath(node: AnyNode, specifier: string): void {
    const target = posix.join(posix.dirname(this.#path), specifier);
    const isPlain = SPECIFIER.test(specifier);
    const isSource = /^src\/.+\.ts$/.test(target) && !target.endsWith('.d.ts');
    const isAllowed = this.#isServer
      ? isSource
      : /^static\/.+\.js$/.test(target) || (isSource && isSharedModule(target.slice('src/'.length)));
    if (isPlain && isAllowed) this.#imports.push(target);
    else this.#refuse(node, `imports ${specifier}`);
  }

  #checkImportCall(node: AnyNode, source: AnyNode, options: AnyNode | null | undefined): void {
    if (options) this.#refuse(node, 'imports with attributes');
    if (source.type === 'Literal' && typeof source.value === 'string') {
      if (source.value.startsWith('node:')) this.#refuse(node, `imports all of ${source.value}`);
      else this.#checkPath(node, source.value);
    } else if (COMPUTED_IMPORTS[this.#path] !== this.#script.slice(node.start, node.end)) {
      this.#refuse(node, 'imports what is worked out when it runs');
    }
  }

  #checkMeta(node: AnyNode, parent: AnyNode): void {
    if (node.type !== 'MetaProperty' || node.meta.name !== 'import') return;
    const isUrl = parent.type === 'MemberExpression' && memberName(parent) === 'url';
    if (!isUrl || !IMPORT_META_FILES.has(this.#path)) {
      this.#refuse(node, `uses import.meta${parent.type === 'MemberExpression' ? `.${memberName(parent)}` : ''}`);
    }
  }

  #checkGlobal(node: Identifier, ancestors: readonly AnyNode[]): void {
    const parent = ancestors.at(-1)!;
    const { name } = node;
    if (name === 'Object') {
      this.#checkMembers(node, parent, OBJECT_MEMBERS);
      return;
    }
    if (this.#isServer) {
      if (name === 'process') {
        this.#checkProcess(node, ancestors);
        return;
      }
      if (!SERVER_GLOBALS.has(name)) this.#refuse(node, `uses ${name}`);
      return;
    }
    if (Object.hasOwn(CLIENT_MEMBERS, name)) {
      const isQuestion =
        (parent.type === 'BinaryExpression' && parent.operator === 'in' && parent.right === node) ||
        (parent.type === 'UnaryExpression' && parent.operator === 'typeof') ||
        (parent.type === 'CallExpression' && name === 'document');
      const isWorker = name === 'globalThis' && this.#path === 'static/worker.js';
      if (!isQuestion && !isWorker) this.#checkMembers(node, parent, CLIENT_MEMBERS[name]!);
      return;
    }
    const places = Object.hasOwn(CLIENT_REQUESTS, name) ? CLIENT_REQUESTS[name]! : undefined;
    const isAllowed = places ? places.some((place) => this.#path.startsWith(place)) : CLIENT_GLOBALS.has(name);
    if (!isAllowed) this.#refuse(node, `uses ${name}`);
  }

  #checkMembers(node: Identifier, parent: AnyNode, allowed: ReadonlySet<string>): void {
    const member = parent.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined;
    if (member === undefined) this.#refuse(node, `uses ${node.name} other than by a plain member`);
    else if (!allowed.has(member)) this.#refuse(node, `uses ${node.name}.${member}`);
  }

  #checkProcess(node: Identifier, ancestors: readonly AnyNode[]): void {
    const parent = ancestors.at(-1)!;
    if (parent.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'ObjectPattern') {
      for (const each of parent.id.properties) {
        const isPlain = each.type === 'Property' && !each.computed && each.key.type === 'Identifier';
        const name = isPlain && each.key.type === 'Identifier' ? each.key.name : '…';
        if (!PROCESS_MEMBERS.has(name) || PROCESS_EVENTS.has(name)) this.#review(node, ancestors, `process.${name}`);
      }
      return;
    }
    const member = parent.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined;
    if (member === undefined) {
      this.#refuse(node, 'uses process other than by a plain member');
      return;
    }
    if (REVIEWED_PROCESS_MEMBERS.has(member)) {
      this.#review(node, ancestors, `process.${member}`);
      return;
    }
    if (!PROCESS_MEMBERS.has(member)) {
      this.#refuse(node, `uses process.${member}`);
      return;
    }
    const above = ancestors.at(-2)!;
    if (PROCESS_EVENTS.has(member)) {
      const call = above.type === 'CallExpression' && above.callee === parent ? above : undefined;
      const holder = ancestors.at(-3)!.type;
      const handler = call?.arguments[1];
      const isPlain =
        handler?.type === 'ArrowFunctionExpression' ||
        (handler?.type === 'Identifier' &&
          this.#plainFunctions.has(handler.name) &&
          !this.#parameters.has(handler.name));
      if (holder !== 'ExpressionStatement' || !isPlain) this.#refuse(node, `uses what process.${member} answers`);
    } else if (isAssigned(parent, ancestors) && member !== 'exitCode') {
      this.#refuse(node, `changes process.${member}`);
    }
  }

  #checkGuarded(node: Identifier, ancestors: readonly AnyNode[]): void {
    const parent = ancestors.at(-1)!;
    const name = this.#guarded.get(node.name)!;
    const isCall = (parent.type === 'CallExpression' || parent.type === 'NewExpression') && parent.callee === node;
    if (!isCall) {
      this.#refuse(node, `uses ${name} other than by a call`);
      return;
    }
    if (POWERS.has(name)) {
      this.#review(node, ancestors, name);
      return;
    }
    const isPlain = parent.arguments.every((each, index) =>
      name === 'DatabaseSync'
        ? index === 0 || (each.type === 'ObjectExpression' && keysOf(each).every((key) => DATABASE_OPTIONS.has(key)))
        : index > 0 || each.type === 'Literal',
    );
    if (!isPlain || parent.arguments.length > 2) this.#refuse(node, `calls ${name} with other than plain arguments`);
  }

  /** Only in functions that were reviewed, as they were. */
  #review(node: AnyNode, ancestors: readonly AnyNode[], what: string): void {
    const { holder, name, reviewed } = this.#reviewedFunction(ancestors) ?? {};
    if (!holder || !reviewed) {
      this.#refuse(node, `uses ${what}`);
      return;
    }
    const found = codeOf(this.#script.slice(holder.start, holder.end));
    if (found !== reviewed.code) this.#refuse(holder, `${name} uses ${what} and has changed: its code is now ${found}`);
  }

  #checkProperty(key: AnyNode, isComputed: boolean, ancestors: readonly AnyNode[], node: AnyNode): void {
    const names = isComputed || key.type !== 'Identifier' ? this.#texts(key) : [key.name];
    for (const name of names) this.#checkName(name, key, ancestors, node);
  }

  #checkName(name: string, key: AnyNode, ancestors: readonly AnyNode[], node: AnyNode): void {
    if (name === 'eval' && this.#isServer) this.#review(key, [...ancestors, node], 'eval');
    else if (REFUSED_PROPERTIES.has(name) && !this.#isReviewed(ancestors)) {
      this.#refuse(key, `uses the property ${name}`);
    }
    if (this.#isServer || !Object.hasOwn(CLIENT_SINKS, name)) return;
    if (!CLIENT_SINKS[name]!.includes(this.#path)) this.#refuse(key, `uses the property ${name}`);
  }

  #isReviewed(ancestors: readonly AnyNode[]): boolean {
    return this.#reviewedFunction(ancestors)?.reviewed !== undefined;
  }

  /** The outermost function or method around a node, and what the list has of it. */
  #reviewedFunction(ancestors: readonly AnyNode[]) {
    const holder = ancestors.find((each) => each.type === 'FunctionDeclaration' || each.type === 'MethodDefinition');
    if (!holder) return undefined;
    const name = holder.type === 'MethodDefinition' ? holder.key : holder.id!;
    const text = this.#script.slice(name.start, name.end);
    const reviewed = REVIEWED_FUNCTIONS.find((each) => each.file === this.#path && each.name === text);
    return { holder, name: text, reviewed };
  }

  #checkThis(node: AnyNode, ancestors: readonly AnyNode[]): void {
    const index = ancestors.findLastIndex(
      ({ type }) =>
        type === 'FunctionExpression' ||
        type === 'FunctionDeclaration' ||
        type === 'PropertyDefinition' ||
        type === 'StaticBlock',
    );
    const owner = ancestors[index];
    const holder = ancestors[index - 1];
    const isMethod =
      owner?.type === 'FunctionExpression' &&
      holder &&
      (holder.type === 'MethodDefinition' || (holder.type === 'Property' && (holder.method || holder.kind !== 'init')));
    const isField = owner?.type === 'PropertyDefinition' || owner?.type === 'StaticBlock';
    if (!isMethod && !isField) this.#refuse(node, 'uses this outside a method');
  }

  #checkCall(node: CallExpression): void {
    const { callee } = node;
    const name = callee.type === 'MemberExpression' ? memberName(callee) : callee.type === 'Identifier' && callee.name;
    for (const text of node.arguments
      .slice(0, name === 'createElementNS' ? 2 : 1)
      .flatMap((each) => this.#texts(each))) {
      if (name && TIMERS.has(name)) this.#refuse(node, `calls ${name} with code`);
      const element = text.toLowerCase();
      if (this.#isServer || QUERIES.has(name || '') || !Object.hasOwn(CLIENT_ELEMENTS, element)) continue;
      if (!CLIENT_ELEMENTS[element]!.includes(this.#path)) this.#refuse(node, `makes <${text}>`);
    }
  }

  /** Addresses with a host. */
  #checkText(node: AnyNode): void {
    const whole = node.type === 'TemplateLiteral' ? node.quasis[0]!.value.cooked : this.#fold(node);
    const text = whole?.replace(/[\0-\x20]/g, '').toLowerCase() ?? '';
    if (!SCHEME.test(text) || !(NETWORK_SCHEMES.test(text) || text.startsWith('//'))) return;
    if (ADDRESSES.has(text) || ADDRESSES.has(whole!) || TOKEN_ADDRESS.test(text)) return;
    this.#refuse(node, `names the address ${whole!.slice(0, 60)}`);
  }

  /** The texts that an expression may have, of those that can be told. */
  #texts(node: AnyNode): string[] {
    if (node.type === 'ConditionalExpression') return [...this.#texts(node.consequent), ...this.#texts(node.alternate)];
    if (node.type === 'LogicalExpression') return [...this.#texts(node.left), ...this.#texts(node.right)];
    const text = this.#fold(node);
    return text === undefined ? [] : [text];
  }

  /** The text that an expression always has. */
  #fold(node: AnyNode, depth = 0): string | undefined {
    if (depth > 20) return undefined;
    if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
    if (node.type === 'TemplateLiteral') {
      const parts = node.quasis.map(({ value }, index) => {
        const next = node.expressions[index];
        const inserted = next ? this.#fold(next, depth + 1) : '';
        return inserted === undefined ? undefined : (value.cooked ?? '') + inserted;
      });
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    if (node.type === 'BinaryExpression' && node.operator === '+') {
      const [left, right] = [this.#fold(node.left, depth + 1), this.#fold(node.right, depth + 1)];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    if (node.type === 'SequenceExpression') return this.#fold(node.expressions.at(-1)!, depth + 1);
    if (node.type === 'Identifier') {
      const value = this.#parameters.has(node.name) ? undefined : this.#constants.get(node.name);
      return value && this.#fold(value, depth + 1);
    }
    return undefined;
  }
}

function codeOf(text: string): string {
  // a method alone is no script
  const tokens = [...tokenizer(`class A { ${text} }`, { ecmaVersion: 'latest' })];
  const words = tokens.map(({ start, end }) => `class A { ${text} }`.slice(start, end));
  return createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 16);
}

// Walks a parsed module and tells which of its identifiers are declared in it and which are global.

import type { AnyNode, Function as FunctionNode, MemberExpression, Pattern, Program } from 'acorn';

/** `ancestors`: the program first, the parent last. `isGlobal`: an identifier that the module does not declare. */
type Visitor = (node: AnyNode, ancestors: readonly AnyNode[], isGlobal: boolean) => void;

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement']);

/** Calls `visit` for every node, parents first. */
export function walkModule(program: Program, visit: Visitor): void {
  walk(program, [], [new Set([...lexicalNames(program.body), ...varNames(program)])], visit);
}

function walk(node: AnyNode, ancestors: AnyNode[], scopes: readonly ReadonlySet<string>[], visit: Visitor): void {
  const isReference = node.type === 'Identifier' && !isLabelOrKey(node, ancestors);
  visit(node, ancestors, isReference && !scopes.some((scope) => scope.has(node.name)));
  const own = namesOf(node);
  const inner = own.length === 0 ? scopes : [...scopes, new Set(own)];
  ancestors.push(node);
  for (const child of childrenOf(node)) walk(child, ancestors, inner, visit);
  ancestors.pop();
}

export function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield child;
    }
  }
}

/** An identifier that names a property, a label or a name of another module. */
function isLabelOrKey(node: AnyNode, ancestors: readonly AnyNode[]): boolean {
  const parent = ancestors.at(-1)!;
  switch (parent.type) {
    case 'MemberExpression':
      return parent.property === node && !parent.computed;
    case 'Property':
      return parent.key === node && !parent.computed && !parent.shorthand;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key === node && !parent.computed;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return true;
    case 'ImportSpecifier':
      return parent.imported === node && parent.local !== node;
    case 'ExportSpecifier': {
      const statement = ancestors.at(-2)!;
      return parent.local !== node || (statement.type === 'ExportNamedDeclaration' && Boolean(statement.source));
    }
    case 'ExportAllDeclaration':
      return true;
    default:
      return false;
  }
}

/** Names that a node declares for all below it. */
function namesOf(node: AnyNode): string[] {
  if (isFunction(node)) {
    const own = node.type === 'FunctionExpression' && node.id ? [node.id.name] : [];
    const args = node.type === 'ArrowFunctionExpression' ? [] : ['arguments'];
    return [...own, ...args, ...node.params.flatMap(patternNames), ...varNames(node.body)];
  }
  if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return lexicalNames(node.body);
  if (node.type === 'SwitchStatement') return lexicalNames(node.cases.flatMap(({ consequent }) => consequent));
  if (node.type === 'CatchClause') return node.param ? patternNames(node.param) : [];
  if (node.type === 'ClassExpression') return node.id ? [node.id.name] : [];
  if (LOOPS.has(node.type)) return [...childrenOf(node)].flatMap((child) => lexicalNames([child]));
  return [];
}

const isFunction = (node: AnyNode): node is FunctionNode & AnyNode => FUNCTIONS.has(node.type);

/** Declared by statements of a block: let, const, class, function, import. */
function lexicalNames(body: readonly AnyNode[]): string[] {
  return body.flatMap((statement): string[] => {
    const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const node = isExport ? statement.declaration : statement;
    if (!node) return [];
    if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name);
    if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => patternNames(id));
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [node.id.name] : [];
    return [];
  });
}

/** Declared with `var`, in blocks too, but not in functions. */
function varNames(node: AnyNode): string[] {
  if (node.type === 'VariableDeclaration' && node.kind === 'var') return lexicalNames([node]);
  return [...childrenOf(node)].flatMap((child) =>
    isFunction(child) || child.type === 'StaticBlock' ? [] : varNames(child),
  );
}

export function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => patternNames(each.type === 'Property' ? each.value : each.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? patternNames(each) : []));
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    default:
      return [];
  }
}

export function memberName(node: MemberExpression): string | undefined {
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined;
}

/** Assigned to, deleted, or the base of something that is. */
export function isAssigned(member: AnyNode, ancestors: readonly AnyNode[]): boolean {
  let node = member;
  for (const above of ancestors.slice(0, -1).reverse()) {
    if (above.type === 'MemberExpression' && above.object === node) node = above;
    else if (above.type === 'AssignmentExpression') return above.left === node;
    else return above.type === 'UpdateExpression' || (above.type === 'UnaryExpression' && above.operator === 'delete');
  }
  return false;
}

/** Keys of an object literal; what cannot be told is `…`. */
export function keysOf(node: AnyNode): string[] {
  if (node.type !== 'ObjectExpression') return ['…'];
  return node.properties.map((each) =>
    each.type === 'Property' && !each.computed && each.key.type === 'Identifier' ? each.key.name : '…',
  );
}

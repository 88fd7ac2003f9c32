// static/openapi.json as tests ask for it: operations by method and path, references, schemas of answers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type Schema, violations } from './json-schema.ts';

export interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  example?: unknown;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security?: Record<string, unknown>[];
  parameters?: unknown[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
  'x-curl': string;
}

export interface Documented {
  /** upper case */
  method: string;
  /** below the prefix, but for those with servers of their own: `/r/{room}/` */
  path: string;
  isOutside: boolean;
  operation: Operation;
  /** of the path and of the operation */
  parameters: Parameter[];
}

interface PathItem extends Record<string, unknown> {
  servers?: unknown;
  parameters?: unknown[];
  'x-dav-methods'?: Record<string, Operation>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string; variables: Record<string, { default: string }> }[];
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const openapi = JSON.parse(
  await readFile(new URL('../../static/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** `#/components/schemas/Room` → the schema. Throws for a reference that leads nowhere. */
export function resolve(reference: string): unknown {
  assert.match(reference, /^#\//);
  let node: unknown = openapi;
  for (const step of reference.slice(2).split('/')) {
    node = (node as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  assert.notEqual(node, undefined, `nothing at ${reference}`);
  return node;
}

/** The object itself, or the one that it refers to. */
export function deref<T>(node: unknown): T {
  const { $ref } = node as { $ref?: string };
  return ($ref === undefined ? node : resolve($ref)) as T;
}

export const documented: Documented[] = Object.entries(openapi.paths).flatMap(([path, node]) => {
  const item = deref<PathItem>(node);
  const plain = METHODS.filter((method) => item[method]).map((method) => [method, item[method] as Operation] as const);
  return [...plain, ...Object.entries(item['x-dav-methods'] ?? {})].map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    isOutside: item.servers !== undefined,
    operation,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => deref<Parameter>(one)),
  }));
});

/** those of every answer, and a cookie that was renewed */
const USUAL_HEADERS = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'set-cookie',
  'transfer-encoding',
  'strict-transport-security',
  'x-content-type-options',
]);

/** what the document says of all answers that do not say more */
const USUAL_VALUES: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-encoding': 'br',
  vary: 'Accept-Encoding',
};

/** Fails unless the document knows this answer: its status, its media type, every field of its JSON, its headers. */
export async function assertDocumented(method: string, path: string, response: Response): Promise<void> {
  const at = `${method} ${path} → ${response.status}`;
  const found = documented.find((one) => one.method === method && one.path === path);
  assert.ok(found, `${at}: no such operation`);
  const known = found.operation.responses[response.status];
  assert.ok(known, `${at}: the status is not documented`);
  const { content, headers = {} } = deref<Answer>(known);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const [name, value] of response.headers) {
    const isUsual = USUAL_HEADERS.has(name) || USUAL_VALUES[name] === value;
    assert.ok(isUsual || names.has(name), `${at}: ${name} is not documented`);
  }
  const contentType = response.headers.get('content-type');
  if (contentType === null) {
    assert.equal(await response.text(), '', at);
    return;
  }
  const type = contentType.split(';')[0]!;
  const media = Object.entries(content ?? {}).find(([range]) => isInRange(type, range));
  assert.ok(media, `${at}: ${type} is not documented`);
  const schema = media[1].schema;
  if (!/json$/.test(type)) return;
  assert.deepEqual(
    violations(await response.json(), schema, (to) => resolve(to)),
    [],
    at,
  );
}

/** paths below the prefix, and what is asked there; those with more words before those with fewer */
const pathPatterns = [...new Set(documented.flatMap(({ path, isOutside }) => (isOutside ? [] : [path])))]
  .map((path) => {
    const pattern = path.replace(/[.?+*()]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
    return { path, pattern: new RegExp(`^${pattern}$`), length: path.replace(/\{\w+\}/g, '').length };
  })
  .sort((a, b) => b.length - a.length);

/**
 * The same for whatever a test has asked for; `path` is encoded, and below the prefix: `/r/Lobby/12?text=plain`. What
 * no operation is for is not looked at. The body is left to the test.
 */
export async function assertDocumentedAnswer(method: string, path: string, response: Response): Promise<void> {
  const asked = path.split('?')[0]!;
  const found = pathPatterns.find(({ pattern }) => pattern.test(asked));
  if (!found || !documented.some((one) => one.method === method && one.path === found.path)) return;
  const isRead = /json|^$/.test(response.headers.get('content-type') ?? '');
  await assertDocumented(method, found.path, isRead ? response.clone() : response);
}

function isInRange(type: string, range: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

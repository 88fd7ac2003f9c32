// A trie that maps method and raw path to a value and parameters. Splits before decoding (RFC 3986 section 2.4), so
// '%2F' stays inside its segment.

import { AppError } from '../errors.ts';
import { MAX_PATH_SEGMENTS, MAX_URL_BYTES } from '../limits/http.ts';
import { decodePercent } from './query.ts';

export type Params = Readonly<Record<string, string>>;

export type Match<T> =
  | { kind: 'found'; value: T; pattern: string; params: Params }
  | { kind: 'method'; allow: string[] }
  | { kind: 'none' };

interface Endpoint<T> {
  value: T;
  pattern: string;
  /** parameter names in order; patterns that share a node may use different ones */
  names: string[];
  /** also answers HEAD */
  hasHead: boolean;
}

interface Node<T> {
  segments: Map<string, Node<T>>;
  param: Node<T> | undefined;
  wildcard: Node<T> | undefined;
  endpoints: Map<string, Endpoint<T>> | undefined;
}

const NO_PARAMS: Params = Object.freeze({});
const NONE = Object.freeze({ kind: 'none' as const });

export class Router<T> {
  readonly #root: Node<T> = newNode();
  readonly #routes: { method: string; pattern: string }[] = [];

  /**
   * Patterns: `/svc/r/:room/msgs.all`, `/svc/s/*path`, with decoded static segments. `:name` matches one non-empty
   * segment, a final `*name` zero or more. `/r/` and `/r` differ. Method `*` matches all other methods. `hasHead`
   * false: a GET with side effects. Throws Error for an invalid or duplicate pattern.
   */
  add(method: string, pattern: string, value: T, hasHead = method === 'GET'): this {
    if (!pattern.startsWith('/')) throw new Error(`route pattern without leading slash: ${pattern}`);
    const names: string[] = [];
    const segments = pattern.slice(1).split('/');
    let node = this.#root;
    segments.forEach((segment, i) => {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node = node.param ??= newNode();
      } else if (segment.startsWith('*')) {
        if (i !== segments.length - 1) throw new Error(`wildcard is not last: ${pattern}`);
        names.push(segment.slice(1));
        node = node.wildcard ??= newNode();
      } else {
        node = node.segments.getOrInsertComputed(segment, newNode<T>);
      }
    });
    if (new Set(names).size !== names.length) throw new Error(`parameter named twice: ${pattern}`);
    node.endpoints ??= new Map();
    if (node.endpoints.has(method)) throw new Error(`duplicate route: ${method} ${pattern}`);
    node.endpoints.set(method, { value, pattern, names, hasHead });
    this.#routes.push({ method, pattern });
    return this;
  }

  /** all routes in the order of add() */
  routes(): { method: string; pattern: string }[] {
    return [...this.#routes];
  }

  /**
   * Static segments take precedence over `:param`, then `*wildcard`. The most specific path decides even if it lacks
   * the method. HEAD falls back to GET. `rawPath`: as sent, without query. Throws bad_request, uri_too_long.
   */
  match(method: string, rawPath: string): Match<T> {
    if (rawPath.charCodeAt(0) !== 47) return NONE;
    const values: string[] = [];
    const endpoints = find(this.#root, segmentsOf(rawPath), 0, values);
    if (!endpoints) return NONE;
    const forHead = method === 'HEAD' ? endpoints.get('GET') : undefined;
    const endpoint = endpoints.get(method) ?? (forHead?.hasHead ? forHead : endpoints.get('*'));
    if (!endpoint) return { kind: 'method', allow: allowed(endpoints) };
    const { value, pattern, names } = endpoint;
    return { kind: 'found', value, pattern, params: named(names, values) };
  }
}

function segmentsOf(rawPath: string): string[] {
  if (rawPath.length > MAX_URL_BYTES) throw new AppError('uri_too_long', 'The URL is too long.');
  const segments = rawPath.slice(1).split('/', MAX_PATH_SEGMENTS + 1);
  if (segments.length > MAX_PATH_SEGMENTS) throw new AppError('bad_request', 'The URL has too many segments.');
  for (let i = 0; i < segments.length; i++) segments[i] = decodePercent(segments[i]!);
  return segments;
}

function newNode<T>(): Node<T> {
  return { segments: new Map(), param: undefined, wildcard: undefined, endpoints: undefined };
}

// each node has one path, so backtracking visits it at most once
function find<T>(
  node: Node<T>,
  segments: string[],
  at: number,
  values: string[],
): Map<string, Endpoint<T>> | undefined {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.endpoints) return node.endpoints;
  } else {
    const next = node.segments.get(segment);
    const endpoints = next && find(next, segments, at + 1, values);
    if (endpoints) return endpoints;
    if (node.param && segment !== '') {
      values.push(segment);
      const found = find(node.param, segments, at + 1, values);
      if (found) return found;
      values.pop();
    }
  }
  if (!node.wildcard) return undefined;
  // '/s/*path' ← '/s/a%2Fb': joining would turn it into two segments
  for (let i = at; i < segments.length; i++) {
    if (segments[i]!.includes('/')) throw new AppError('bad_request', 'An encoded slash is not allowed here.');
  }
  values.push(segments.slice(at).join('/'));
  return node.wildcard.endpoints;
}

function named(names: readonly string[], values: readonly string[]): Params {
  if (names.length === 0) return NO_PARAMS;
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) params[names[i]!] = values[i]!;
  return params;
}

function allowed<T>(endpoints: Map<string, Endpoint<T>>): string[] {
  const methods = [...endpoints.keys()];
  if (endpoints.get('GET')?.hasHead && !endpoints.has('HEAD')) methods.push('HEAD');
  return methods.sort();
}

// Reading and answering a PROPFIND (RFC 4918 section 9.1): which properties it wants, and the response of a resource
// with them, also for the reports. The wanted properties are resolved once per request.

import { AppError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied, prefers } from '../http/prefer.ts';
import { MAX_KNOWN_PROPFIND_BYTES, MAX_KNOWN_PROPFINDS, MAX_XML_BYTES } from '../limits/dav.ts';
import { Attached } from '../system/attached.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { propertiesResponse, sendMultistatus } from './multistatus.ts';
import {
  ALLPROP_PROPERTIES,
  elementMaker,
  isOfMemberAlone,
  needsOfProperty,
  propertyNamesOf,
} from './properties/registry.ts';
import {
  isCollection,
  type Need,
  type PropertyName,
  propertyKey,
  type Resource,
  requireFewProperties,
  type Viewer,
} from './resource.ts';
import { childrenNamed, isElement, rootOf, type XmlElement } from './xml-read.ts';
import { emptyElement, inLines, type Markup, unmet } from './xml-write.ts';

export type WantedProperties =
  | { kind: 'all'; include: PropertyName[] }
  | { kind: 'names' }
  | { kind: 'some'; properties: PropertyName[] };

/** No body asks for all properties (RFC 4918 section 9.1). Throws bad_request. */
export function parsePropfind(root: XmlElement | undefined): WantedProperties {
  if (!root) return { kind: 'all', include: [] };
  if (!isElement(root, 'D:propfind')) throw new AppError('bad_request', 'The body is not a D:propfind.');
  const wanted = parseWanted(root);
  if (!wanted) throw new AppError('bad_request', 'A propfind needs one of prop, allprop and propname.');
  return wanted;
}

/** The properties that a PROPFIND or a report asks for, if any. Throws bad_request. */
export function parseWanted(root: XmlElement): WantedProperties | undefined {
  const asked = ['D:prop', 'D:allprop', 'D:propname'].flatMap((name) => childrenNamed(root, name));
  const [only] = asked;
  if (asked.length > 1) throw new AppError('bad_request', 'Send only one of prop, allprop and propname.');
  if (!only) return undefined;
  if (only.name === 'propname') return { kind: 'names' };
  if (only.name === 'prop') return { kind: 'some', properties: namesIn([only]) };
  return { kind: 'all', include: namesIn(childrenNamed(root, 'D:include')) };
}

/** The properties named in these elements, each once. */
function namesIn(elements: readonly XmlElement[]): PropertyName[] {
  const names = new Map<string, PropertyName>();
  for (const { children } of elements) {
    for (const { namespace, name } of children) names.set(propertyKey({ namespace, name }), { namespace, name });
  }
  const named = [...names.values()];
  requireFewProperties(named);
  return named;
}

export interface DescriberOptions<R extends Resource> {
  /** leaves out properties that a resource does not have */
  isMinimal?: boolean;
  /** properties of reports only, by propertyKey, such as calendar-data (RFC 4791 section 9.6) */
  makers?: ReadonlyMap<string, (resource: R) => Markup | undefined>;
}

/** Returns what makes the response of a resource: wanted properties that it has, and those that it does not have. */
export function describer<R extends Resource>(
  wanted: WantedProperties,
  viewer: Viewer,
  { isMinimal = false, makers }: DescriberOptions<R> = {},
): (resource: R) => Markup {
  if (wanted.kind === 'names') {
    return (resource) => {
      const names = propertyNamesOf(resource, viewer).map(({ namespace, name }) => emptyElement(namespace, name));
      return propertiesResponse(resource.href, [{ status: 200, properties: names }]);
    };
  }
  const properties = new Map<string, { elementOf(resource: R): Markup | undefined; missing: Markup | undefined }>();
  const add = (property: PropertyName, isMissingListed: boolean) => {
    const key = propertyKey(property);
    if (properties.has(key)) return;
    const missing = isMissingListed ? emptyElement(property.namespace, property.name) : undefined;
    properties.set(key, { elementOf: makers?.get(key) ?? elementMaker(property, viewer), missing });
  };
  if (wanted.kind === 'all') for (const property of ALLPROP_PROPERTIES) add(property, false);
  for (const property of wanted.kind === 'all' ? wanted.include : wanted.properties) add(property, !isMinimal);
  const makersInOrder = [...properties.values()];
  return (resource) => {
    const found: Markup[] = [];
    const absent: Markup[] = [];
    for (const { elementOf, missing } of makersInOrder) {
      const own = elementOf(resource);
      if (own) found.push(own);
      else if (missing) absent.push(missing);
    }
    if (wanted.kind === 'all' && resource.dead) {
      for (const [key, set] of resource.dead) if (!properties.has(key)) found.push(set);
    }
    return propertiesResponse(resource.href, [
      { status: 200, properties: found },
      { status: 404, properties: absent },
    ]);
  };
}

/** Resources that are listed together. */
export interface ResourceBatch {
  resources: Iterable<Resource>;
  /** the members that they describe, if their responses may be cached */
  members?: object;
}

/** The last responses of some members, cached as long as the list of members is. */
interface Made {
  asked: string;
  responses: Markup;
}

const lastMade = new Attached<object, Made>();

/**
 * Returns what makes the responses of a batch. Responses that depend on the members alone are the same for every caller
 * and are cached. `variant`: what else they depend on.
 */
export function batchDescriber(
  wanted: WantedProperties,
  variant: string,
  describe: (resource: Resource) => Markup,
): (batch: ResourceBatch) => Iterable<Markup> {
  const isSameForAll = wanted.kind === 'some' && wanted.properties.every(isOfMemberAlone);
  const asked = isSameForAll ? [variant, ...wanted.properties.map(propertyKey)].join('\n') : undefined;
  return ({ resources, members }) => {
    const responses = Iterator.from(resources).map(describe);
    if (!members || asked === undefined) return responses;
    const last = lastMade.get(members);
    if (last?.asked === asked) return [last.responses];
    const made = { asked, responses: inLines(responses) };
    lastMade.set(members, made);
    return [made.responses];
  };
}

/** The facts about a resource that the wanted properties need. */
export function needsOf(wanted: WantedProperties): ReadonlySet<Need> {
  if (wanted.kind === 'names') return new Set<Need>(['dead', 'kept']);
  const asked = wanted.kind === 'some' ? wanted.properties : [...ALLPROP_PROPERTIES, ...wanted.include];
  const needs = new Set<Need>(wanted.kind === 'all' ? ['dead', 'kept'] : []);
  for (const property of asked) {
    for (const need of needsOfProperty(property)) needs.add(need);
  }
  return needs;
}

/** RFC 8144 section 2.1 and its forerunner, Brief. */
export function isMinimalWanted(exchange: Exchange): boolean {
  return prefers(exchange, 'return=minimal') || exchange.header('brief')?.trim().toLowerCase() === 't';
}

interface Asked {
  wanted: WantedProperties;
  needs: ReadonlySet<Need>;
}

export interface Propfind extends Asked {
  depth: 0 | 1 | 'infinity';
  /** identifies the request except its path */
  variant: string;
}

/** parsed short bodies, since programs send the same ones again and again */
const known = new BoundedMap<string, Asked>(MAX_KNOWN_PROPFINDS);

/**
 * `without`: what a missing Depth means; infinity by RFC 4918 section 10.2, but clients may lose the header when they
 * follow a redirection during discovery. Throws bad_request.
 */
export async function readPropfind(exchange: Exchange, without: 0 | 'infinity' = 'infinity'): Promise<Propfind> {
  const bytes = await readBody(exchange, MAX_XML_BYTES);
  const depth = depthOf(exchange) ?? without;
  const text = bytes.toString('latin1');
  const { wanted, needs } = known.get(text) ?? (await parse(exchange, bytes, text));
  return {
    wanted,
    needs,
    depth,
    variant: `${depth} ${isMinimalWanted(exchange)} ${isRootUnwanted(exchange)}\n${text}`,
  };
}

async function parse(exchange: Exchange, bytes: Buffer, text: string): Promise<Asked> {
  const wanted = parsePropfind(await rootOf(exchange, bytes));
  const asked = { wanted, needs: needsOf(wanted) };
  if (bytes.length <= MAX_KNOWN_PROPFIND_BYTES) known.set(text, asked);
  return asked;
}

/** RFC 8144 section 4, and its forerunner `Depth: 1,noroot` */
function isRootUnwanted(exchange: Exchange): boolean {
  return prefers(exchange, 'depth-noroot') || NOROOT.test(exchange.header('depth') ?? '');
}

const NOROOT = /,\s*noroot\s*$/i;

/** The same where a missing Depth is 0. Throws as requireFiniteDepth. */
export async function readFinitePropfind(exchange: Exchange): Promise<Propfind> {
  const propfind = await readPropfind(exchange, 0);
  requireFiniteDepth(propfind);
  return propfind;
}

/** Throws forbidden for `Depth: infinity`, which is refused on collections that may hold others. */
export function requireFiniteDepth({ depth }: Propfind): void {
  if (depth === 'infinity') throw unmet('D:propfind-finite-depth', 'Send a Depth of 0 or 1.');
}

/**
 * Sends a 207 of these resources, the requested one first, and of `members`, as they come. Content-Location has the
 * slash of a collection if the client left it out (RFC 4918 section 5.2). With depth-noroot the requested collection is
 * left out (RFC 8144 section 4).
 */
export function answerPropfind(
  exchange: Exchange,
  { wanted, depth }: Propfind,
  viewer: Viewer,
  resources: readonly [Resource, ...Resource[]],
  members?: AsyncIterable<ResourceBatch>,
): Promise<void> {
  const isMinimal = isMinimalWanted(exchange);
  const describe = describer(wanted, viewer, { isMinimal });
  const [asked] = resources;
  const variant = `${isMinimal} ${asked.collection} ${asked.href}`;
  const describeBatch = batchDescriber(wanted, variant, describe);
  const isSlashMissing = isCollection(asked) && !exchange.rawPath.endsWith('/');
  // with Depth 0 nothing would be left
  const isRootLeftOut = depth === 1 && isCollection(asked) && isRootUnwanted(exchange);
  const headers = {
    ...(isSlashMissing && { 'Content-Location': asked.href }),
    ...preferenceApplied(exchange, 'return=minimal', ...(isRootLeftOut ? (['depth-noroot'] as const) : [])),
  };
  const first = (isRootLeftOut ? resources.slice(1) : resources).map(describe);
  return sendMultistatus(exchange, responses(first, members, describeBatch), headers);
}

async function* responses(
  first: readonly Markup[],
  members: AsyncIterable<ResourceBatch> | undefined,
  describeBatch: (batch: ResourceBatch) => Iterable<Markup>,
): AsyncGenerator<Iterable<Markup>> {
  yield first;
  for await (const batch of members ?? []) yield describeBatch(batch);
}

function depthOf(exchange: Exchange): 0 | 1 | 'infinity' | undefined {
  const depth = exchange.header('depth')?.replace(NOROOT, '').trim().toLowerCase();
  if (depth === undefined || depth === 'infinity') return depth;
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  throw new AppError('bad_request', 'Depth takes 0, 1 or infinity.');
}

// Which properties a request wants, and the response of a resource with them, for PROPFIND and the reports. The wanted
// properties are resolved once per request.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { prefers } from '../http/prefer.ts';
import { Attached } from '../system/attached.ts';
import { propertiesResponse } from './multistatus.ts';
import { ALLPROP_PROPERTIES, elementMaker, isOfMemberAlone, needOf, propertyNamesOf } from './properties/registry.ts';
import {
  type Need,
  type PropertyName,
  propertyKey,
  type Resource,
  requireFewProperties,
  type Viewer,
} from './resource.ts';
import { childrenNamed, isElement, type XmlElement } from './xml-read.ts';
import { emptyElement, inLines, type Markup } from './xml-write.ts';

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
  if (wanted.kind === 'names') return (resource) => namesResponse(resource, viewer);
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

function namesResponse(resource: Resource, viewer: Viewer): Markup {
  const properties = propertyNamesOf(resource, viewer).map(({ namespace, name }) => emptyElement(namespace, name));
  return propertiesResponse(resource.href, [{ status: 200, properties }]);
}

/** The facts about a resource that the wanted properties need. */
export function needsOf(wanted: WantedProperties): ReadonlySet<Need> {
  if (wanted.kind === 'names') return new Set(['dead']);
  const asked = wanted.kind === 'some' ? wanted.properties : [...ALLPROP_PROPERTIES, ...wanted.include];
  const needs = new Set<Need>(wanted.kind === 'all' ? ['dead'] : []);
  for (const property of asked) {
    const need = needOf(property);
    if (need) needs.add(need);
  }
  return needs;
}

/** RFC 8144 section 2.1 and its forerunner, Brief. */
export function isMinimalWanted(exchange: Exchange): boolean {
  return prefers(exchange, 'return=minimal') || exchange.header('brief')?.trim().toLowerCase() === 't';
}

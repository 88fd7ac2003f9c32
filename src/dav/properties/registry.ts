// Every live property by name: what PROPFIND and the reports return, what PROPPATCH may set. The tables are in the
// files beside this one.

import {
  isPlace,
  type LiveProperty,
  type Need,
  type PropertyName,
  propertyKey,
  propertyNamed,
  type Resource,
  type Viewer,
} from '../resource.ts';
import { expandedName, NAMESPACES } from '../xml-read.ts';
import type { Markup } from '../xml-write.ts';
import { GROUPWARE_PROPERTIES } from './groupware.ts';
import { WEBDAV_PROPERTIES } from './webdav.ts';

interface Registered extends LiveProperty {
  name: PropertyName;
}

const REGISTRY: ReadonlyMap<string, Registered> = new Map(
  Object.entries({
    ...WEBDAV_PROPERTIES,
    ...GROUPWARE_PROPERTIES,
  }).map(([prefixed, live]) => {
    const name = expandedName(prefixed);
    return [propertyKey(name), { ...live, name }];
  }),
);

/** The live properties of `allprop` (RFC 4918 section 9.1). */
export const ALLPROP_PROPERTIES: readonly PropertyName[] = [...REGISTRY.values()].flatMap(({ name, isInAllprop }) =>
  isInAllprop ? [name] : [],
);

/** Whether the server makes this property, on some resource. */
export function isLive(property: PropertyName): boolean {
  return REGISTRY.has(propertyKey(property));
}

/**
 * Clients cannot set or remove it on this resource (RFC 4918 section 9.2.1: cannot-modify-protected-property). A live
 * property that the resource does not have is a dead one.
 */
export function isProtected(property: PropertyName, resource: Resource): boolean {
  const live = REGISTRY.get(propertyKey(property));
  if (!live) return false;
  if (live.isSettable) return live.isOn === undefined && isPlace(resource);
  return !mayBeDead(live) || !live.isOn || live.isOn(resource);
}

/** Other RFCs than those of calendars and contacts say that no client sets their properties anywhere. */
function mayBeDead({ name, isOn, isServers }: Registered): boolean {
  return isOn !== undefined && !isServers && name.namespace !== NAMESPACES.D;
}

/** Names of the properties of a resource, for `propname`. Of its facts only `dead` is needed. */
export function propertyNamesOf(resource: Resource, viewer: Viewer): PropertyName[] {
  const names = new Map<string, PropertyName>();
  for (const [key, { name, isOn, needs, elementOf }] of REGISTRY) {
    if (isOn && !isOn(resource)) continue;
    const isUnknown = needs !== undefined && needs !== 'dead';
    if (isUnknown || elementOf(resource, viewer)) names.set(key, name);
  }
  for (const key of resource.dead?.keys() ?? []) names.set(key, propertyNamed(key));
  return [...names.values()];
}

/** The facts that the property is made from. A property that is not live is dead. */
export function needsOfProperty(property: PropertyName): readonly Need[] {
  const live = REGISTRY.get(propertyKey(property));
  const own = live?.needs ? [live.needs] : [];
  return !live || mayBeDead(live) ? [...own, 'dead', 'kept'] : own;
}

/** Whether it depends on the member alone and is the same for every caller. */
export function isOfMemberAlone(property: PropertyName): boolean {
  return REGISTRY.get(propertyKey(property))?.isOfMemberAlone ?? false;
}

/** Returns what makes the element of a property; undefined if a resource does not have it. A set value comes first. */
export function elementMaker(property: PropertyName, viewer: Viewer): (resource: Resource) => Markup | undefined {
  const key = propertyKey(property);
  const live = REGISTRY.get(key);
  if (!live) return ({ dead }) => dead?.get(key);
  return (resource) => {
    const isHere = !live.isOn || live.isOn(resource);
    const set = live.isSettable || (!isHere && mayBeDead(live)) ? resource.dead?.get(key) : undefined;
    return set ?? (isHere ? live.elementOf(resource, viewer) : undefined);
  };
}

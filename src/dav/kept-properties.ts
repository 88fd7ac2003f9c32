// What clients have set, as elements of an answer. The room server keeps XML that others can reach by the line
// protocol, so it is read before it becomes part of a document.

import { MAX_PROPERTY_BYTES } from '../limits/backend.ts';
import type { KeptProperty } from '../room-server/collections.ts';
import { propertyKey } from './resource.ts';
import { type Markup, readAgain, writtenElement } from './xml-write.ts';

/** By propertyKey; what is no element of its name, or too long, is left out. */
export function keptFrom(properties: readonly KeptProperty[]): ReadonlyMap<string, Markup> {
  const kept = new Map<string, Markup>();
  for (const property of properties) {
    const markup = keptMarkup(property);
    if (markup) kept.set(propertyKey(property), markup);
  }
  return kept;
}

function keptMarkup({ namespace, name, value }: KeptProperty): Markup | undefined {
  const element = readAgain(value);
  if (element?.namespace !== namespace || element.name !== name) return undefined;
  return writtenElement(element, MAX_PROPERTY_BYTES);
}

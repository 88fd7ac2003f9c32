// A few properties of the first component of a kind in iCalendar, vCard and vNote objects.

import { type Component, type ContentLine, parseComponents } from './content-lines.ts';

/** Properties directly in the first component of this kind; empty when there is none. */
export function propertiesOf(text: string, kind: string): readonly ContentLine[] {
  return propertiesIn(parseComponents(text), kind);
}

/** The same of the outermost components. */
export function propertiesIn(components: readonly Component[], kind: string): readonly ContentLine[] {
  return firstOf(components, kind)?.lines ?? [];
}

function firstOf(components: readonly Component[], kind: string): Component | undefined {
  for (const component of components) {
    const found = component.name === kind ? component : firstOf(component.components, kind);
    if (found) return found;
  }
  return undefined;
}

/** Value of the first property of that name, trimmed; '' when it is missing. */
export function propertyValue(properties: readonly ContentLine[], name: string): string {
  return properties.find((property) => property.name === name)?.value.trim() ?? '';
}

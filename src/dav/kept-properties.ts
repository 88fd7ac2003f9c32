// What clients have set, as elements of an answer. The room server keeps XML that others can reach by the line
// protocol, so it is read before it becomes part of a document.

import { AppError } from '../errors.ts';
import type { PropertyTexts } from '../gateway/collection/dead-properties.ts';
import { propertyKey } from './resource.ts';
import { readXml } from './xml-read.ts';
import { type Markup, writtenElement } from './xml-write.ts';

/** By propertyKey; what is no element of that name is left out. */
export function keptFrom(texts: PropertyTexts): ReadonlyMap<string, Markup> {
  const kept = new Map<string, Markup>();
  for (const [key, text] of texts) {
    const markup = keptMarkup(key, text);
    if (markup) kept.set(key, markup);
  }
  return kept;
}

function keptMarkup(key: string, text: string): Markup | undefined {
  try {
    const element = readXml(Buffer.from(text));
    return propertyKey(element) === key ? writtenElement(element) : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

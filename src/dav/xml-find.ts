// Finding elements in the tree that xml-read.ts makes. Elements that nobody looks for are passed over
// (RFC 4918 section 17).

import { AppError } from '../errors.ts';
import type { XmlElement } from './xml-read.ts';
import { DAV_NAMESPACE } from './xml-write.ts';

export function isElement(element: XmlElement, namespace: string, name: string): boolean {
  return element.name === name && element.namespace === namespace;
}

/** An element of the namespace `DAV:`. */
export function isDav(element: XmlElement, name: string): boolean {
  return isElement(element, DAV_NAMESPACE, name);
}

export function childrenNamed(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  return parent.children.filter((child) => isElement(child, namespace, name));
}

/** The only child of that name; undefined where there is none. Throws bad_request for several. */
export function childNamed(parent: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const found = childrenNamed(parent, namespace, name);
  if (found.length > 1) throw new AppError('bad_request', `There is more than one ${name}.`);
  return found[0];
}

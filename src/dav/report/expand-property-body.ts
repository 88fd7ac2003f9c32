// The body of expand-property (RFC 3253 section 3.8): properties, and for those that name resources, which properties
// of these are wanted in place of the href.

import { AppError } from '../../errors.ts';
import { type PropertyName, requireFewProperties, requireRoomForProperties } from '../resource.ts';
import { childrenNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { DAV_NAMESPACE } from '../xml-write.ts';

export interface ExpandedProperty {
  property: PropertyName;
  /** none: the property as it is */
  inner: readonly ExpandedProperty[];
}

/** `root`: D:expand-property. Throws bad_request. */
export function readExpandProperty(root: XmlElement): ExpandedProperty[] {
  const named: PropertyName[] = [];
  const expanded = readProperties(root, named);
  requireFewProperties(named);
  return expanded;
}

function readProperties(root: XmlElement, named: PropertyName[]): ExpandedProperty[] {
  return childrenNamed(root, DAV_NAMESPACE, 'property').map((element) => {
    const name = element.attributes.get('name') ?? '';
    const namespace = element.attributes.get('namespace') ?? DAV_NAMESPACE;
    // it becomes an element of the answer
    if (!/^[A-Za-z_][\w.-]*$/.test(name) || /^http:\/\/www\.w3\.org\/(?:XML|2000\/xmlns)\//.test(namespace)) {
      throw new AppError('bad_request', 'A property has no usable name.');
    }
    requireRoomForProperties(named.push({ namespace, name }));
    return { property: { namespace, name }, inner: readProperties(element, named) };
  });
}

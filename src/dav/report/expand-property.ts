// expand-property (RFC 3253 section 3.8): properties of a resource, with properties of the resources that they name in
// place of hrefs. A client learns its principal, its homes and their rooms in one request.

import { AppError } from '../../errors.ts';
import { MAX_EXPANDED_RESOURCES } from '../../limits/dav.ts';
import { needsOf } from '../describer.ts';
import { resourceAt } from '../discovery.ts';
import { propertiesResponse, sendMultistatus, statusResponse } from '../multistatus.ts';
import { elementMaker } from '../properties/registry.ts';
import { type Need, type PropertyName, type Resource, requireFewProperties } from '../resource.ts';
import { childrenNamed, NAMESPACES, readXml, type XmlElement } from '../xml-read.ts';
import { elementNamed, emptyElement, type Markup, standalone, unmet } from '../xml-write.ts';
import type { ReportRequest } from './answer.ts';

/** Throws bad_request, forbidden. */
export async function answerExpandProperty(request: ReportRequest): Promise<void> {
  const { exchange, app, caller, viewer } = request;
  let left = MAX_EXPANDED_RESOURCES;
  const responseOf = async (resource: Resource, properties: readonly ExpandedProperty[]): Promise<Markup> => {
    const found: Markup[] = [];
    const missing: Markup[] = [];
    for (const { property, inner } of properties) {
      const own = elementMaker(property, viewer)(resource);
      if (!own) missing.push(emptyElement(property.namespace, property.name));
      else found.push(inner.length === 0 ? own : await expanded(own, inner));
    }
    return propertiesResponse(resource.href, [
      { status: 200, properties: found },
      { status: 404, properties: missing },
    ]);
  };
  /** The element with responses in place of its hrefs, if it has any. */
  const expanded = async (own: Markup, inner: readonly ExpandedProperty[]): Promise<Markup> => {
    const element = readXml(Buffer.from(standalone(own)));
    const responses: Markup[] = [];
    for (const { text } of childrenNamed(element, 'D:href')) {
      const href = text.trim();
      if (--left < 0) {
        throw unmet('D:number-of-matches-within-limits', 'There are too many resources to expand. Expand fewer.');
      }
      const resource = await resourceAt(exchange, app, caller, href, needsFor(inner));
      responses.push(resource ? await responseOf(resource, inner) : statusResponse(href, 404));
    }
    return responses.length === 0 ? own : elementNamed(element, ...responses);
  };
  const properties = readExpandProperty(request.root);
  const resource = await request.find(needsFor(properties));
  return sendMultistatus(exchange, [[await responseOf(resource, properties)]]);
}

function needsFor(properties: readonly ExpandedProperty[]): ReadonlySet<Need> {
  return needsOf({ kind: 'some', properties: properties.map(({ property }) => property) });
}

interface ExpandedProperty {
  property: PropertyName;
  /** empty: the property as it is */
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
  return childrenNamed(root, 'D:property').map((element) => {
    const name = element.attributes.get('name') ?? '';
    const namespace = element.attributes.get('namespace') ?? NAMESPACES.D!;
    // the name becomes an element of the answer
    if (!/^[A-Za-z_][\w.-]*$/.test(name) || /^http:\/\/www\.w3\.org\/(?:XML|2000\/xmlns)\//.test(namespace)) {
      throw new AppError('bad_request', 'A property has an invalid name.');
    }
    named.push({ namespace, name });
    return { property: { namespace, name }, inner: readProperties(element, named) };
  });
}

// The form in which each file of this folder lists the live properties of one RFC (RFC 4918 section 15 and its like).

import type { Need, Resource, Viewer } from '../resource.ts';
import { type Content, element, type Markup } from '../xml-write.ts';

export interface LiveProperty {
  /** `allprop` gives it: only those of RFC 4918 (RFC 4918 section 9.1, RFC 4791 section 5.2, RFC 3744 section 5) */
  isInAllprop?: boolean;
  /** PROPPATCH may set it; then it is kept as dead properties are, and `elementOf` tells what holds until it is set */
  isSettable?: boolean;
  needs?: Need;
  /** of a member it says what the member is, whoever asks, and whatever was done with it; in some 100 bytes */
  isOfMemberAlone?: boolean;
  /** whether a resource has it at all, as `propname` tells; each has it where this is missing */
  isOn?(resource: Resource): boolean;
  /** the whole element; undefined where the fact it is made from is not known */
  elementOf(resource: Resource, viewer: Viewer): Markup | undefined;
}

/** by prefixed name: `'D:getetag'` */
export type PropertyTable = Readonly<Record<string, LiveProperty>>;

/** An element with this content; undefined without. */
export function optional(name: string, content: Content | undefined): Markup | undefined {
  return content === undefined ? undefined : element(name, content);
}

/** `<D:owner><D:href>/svc/u/alice/</D:href></D:owner>` */
export function hrefElement(name: string, ...hrefs: readonly string[]): Markup {
  return element(name, ...hrefs.map((href) => element('D:href', href)));
}

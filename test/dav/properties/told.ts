// What resources tell of themselves, for tests of live properties.

import { ALLPROP_PROPERTIES, elementMaker } from '../../../src/dav/properties/registry.ts';
import type { Resource } from '../../../src/dav/resource.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';

export const VIEWER = { prefix: '/svc/', principal: '/svc/u/alice/', maxResourceSize: 1000 };
export const resource = (facts: Partial<Resource>): Resource => ({
  kind: 'member',
  href: '/',
  displayName: 'n',
  ...facts,
});
export const told = (prefixed: string, facts: Partial<Resource>) =>
  elementMaker(expandedName(prefixed), VIEWER)(resource(facts))?.text;

/** as allprop gives them */
export const tell = (facts: Partial<Resource>) =>
  ALLPROP_PROPERTIES.map((property) => elementMaker(property, VIEWER)(resource(facts))?.text).filter(
    (text) => text !== undefined,
  );

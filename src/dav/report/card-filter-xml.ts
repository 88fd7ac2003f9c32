// The filter of an address book query as data (RFC 6352 section 10.5), with its preconditions supported-filter and
// supported-collation (RFC 6352 section 8.6).

import type { CardFilter, CardPropFilter, Test } from '../../mime/objects/card-filter.ts';
import type { XmlElement } from '../xml-read.ts';
import { CARDDAV_NAMESPACE } from '../xml-write.ts';
import { FilterXml } from './filter-xml.ts';

/** `filter`: the element CR:filter. Throws FailedCondition. */
export function readCardFilter(filter: XmlElement): CardFilter {
  const xml = new FilterXml(CARDDAV_NAMESPACE);
  xml.requireOnly(filter, ['prop-filter']);
  return { test: testOf(xml, filter), props: xml.all(filter, 'prop-filter').map((one) => propFilter(xml, one)) };
}

function propFilter(xml: FilterXml, element: XmlElement): CardPropFilter {
  const [name, test] = [xml.nameOf(element), testOf(xml, element)];
  xml.requireOnly(element, ['is-not-defined', 'text-match', 'param-filter']);
  if (xml.isNotDefined(element, ['text-match', 'param-filter'])) {
    return { name, test, isNotDefined: true, textMatches: [], params: [] };
  }
  const textMatches = xml.all(element, 'text-match').map((one) => xml.textMatch(one));
  return { name, test, textMatches, params: xml.paramFilters(element) };
}

function testOf(xml: FilterXml, { attributes }: XmlElement): Test {
  const test = attributes.get('test') ?? 'anyof';
  if (test === 'anyof' || test === 'allof') return test;
  throw xml.invalid();
}

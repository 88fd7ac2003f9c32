// CR:address-data as a report asks for it: the properties of a contact (RFC 6352 section 10.4). A contact comes in the
// version of vCard that it was stored in.

import { AppError } from '../../errors.ts';
import { MAX_PICKED_PARTS } from '../../limits/dav.ts';
import { writeComponent } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { type PropSelection, selectCard } from '../../mime/objects/expand.ts';
import { childrenNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { CARDDAV_NAMESPACE } from '../xml-write.ts';
import { propSelection } from './calendar-data.ts';
import { FailedCondition } from './condition.ts';

export interface AddressData {
  /** none: all */
  props: readonly PropSelection[];
}

/** Throws bad_request, and FailedCondition for another format than vCard 3.0 and 4.0. */
export function readAddressData(element: XmlElement): AddressData {
  const { attributes } = element;
  const type = attributes.get('content-type') ?? 'text/vcard';
  if (type.toLowerCase() !== 'text/vcard' || !['3.0', '4.0'].includes(attributes.get('version') ?? '3.0')) {
    throw FailedCondition.card('supported-address-data');
  }
  const props = childrenNamed(element, CARDDAV_NAMESPACE, 'prop');
  if (props.length > MAX_PICKED_PARTS) throw new AppError('bad_request', 'Too many properties are named.');
  const isAll = childrenNamed(element, CARDDAV_NAMESPACE, 'allprop').length > 0;
  return { props: isAll ? [] : props.map(propSelection) };
}

/** The text of the contact as `data` wants it. */
export function addressDataText(card: Component, { props }: AddressData): string {
  return writeComponent(selectCard(card, props));
}

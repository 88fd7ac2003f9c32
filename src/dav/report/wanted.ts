// Which properties a report asks for, and in what form the data of objects among them: C:calendar-data and
// CR:address-data are properties of reports only (RFC 4791 section 9.6, RFC 6352 section 10.4).

import { parseWanted, type WantedProperties } from '../propfind-body.ts';
import { childNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { CALDAV_NAMESPACE, CARDDAV_NAMESPACE, DAV_NAMESPACE } from '../xml-write.ts';
import { type AddressData, readAddressData } from './address-data.ts';
import { type CalendarData, readCalendarData } from './calendar-data.ts';

export interface ReportProperties {
  wanted: WantedProperties;
  /** undefined where it is not asked for */
  calendarData: CalendarData | undefined;
  addressData: AddressData | undefined;
}

/** One that names no properties asks for none. Throws bad_request, FailedCondition. */
export function readWanted(root: XmlElement): ReportProperties {
  const wanted = parseWanted(root) ?? { kind: 'some', properties: [] };
  const properties = wanted.kind === 'some' ? childNamed(root, DAV_NAMESPACE, 'prop') : undefined;
  const calendar = properties && childNamed(properties, CALDAV_NAMESPACE, 'calendar-data');
  const address = properties && childNamed(properties, CARDDAV_NAMESPACE, 'address-data');
  return {
    wanted,
    calendarData: calendar && readCalendarData(calendar),
    addressData: address && readAddressData(address),
  };
}

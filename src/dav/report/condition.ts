// Preconditions of reports: a request that one of them forbids is answered 403 with its element (RFC 3253 section 1.6,
// RFC 4918 section 16).

import { AppError } from '../../errors.ts';
import { CALDAV_NAMESPACE, CARDDAV_NAMESPACE, DAV_NAMESPACE } from '../xml-read.ts';

/** RFC 3253 section 3.6, RFC 6578 section 3.2 */
type DavCondition = 'supported-report' | 'valid-sync-token' | 'number-of-matches-within-limits';
/** RFC 4791 sections 7.8 to 7.10, RFC 7809 section 5.2.2 */
type CalendarCondition =
  | 'supported-calendar-data'
  | 'valid-calendar-data'
  | 'valid-filter'
  | 'supported-filter'
  | 'supported-collation'
  | 'valid-timezone';
/** RFC 6352 section 8.6 */
type CardCondition = 'supported-address-data' | 'supported-filter' | 'supported-collation';

export class FailedCondition extends AppError {
  private constructor(namespace: string, name: string) {
    super('forbidden', `The precondition ${name} does not hold.`, { condition: { namespace, name, hrefs: [] } });
    this.name = 'FailedCondition';
  }

  static dav(name: DavCondition): FailedCondition {
    return new FailedCondition(DAV_NAMESPACE, name);
  }

  static calendar(name: CalendarCondition): FailedCondition {
    return new FailedCondition(CALDAV_NAMESPACE, name);
  }

  static card(name: CardCondition): FailedCondition {
    return new FailedCondition(CARDDAV_NAMESPACE, name);
  }
}

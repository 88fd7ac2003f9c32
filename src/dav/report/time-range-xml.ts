// Ranges of time in reports (RFC 4791 sections 9.6.5 to 9.6.7 and 9.9): times in UTC, of which one may be missing.

import { AppError } from '../../errors.ts';
import { parseDateTime } from '../../mime/objects/calendar-time.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import type { XmlElement } from '../xml-read.ts';

/** undefined where both are missing, one is no time in UTC, or the end is not behind the start. */
export function readTimeRange({ attributes }: XmlElement): TimeRange | undefined {
  const [from, to] = [attributes.get('start'), attributes.get('end')];
  if (from === undefined && to === undefined) return undefined;
  const start = from === undefined ? Number.NEGATIVE_INFINITY : utcTime(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : utcTime(to);
  return start !== undefined && end !== undefined && start < end ? { start, end } : undefined;
}

/** One with both times. Throws bad_request. */
export function readClosedRange(element: XmlElement): TimeRange {
  const range = readTimeRange(element);
  if (range && Number.isFinite(range.start) && Number.isFinite(range.end)) return range;
  throw new AppError('bad_request', `${element.name} takes a start and a later end, both in UTC.`);
}

/** `20260601T000000Z` → Unix seconds */
function utcTime(text: string): number | undefined {
  return /^\d{8}T\d{6}Z$/.test(text) ? parseDateTime(text)?.seconds : undefined;
}

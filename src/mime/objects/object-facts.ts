// What queries ask of a stored object first, so that most need not be read to answer one: its component and when it may
// take place at all (RFC 4791 section 4.1).

import { MAX_EXTENT_STEPS } from '../../limits/mime.ts';
import type { Steps } from '../../system/steps.ts';
import type { Component } from './content-lines.ts';
import { calendarExtent } from './extent.ts';
import type { TimeRange } from './instances.ts';

export interface ObjectFacts {
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY or VCARD; undefined where it holds several, or none of them */
  component: string | undefined;
  /** as calendarExtent; undefined for a card */
  extent: TimeRange | undefined;
}

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/** Of what parseObject has read; undefined where that is no whole VCALENDAR or VCARD. */
export function* wholeObjectFacts(object: Component | undefined): Steps<ObjectFacts | undefined> {
  return object?.name === 'VCALENDAR' || object?.name === 'VCARD' ? yield* objectFacts(object) : undefined;
}

/** Of a VCALENDAR or VCARD as parseObject makes it. */
export function* objectFacts(object: Component): Steps<ObjectFacts> {
  if (object.name === 'VCARD') return { component: 'VCARD', extent: undefined };
  const kinds = new Set(object.components.map(({ name }) => name).filter((name) => KINDS.has(name)));
  const [component] = kinds;
  return {
    component: kinds.size === 1 ? component : undefined,
    extent: yield* calendarExtent(object, { steps: MAX_EXTENT_STEPS }),
  };
}

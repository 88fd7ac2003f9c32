// Whether a calendar object or a card may be stored: to read a large one takes long.

import { checkCalendar } from '../mime/objects/check-calendar.ts';
import { checkCard } from '../mime/objects/check-card.ts';
import type { CheckedObject, ObjectJob } from './job.ts';

/** Never throws. */
export function checkObject({ source, components }: Pick<ObjectJob, 'source' | 'components'>): CheckedObject {
  const text = source.toString('utf8');
  const checked = components ? checkCalendar(text, components) : checkCard(text);
  return checked.fault ? { fault: checked.fault } : { uid: checked.uid };
}

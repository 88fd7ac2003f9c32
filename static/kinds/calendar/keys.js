// The keys of a calendar: those of its views, and those of what has the focus in it. With Alt the arrows move an event,
// with Alt and Shift they make it longer or shorter.

import { t } from '../../core/i18n.js';
import { addDays, addMonths } from '../../formats/days.js';

/** @import { Command } from '../../core/commands.js' */
/** @import { ViewName } from './routes.js' */

/**
 * @param {object} doing
 * @param {() => unknown} doing.create
 * @param {() => boolean} doing.canCreate
 * @param {(by: 1 | -1) => unknown} doing.step
 * @param {() => unknown} doing.goToday
 * @param {(view: ViewName) => unknown} doing.choose
 * @param {() => unknown} doing.back
 * @returns {Command[]}
 */
export function calendarCommands({ create, canCreate, step, goToday, choose, back }) {
  const group = t('kind.calendar');
  return [
    { id: 'new-event', label: t('calendar.new'), group, keys: ['n'], icon: 'plus', run: create, isReady: canCreate },
    { id: 'calendar-today', label: t('calendar.today'), group, keys: ['t'], icon: 'calendar', run: goToday },
    { id: 'calendar-later', label: t('calendar.later'), group, keys: ['j'], icon: 'chevron-right', run: () => step(1) },
    {
      id: 'calendar-earlier',
      label: t('calendar.earlier'),
      group,
      keys: ['k'],
      icon: 'chevron-left',
      run: () => step(-1),
    },
    { id: 'calendar-day', label: t('calendar.view.day'), group, keys: ['d'], run: () => choose('day') },
    { id: 'calendar-week', label: t('calendar.view.week'), group, keys: ['w'], run: () => choose('week') },
    { id: 'calendar-month', label: t('calendar.view.month'), group, keys: ['m'], run: () => choose('month') },
    { id: 'calendar-agenda', label: t('calendar.view.agenda'), group, keys: ['l'], run: () => choose('agenda') },
    { id: 'calendar-back', label: t('command.back'), group, keys: ['u'], icon: 'arrow-left', run: back },
  ];
}

/** @typedef {{ kind: 'move' | 'resize', days: number, minutes: number } | { kind: 'delete' }} EventKey */

const STEP = 15;

/**
 * What a key does to the event that has the focus.
 * @param {KeyboardEvent} event @param {ViewName} view @param {boolean} isRtl @param {boolean} isBar it has no time
 * @returns {EventKey | undefined}
 */
export function eventKey({ key, altKey, shiftKey, ctrlKey, metaKey }, view, isRtl, isBar) {
  if (ctrlKey || metaKey) return undefined;
  if (key === 'Delete' && !altKey) return { kind: 'delete' };
  if (!altKey || !key.startsWith('Arrow')) return undefined;
  const kind = shiftKey ? 'resize' : 'move';
  const side = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  const down = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const days = isRtl ? -side : side;
  if (view === 'month' || view === 'agenda') return { kind, days: days + down * 7, minutes: 0 };
  return isBar ? { kind, days: days + down, minutes: 0 } : { kind, days, minutes: down * STEP };
}

/** The day that a key leads to in a month. @param {KeyboardEvent} event @param {string} day @param {boolean} isRtl */
export function dayKey({ key, altKey, ctrlKey, metaKey }, day, isRtl) {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (key === 'ArrowLeft') return addDays(day, isRtl ? 1 : -1);
  if (key === 'ArrowRight') return addDays(day, isRtl ? -1 : 1);
  if (key === 'ArrowUp') return addDays(day, -7);
  if (key === 'ArrowDown') return addDays(day, 7);
  if (key === 'PageUp') return addMonths(day, -1);
  return key === 'PageDown' ? addMonths(day, 1) : undefined;
}

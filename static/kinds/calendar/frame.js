// The panes of a calendar, and drawing a view into them again and again: the place that was scrolled to stays, and what
// had the focus has it.

import { roomAddress } from '../../api/rooms.js';
import { element, query } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { locale, t } from '../../core/i18n.js';
import { formatDay } from '../../formats/days.js';
import { FIRST_DAY } from '../../ui/date-picker.js';
import { dropZone } from '../../ui/drop-zone.js';
import { errorBox } from '../../ui/notices.js';
import { agendaList } from './agenda.js';
import { daysText } from './format.js';
import { hourGrid, scrollToMorning } from './grid.js';
import { calendarHead } from './head.js';
import { dayList, monthTable } from './month.js';
import { daysInSight } from './routes.js';
import { calendarList, miniMonth } from './sidebar.js';

/** @import { Context } from '../kind.d.ts' */
/** @import { CalendarRoom } from './calendars.js' */
/** @import { CalendarRoute, ViewName } from './routes.js' */
/** @import { ShownEvent } from './source.js' */

const NARROW_REM = 40;
/** below it a head has no room for days and months in full */
const TIGHT_REM = 56;
/** a line of a month, its number above, its names of days, in rem */
const LINE_REM = 1.5;
const NUMBER_REM = 2.125;
const NAMES_REM = 2;
const SWIPE_PX = 60;

/**
 * @param {HTMLElement} host @param {Context} context
 * @param {object} doing
 * @param {(by: 1 | -1) => unknown} doing.step
 * @param {(view: ViewName) => unknown} doing.choose
 * @param {() => unknown} doing.goToday
 * @param {(() => unknown) | undefined} doing.create
 * @param {(button: HTMLElement) => unknown} doing.more
 * @param {(name: string, isOn: boolean) => unknown} doing.chooseRoom
 * @param {() => void} doing.redraw
 * @param {(by: 1 | -1) => unknown} doing.swipe
 * @param {(files: File[]) => unknown} doing.drop
 */
export function calendarFrame(host, context, { step, choose, goToday, create, more, chooseRoom, redraw, swipe, drop }) {
  const menu = { label: t('list.more'), icon: 'more', hasMenu: true, run: more };
  const fresh = create && { label: t('calendar.new'), icon: 'plus', run: create };
  const { head, steps, title, set } = calendarHead({ step, goToday, choose, more: menu, create: fresh });
  const body = element('div', { class: 'pane-body calendar-body' });
  const faults = element('div', {});
  const side = element('div', { class: 'pane-body today' });
  const address = element(
    'p',
    { class: 'hint small muted' },
    `${t('entries.address')} `,
    element('code', {}, roomAddress(context.store.name)),
  );
  const pane = element(
    'section',
    { class: 'pane calendar', 'data-shown': true, 'aria-labelledby': 'calendar-title' },
    head,
    steps,
    faults,
    body,
  );
  host.replaceChildren(
    element(
      'div',
      { class: 'panes', 'data-layout': 'nav' },
      element('aside', { class: 'pane', 'data-tone': 'sunken', 'aria-label': t('calendar.side') }, side),
      pane,
    ),
  );
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  let shape = '';
  let isTurned = true;
  /** @type {string | undefined} the month that the small one was turned to */
  let turned;
  let said = '';
  const isNarrow = () => pane.clientWidth < NARROW_REM * rem;
  const isTight = () => pane.clientWidth < TIGHT_REM * rem;
  const shapeNow = () => `${isNarrow()} ${isTight()} ${linesIn(5)}`;
  const linesIn = (/** @type {number} */ weeks) =>
    Math.max(1, Math.floor(((body.clientHeight - NAMES_REM * rem) / weeks - NUMBER_REM * rem) / (LINE_REM * rem)));
  const watching = new ResizeObserver(() => {
    if (shape !== '' && shapeNow() !== shape) redraw();
  });
  watching.observe(pane);
  const stopDrops = dropZone(pane, drop);
  listenForSwipes(body, swipe);

  /** @param {ShownEvent[]} events @param {{ route: CalendarRoute, first: string, last: string }} sight */
  function content(events, { route, first, last }) {
    const room = context.store.name;
    const { view, day } = route;
    if (view === 'agenda') return [agendaList(events, { first, last, room, create })];
    if (view === 'day') return [hourGrid(events, day, 1, { room, selected: day, view })];
    if (view === 'week')
      return [hourGrid(events, first, 7, { room, selected: day, view: isNarrow() ? 'week' : 'day' })];
    const weeks = Math.round((Date.parse(last) - Date.parse(first)) / 604_800_000 + 0.5);
    const table = monthTable(events, day, { room, lines: linesIn(weeks), isNarrow: isNarrow() });
    return isNarrow() ? [table, dayList(events, day)] : [table];
  }

  return {
    body,
    isNarrow,
    title: () => said,
    /** @param {CalendarRoute} route @param {boolean} isOther another view than before */
    turnTo({ view, day }, isOther) {
      isTurned = isTurned || isOther;
      turned = undefined;
      said = titleOf(view, day);
    },
    /**
     * @param {ShownEvent[]} events
     * @param {{ route: CalendarRoute, rooms: CalendarRoom[], first: string, last: string }} sight
     */
    draw(events, sight) {
      const { route, rooms, first, last } = sight;
      shape = shapeNow();
      said = titleOf(route.view, route.day);
      set(titleOf(route.view, route.day, isTight()), route.view);
      context.setBar({
        title: shortTitle(route, isNarrow()),
        actions: [{ label: t('calendar.today'), icon: 'calendar', run: goToday }, ...(fresh ? [fresh] : []), menu],
      });
      const focus = focusIn(body);
      const { scrollTop } = body;
      body.dataset.view = route.view;
      body.replaceChildren(...content(events, sight));
      if (isTurned && (route.view === 'week' || route.view === 'day')) scrollToMorning(body);
      else body.scrollTop = isTurned ? 0 : scrollTop;
      isTurned = false;
      if (focus) query(body, focus)?.focus({ preventScroll: true });
      const mini = miniMonth(
        { room: context.store.name, view: route.view, day: route.day, first, last },
        turned ?? route.day,
        (month) => {
          turned = month;
          redraw();
        },
      );
      const sideFocus = focusIn(side);
      side.replaceChildren(mini, calendarList(rooms, chooseRoom), address);
      if (sideFocus) query(side, sideFocus)?.focus({ preventScroll: true });
    },
    focus() {
      const active = document.activeElement;
      if (!active || active === document.body || !host.contains(active)) takeFocus(title, { preventScroll: true });
    },
    /** @param {boolean} isBusy */
    setBusy(isBusy) {
      body.setAttribute('aria-busy', String(isBusy));
    },
    /** @param {unknown} problem undefined for none @param {() => void} retry */
    showFault(problem, retry) {
      faults.replaceChildren(...(problem === undefined ? [] : [errorBox(problem, retry)]));
    },
    unmount() {
      watching.disconnect();
      stopDrops();
    },
  };
}

/** What the head says is in sight. @param {ViewName} view @param {string} day @param {boolean} [isShort] */
function titleOf(view, day, isShort = false) {
  const width = isShort ? 'short' : 'long';
  if (view === 'month') return formatDay(day, locale, { month: width, year: 'numeric' });
  if (view === 'day') return formatDay(day, locale, { weekday: width, day: 'numeric', month: width, year: 'numeric' });
  const { first, last } = daysInSight(view, day, FIRST_DAY);
  return daysText(first, last, { day: 'numeric', month: view === 'week' ? width : 'short', year: 'numeric' });
}

/** For a phone. @param {CalendarRoute} route @param {boolean} isNarrow */
function shortTitle({ view, day }, isNarrow) {
  if (view === 'month') return formatDay(day, locale, { month: 'short', year: 'numeric' });
  if (view === 'agenda') return t('calendar.view.agenda');
  if (view === 'week' && !isNarrow) return titleOf(view, day);
  return formatDay(day, locale, { weekday: 'short', day: 'numeric', month: 'short' });
}

/** How to find again what has the focus in there. @param {HTMLElement} node */
function focusIn(node) {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !node.contains(active) || active === node) return undefined;
  const { event } = active.dataset;
  if (event !== undefined) return `[data-event="${CSS.escape(event)}"]`;
  const day = active.closest('[data-day]')?.getAttribute('data-day');
  if (day) return `[data-day="${day}"] > a, a[data-day="${day}"]`;
  const label = active.getAttribute('aria-label');
  if (label) return `[aria-label="${CSS.escape(label)}"]`;
  const { name } = active.dataset;
  return name === undefined ? undefined : `[data-name="${CSS.escape(name)}"]`;
}

/** A finger across the view leads to the next. @param {HTMLElement} body @param {(by: 1 | -1) => unknown} swipe */
function listenForSwipes(body, swipe) {
  /** @type {Touch | undefined} */
  let from;
  body.addEventListener(
    'touchstart',
    ({ touches }) => {
      from = touches.length === 1 ? touches[0] : undefined;
    },
    { passive: true },
  );
  body.addEventListener('touchend', ({ changedTouches: [to] }) => {
    if (!from || !to) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return;
    const isRtl = getComputedStyle(body).direction === 'rtl';
    swipe(x < 0 === isRtl ? -1 : 1);
  });
}

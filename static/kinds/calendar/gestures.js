// What keys and presses do in the view of a calendar: open, change, move, go to another day.

import { queryAll } from '../../core/dom.js';
import { dayKey, eventKey } from './keys.js';
import { isBar } from './layout.js';

/** @import { CalendarRoute } from './routes.js' */
/** @import { ShownEvent } from './source.js' */

/**
 * @param {HTMLElement} body
 * @param {object} doing
 * @param {(key: string) => ShownEvent | undefined} doing.eventOf
 * @param {() => CalendarRoute} doing.route
 * @param {(anchor: HTMLElement, event: ShownEvent) => unknown} doing.open
 * @param {(event: ShownEvent) => unknown} doing.edit
 * @param {(event: ShownEvent) => unknown} doing.remove
 * @param {(event: ShownEvent, kind: 'move' | 'resize', by: { days: number, minutes: number }) => unknown} doing.shift
 * @param {(day: string) => unknown} doing.goDay
 * @param {(day: string, minutes?: number) => unknown} doing.createAt for a finger, which draws nothing
 */
export function listenForKeys(body, { eventOf, route, open, edit, remove, shift, goDay, createAt }) {
  const anchorOf = (/** @type {Event} */ { target }) =>
    target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('[data-event]')) : null;

  body.addEventListener('click', (click) => {
    const anchor = anchorOf(click);
    const event = anchor && eventOf(anchor.dataset.event ?? '');
    if (anchor && event) return open(anchor, event);
    const isTouch = click.pointerType === 'touch';
    const target = /** @type {Element} */ (click.target);
    if (!isTouch || target.closest('a, button')) return undefined;
    const cell = /** @type {HTMLElement | null} */ (target.closest('td[data-day], .week-day[data-day]'));
    const day = cell?.dataset.day;
    if (!cell || day === undefined) return undefined;
    if (!('times' in cell.dataset)) return goDay(day);
    const { top, height } = cell.getBoundingClientRect();
    return createAt(day, Math.floor(((click.clientY - top) / height) * 1440));
  });
  body.addEventListener('dblclick', (click) => {
    const anchor = anchorOf(click);
    const event = anchor && eventOf(anchor.dataset.event ?? '');
    if (event) edit(event);
  });
  body.addEventListener('keydown', (key) => {
    const isRtl = getComputedStyle(body).direction === 'rtl';
    const anchor = anchorOf(key);
    const event = anchor && eventOf(anchor.dataset.event ?? '');
    if (event) {
      const meant = eventKey(key, route().view, isRtl, isBar(event));
      if (!meant) return;
      key.preventDefault();
      key.stopPropagation();
      if (meant.kind === 'delete') remove(event);
      else shift(event, meant.kind, meant);
      return;
    }
    const cell = key.target instanceof Element ? key.target.closest('td[data-day]') : null;
    const day = cell?.getAttribute('data-day');
    if (!day || !key.target || !(/** @type {Element} */ (key.target).classList.contains('day-number'))) return;
    const next = dayKey(key, day, isRtl);
    if (!next) return;
    key.preventDefault();
    goDay(next);
    for (const each of queryAll(body, `td[data-day="${next}"] > a`)) each.focus();
  });
}

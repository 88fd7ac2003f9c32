// Drawing a new event, moving one, making one longer, with a mouse or a pen; a finger scrolls instead. What is dragged
// shows where it would be; Escape leaves everything as it was.

import { element } from '../../core/dom.js';
import { addDays, daysBetween } from '../../formats/days.js';
import { clockText } from './format.js';
import { timeOf } from './layout.js';

/** @import { ShownEvent } from './source.js' */

const STEP = 15;
const DAY_MINUTES = 1440;
/** until then it is a press, in pixels */
const STILL = 4;
const HOUR = 60;

/** @typedef {{ day: string, minutes?: number }} Spot `minutes` of the day in a column of hours */
/** @typedef {{ first: Spot, last: Spot, anchor: HTMLElement }} Drawn */

/**
 * @param {HTMLElement} host
 * @param {object} on
 * @param {(key: string) => ShownEvent | undefined} on.eventOf
 * @param {(event: ShownEvent) => boolean} on.canChange
 * @param {() => boolean} on.canDraw
 * @param {(drawn: Drawn) => void} on.draw
 * @param {(event: ShownEvent, days: number, minutes: number | undefined) => void} on.move the day counted from where it
 *   was taken; minutes of the day where it begins
 * @param {(event: ShownEvent, by: { days: number, minutes: number }) => void} on.resize
 * @param {() => void} on.release nothing is dragged any more
 */
export function listenForDrags(host, { eventOf, canChange, canDraw, draw, move, resize, release }) {
  /** @type {AbortController | undefined} */
  let running;

  host.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || !(down.target instanceof Element)) return;
    const start = spotAt(host, down.clientX, down.clientY);
    const item = down.target.closest('[data-event], .block-edge');
    if (!start || (!item && down.target.closest('a, button'))) return;
    const holder = item?.classList.contains('block-edge') ? item.parentElement?.querySelector('[data-event]') : item;
    const event = holder instanceof HTMLElement ? eventOf(holder.dataset.event ?? '') : undefined;
    if (holder && (!event || !canChange(event))) return;
    if (!event && !canDraw()) return;
    if (down.pointerType === 'touch') return;
    // text would be selected, and links dragged
    down.preventDefault();
    if (holder instanceof HTMLElement) holder.focus();
    follow(down, start, event, Boolean(item?.classList.contains('block-edge')));
  });

  /** @param {PointerEvent} down @param {Spot} start @param {ShownEvent | undefined} event @param {boolean} isEdge */
  function follow(down, start, event, isEdge) {
    running?.abort();
    const listening = new AbortController();
    running = listening;
    const { signal } = listening;
    const ghost = ghostIn();
    let isDragged = false;
    let spot = start;
    const grip =
      event && start.minutes !== undefined && !event.isDay ? start.minutes - minutesOfEvent(event, start.day) : 0;
    const stop = () => {
      listening.abort();
      host.removeAttribute('data-dragging');
    };
    const giveUp = () => {
      ghost.remove();
      stop();
      release();
    };
    const longer = () => Math.round(((spot.minutes ?? 0) - (start.minutes ?? 0)) / STEP) * STEP;
    const show = () => {
      if (!event) ghost.span(...inOrder(start, spot));
      else if (isEdge) {
        const from = (start.minutes ?? 0) - grip;
        const to = from + (event.end - event.start) / 60 + longer();
        ghost.span({ day: start.day, minutes: Math.max(0, from) }, { day: start.day, minutes: to });
      } else if (start.minutes === undefined) ghost.mark(spot.day);
      else {
        const from = begin(spot, grip);
        ghost.span({ day: spot.day, minutes: from }, { day: spot.day, minutes: from + (event.end - event.start) / 60 });
      }
    };
    document.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        if (!isDragged && Math.hypot(clientX - down.clientX, clientY - down.clientY) < STILL) return;
        isDragged = true;
        host.setAttribute('data-dragging', isEdge ? 'edge' : event ? 'event' : 'new');
        const next = spotAt(host, clientX, clientY);
        if (next && (next.minutes === undefined) === (start.minutes === undefined)) spot = next;
        show();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape') return;
        key.preventDefault();
        key.stopPropagation();
        giveUp();
      },
      { signal, capture: true },
    );
    document.addEventListener('pointercancel', giveUp, { signal });
    document.addEventListener(
      'pointerup',
      () => {
        stop();
        if (!event) return drawn();
        ghost.remove();
        release();
        if (!isDragged) return;
        swallowClick();
        if (isEdge) resize(event, { days: 0, minutes: longer() });
        else if (start.minutes === undefined || event.isDay) move(event, daysBetween(start.day, spot.day), undefined);
        else move(event, daysBetween(start.day, spot.day), begin(spot, grip));
      },
      { signal },
    );

    function drawn() {
      const [first, last] = inOrder(start, spot);
      const isPoint = !isDragged || (first.day === last.day && first.minutes === last.minutes);
      const end =
        isPoint && first.minutes !== undefined
          ? { ...last, minutes: Math.min(DAY_MINUTES, first.minutes + HOUR) }
          : last;
      ghost.span(first, end);
      draw({ first, last: end, anchor: ghost.node });
    }
  }

  function ghostIn() {
    const time = element('span', {});
    const node = element('button', { type: 'button', class: 'ghost', 'data-hue': 0 }, time);
    const item = element('li', {}, node);
    const clear = () => {
      for (const each of host.querySelectorAll('[data-target]')) each.removeAttribute('data-target');
    };
    return {
      node,
      remove() {
        clear();
        item.remove();
      },
      /** @param {string} day */
      mark(day) {
        clear();
        for (const each of host.querySelectorAll(`td[data-day="${day}"], .bar-cell[data-day="${day}"]`)) {
          each.setAttribute('data-target', '');
        }
      },
      /** @param {Spot} first @param {Spot} last */
      span(first, last) {
        clear();
        if (first.minutes === undefined) {
          for (let day = first.day; day <= last.day; day = addDays(day, 1)) {
            for (const each of host.querySelectorAll(`td[data-day="${day}"], .bar-cell[data-day="${day}"]`)) {
              each.setAttribute('data-target', '');
            }
          }
          const cell = host.querySelector(`td[data-day="${first.day}"], .bar-cell[data-day="${first.day}"]`);
          if (cell && node.parentElement !== cell) cell.append(node);
          node.setAttribute('data-whole', '');
          return;
        }
        const column = host.querySelector(`.week-day[data-day="${first.day}"]`);
        if (column && item.parentElement !== column) column.append(item);
        const to = Math.max(first.minutes + STEP, last.minutes ?? 0);
        item.style.setProperty('--from', String(first.minutes));
        item.style.setProperty('--length', String(Math.min(DAY_MINUTES, to) - first.minutes));
        item.style.setProperty('--column', '0');
        item.style.setProperty('--columns', '1');
        item.style.setProperty('--span', '1');
        const end = timeOf(Math.min(DAY_MINUTES, to) % DAY_MINUTES);
        time.textContent = `${clockText(timeOf(first.minutes))} – ${clockText(end)}`;
      },
    };
  }
}

/** The one that comes with the end of a drag would open the event. */
function swallowClick() {
  const listening = new AbortController();
  const swallow = (/** @type {Event} */ click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  addEventListener('click', swallow, { capture: true, signal: listening.signal });
  setTimeout(() => listening.abort());
}

/** @param {Spot} spot @param {number} grip */
const begin = ({ minutes = 0 }, grip) =>
  Math.min(DAY_MINUTES - STEP, Math.max(0, Math.round((minutes - grip) / STEP) * STEP));

/** Where it begins, counted from this day. @param {ShownEvent} event @param {string} day */
function minutesOfEvent({ firstDay, startTime }, day) {
  const own = Number(startTime.slice(0, 2)) * 60 + Number(startTime.slice(3, 5));
  return own - daysBetween(firstDay, day) * DAY_MINUTES;
}

/** @param {Spot} one @param {Spot} other @returns {[Spot, Spot]} */
function inOrder(one, other) {
  if (one.minutes === undefined) return one.day <= other.day ? [one, other] : [other, one];
  const [first, last] = [one.minutes, other.minutes ?? one.minutes].sort((a, b) => a - b);
  return [
    { day: one.day, minutes: Math.max(0, Math.floor(first / STEP) * STEP) },
    { day: one.day, minutes: Math.min(DAY_MINUTES, Math.round(last / STEP) * STEP) },
  ];
}

/**
 * What is under the pointer, whatever stands above it.
 * @param {HTMLElement} host
 * @param {number} x
 * @param {number} y
 * @returns {Spot | undefined}
 */
function spotAt(host, x, y) {
  const cells = document.elementsFromPoint(x, y).filter((each) => host.contains(each));
  const cell = cells.find((each) => each.matches('td[data-day], .bar-cell[data-day], .week-day[data-day]'));
  if (!(cell instanceof HTMLElement)) return undefined;
  const day = cell.dataset.day ?? '';
  if (!('times' in cell.dataset)) return { day };
  const { top, height } = cell.getBoundingClientRect();
  return { day, minutes: ((y - top) / height) * DAY_MINUTES };
}

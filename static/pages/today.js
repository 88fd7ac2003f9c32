// Today: the date, what the calendars hold, what is due, who is here. It stands beside the inbox, and is a page of its
// own where there is no room for it there.

import { VIEW } from '../../src/model.ts';
import { readOnline } from '../api/people.js';
import { element, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { addDays, today } from '../formats/days.js';
import { longDay } from '../formats/times.js';
import { titleOf } from '../kinds/calendar/blocks.js';
import { clockText, whenText } from '../kinds/calendar/format.js';
import { ComingEvents } from '../kinds/calendar/upcoming.js';
import { kindOf } from '../kinds/index.js';
import { lists, markOf, ownRoom, roomTitle } from '../model/room-list.js';
import { user } from '../model/session.js';
import { avatar } from '../ui/avatar.js';
import { paneHead } from '../ui/pane.js';
import { skeleton } from '../ui/states.js';
import { dueSection } from './today-due.js';

/** @import { ShownEvent } from '../kinds/calendar/source.js' */

/** people that are shown */
const FACES = 12;
const MINUTE_MS = 60_000;

/** The page. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export function show(host, _args, signal) {
  const side = element('div', { class: 'pane-body' });
  const head = paneHead({ title: t('today.title'), id: 'page-title' });
  const attributes = { class: 'pane', 'data-shown': true, 'aria-labelledby': 'page-title' };
  host.replaceChildren(element('div', { class: 'panes' }, element('section', attributes, head, side)));
  fillToday(side, signal);
}

/** Fills itself, and keeps up with the calendars. @param {HTMLElement} side @param {AbortSignal} signal */
export function fillToday(side, signal) {
  const coming = new ComingEvents();
  const agenda = element('div', {}, skeleton(3));
  const faces = element('div', {});
  const due = dueSection(signal);
  const weekday = element('p', { class: 'muted' });
  const title = element('h2', { class: 'title', id: 'today-title' });
  side.replaceChildren(
    element('div', { class: 'today' }, element('header', {}, weekday, title), agenda, due.node, faces),
  );
  let day = '';
  let marks = '';

  async function showEvents() {
    const from = new Date(`${day}T00:00`).getTime() / 1000;
    const to = new Date(`${addDays(day, 1)}T00:00`).getTime() / 1000;
    const events = await coming.read({ from, to }, signal);
    if (signal.aborted) return;
    const shown = events.filter(({ status, end, start }) => status !== 'CANCELLED' && (end > from || start >= from));
    const address = ownRoom(VIEW.calendar) && routeTo(ownRoom(VIEW.calendar)?.name ?? '', 'day', day);
    renew(agenda, [
      element(
        'section',
        { class: 'stack', 'aria-labelledby': 'agenda-title' },
        element(
          'h3',
          { class: 'section', id: 'agenda-title' },
          address ? element('a', { class: 'quiet-link', href: address }, t('today.agenda')) : t('today.agenda'),
        ),
        shown.length === 0
          ? element('p', { class: 'muted' }, t('today.free'))
          : element(
              'ol',
              { class: 'agenda' },
              shown.map((event) => eventItem(event, day, coming.numberOf(event))),
            ),
      ),
    ]);
  }

  /** Anew where the day is another one, or a calendar or a list of tasks has changed. */
  function look() {
    const now = marksOfDated();
    if (day === today() && now === marks) return;
    marks = now;
    day = today();
    const said = longDay(new Date());
    weekday.textContent = said.weekday;
    title.textContent = said.date;
    showEvents();
    due.read(day);
  }

  look();
  showFaces(faces, signal);
  const unlisten = lists.subscribe(look);
  const timer = setInterval(look, MINUTE_MS);
  signal.addEventListener('abort', () => {
    unlisten();
    clearInterval(timer);
  });
}

const marksOfDated = () =>
  lists
    .get()
    .rooms.filter((room) => kindOf(room).isDated)
    .map((room) => `${room.name} ${markOf(room)}`)
    .join('\n');

/** @param {ShownEvent} event @param {string} day @param {number} msgnum */
function eventItem(event, day, msgnum) {
  const isWhole = event.isDay || (event.firstDay < day && event.lastDay > day);
  const now = Date.now() / 1000;
  return element(
    'li',
    { 'data-hue': event.hue, 'data-now': event.start <= now && now < event.end, 'data-past': event.end <= now },
    element(
      'time',
      { 'data-whole': isWhole },
      isWhole ? t('calendar.all-day') : clockText(event.firstDay < day ? '00:00' : event.startTime),
    ),
    element(
      'a',
      { href: routeTo(event.room, msgnum), title: whenText(event) },
      element('b', { dir: 'auto' }, titleOf(event)),
      element('span', { dir: 'auto' }, event.place || roomTitle(event.room)),
    ),
  );
}

/** Who is here beside the reader. @param {HTMLElement} faces @param {AbortSignal} signal */
async function showFaces(faces, signal) {
  const people = await readOnline(signal).catch(() => []);
  const names = [...new Set(people.map(({ username }) => username))].filter((name) => name !== user.get()?.username);
  if (names.length === 0) return;
  faces.replaceChildren(
    element(
      'section',
      { class: 'stack', 'aria-labelledby': 'here-title' },
      element(
        'h3',
        { class: 'section', id: 'here-title' },
        element('a', { class: 'quiet-link', href: pageAddress('people') }, t('home.here')),
      ),
      element(
        'ul',
        { class: 'group faces', 'data-gap': '2' },
        names
          .slice(0, FACES)
          .map((name) =>
            element(
              'li',
              {},
              element(
                'a',
                { class: 'plain', href: pageAddress('chat', name), title: name, 'aria-label': name },
                avatar(name, { isOnline: true }),
              ),
            ),
          ),
      ),
    ),
  );
}

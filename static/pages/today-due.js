// What is due within a week, from all lists of tasks, ticked off where it stands. Without a connection a tick waits,
// and what the service worker has of the lists is shown.

import { queryDue } from '../api/calendars.js';
import { element, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { readTasks } from '../formats/calendar.js';
import { tickTask } from '../formats/calendar-new.js';
import { addDays, addMonths } from '../formats/days.js';
import { kindOf } from '../kinds/index.js';
import { taskRow } from '../kinds/tasks/row.js';
import { keepUndecided, writeOver } from '../model/object-writing.js';
import { numberOf, orLater, outbox } from '../model/outbox.js';
import { objectWork } from '../model/outbox-joining.js';
import { lists } from '../model/room-list.js';
import { nameOfKey, waitingObjects } from '../model/waiting-objects.js';
import { offerBack, tellProblem } from '../ui/notices.js';
import { askVersion } from '../ui/versions.js';

/** @import { CalendarObject } from '../api/calendars.js' */
/** @import { CalendarTask } from '../formats/calendar.js' */
/** @typedef {{ room: string, canWrite: boolean, objects: CalendarObject[] }} List */
/**
 * `stored` is what the server has of it, with the name that it goes by there; undefined for what only waits to be sent.
 * @typedef {{ room: string, canWrite: boolean, task: CalendarTask, text: string, stored?: CalendarObject }} Due
 */

/** lists of tasks that are asked, one's own first: each is a request */
const MOST_READ = 8;
const MOST_SHOWN = 8;
const AHEAD_DAYS = 7;
const TYPE = 'text/calendar; charset=utf-8';
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** @param {AbortSignal} signal */
export function dueSection(signal) {
  const node = element('div', {});
  let day = '';
  /** @type {List[]} */
  let found = [];

  /** @param {string} today */
  async function read(today) {
    day = today;
    const rooms = lists
      .get()
      .rooms.filter((room) => kindOf(room).label === 'kind.tasks' && !room.is_zapped && !room.is_password_protected)
      .sort((a, b) => Number(b.is_mailbox) - Number(a.is_mailbox))
      .slice(0, MOST_READ);
    const read = await Promise.all(
      rooms.map(async ({ name: room, is_read_only }) => ({
        room,
        canWrite: !is_read_only,
        objects: await readDue(room, day, signal).catch(() => []),
      })),
    );
    if (signal.aborted) return;
    found = read;
    show();
  }

  function show() {
    const end = startOf(addDays(day, AHEAD_DAYS));
    const open = found
      .flatMap(dueOf)
      .filter(({ task }) => !task.isDone && task.due && (task.dueAt ?? 0) < end)
      .sort((a, b) => (a.task.dueAt ?? 0) - (b.task.dueAt ?? 0));
    if (open.length === 0) return node.replaceChildren();
    const title = element('h3', { class: 'section', id: 'due-title' }, t('today.due'));
    const rows = open.slice(0, MOST_SHOWN).map((due) => dueRow(due));
    const left = open.length - rows.length;
    renew(node, [
      element(
        'section',
        { class: 'stack', 'data-gap': '1', 'aria-labelledby': 'due-title' },
        title,
        element('ul', { class: 'flush' }, rows),
        left > 0 && element('p', { class: 'muted small' }, t('today.more-due', { count: left })),
      ),
    ]);
  }

  /** @param {Due} due */
  const dueRow = (due) =>
    taskRow(due.task, {
      href: routeTo(due.room, 'task', due.task.uid),
      canChange: due.canWrite,
      tick: (isDone, box) =>
        tellProblem(async () => {
          try {
            await tick(due, isDone);
          } catch (problem) {
            box.checked = !isDone;
            throw problem;
          }
        }),
    });

  /** @param {Due} due @param {boolean} isDone */
  async function tick(due, isDone) {
    const { uid, title, rule } = due.task;
    const ticked = tickTask(due.text, isDone, uid, { zone });
    await change(due, (text) => (text === due.text ? ticked : tickTask(text, isDone, uid, { zone })));
    const words = rule === '' ? 'tasks.ticked' : 'tasks.ticked-next';
    const undo = () => change(due, () => due.text, ticked);
    if (isDone) offerBack(t(words, { title: title || t('tasks.untitled') }), undo);
  }

  /**
   * Throws Problem.
   * @param {Due} due @param {(text: string) => string | undefined} to undefined leaves it as it is
   * @param {string} [seen] what is changed
   */
  async function change({ room, task, text: shown, stored }, to, seen = shown) {
    const key = task.uid || `number:${numberOf(stored?.etag ?? '')}`;
    const write = async () => {
      const written = to(seen);
      if (written !== undefined) {
        const base = { etag: seen === stored?.text ? stored.etag : '', text: seen };
        const what = { room, name: stored?.name ?? key, type: TYPE, text: written, base };
        const over = objectWork({ ...what, title: task.title || t('tasks.untitled'), place: ['task', key] });
        await keepUndecided(over, () => writeOver(over, askVersion, { isKnown: base.etag !== '' }));
      }
      await read(day);
    };
    const work = () => {
      const text = to(waitingObjects(room).waiting.get(key)?.text ?? stored?.text ?? '');
      if (text === undefined) return undefined;
      const base = stored && { etag: stored.etag, text: stored.text };
      const title = task.title || t('tasks.untitled');
      return objectWork({ room, name: nameOfKey(key), type: TYPE, text, base, title, place: ['task', key] });
    };
    await orLater(work, write, room);
  }

  const unlisten = outbox.subscribe(() => day !== '' && show());
  signal.addEventListener('abort', unlisten);
  return { node, read };
}

/** What a list has, and what waits to be done to it. @param {List} list @returns {Due[]} */
function dueOf({ room, canWrite, objects }) {
  const { waiting } = waitingObjects(room);
  /** @param {string} text @param {CalendarObject} [stored] */
  const dues = (text, stored) => readTasks(text, zone).map((task) => ({ room, canWrite, task, text, stored }));
  const listed = objects.flatMap((stored) => {
    const [task] = readTasks(stored.text, zone);
    const work = task && waiting.get(task.uid || `number:${numberOf(stored.etag)}`);
    return work ? dues(work.text ?? '', stored) : dues(stored.text, stored);
  });
  const isNew = [...waiting.values()].filter(({ base }) => base === undefined);
  return [...listed, ...isNew.flatMap(({ text = '' }) => dues(text))];
}

/**
 * Asked for as far as the month after the next, so that the question is the same all month long: the service worker
 * keeps the answer by what is asked. What it was asked in the month before is there on the first of the next. Throws
 * Problem.
 * @param {string} room @param {string} day @param {AbortSignal} signal
 */
function readDue(room, day, signal) {
  const first = `${day.slice(0, 7)}-01`;
  const ask = (/** @type {number} */ months) => queryDue(room, startOf(addMonths(first, months)), signal);
  return ask(2).catch((problem) => ask(1).catch(() => Promise.reject(problem)));
}

/** Unix seconds. @param {string} day */
const startOf = (day) => new Date(`${day}T00:00`).getTime() / 1000;

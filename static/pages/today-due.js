// What is due within a week, from all lists of tasks, ticked off where it stands.

import { queryDue, readObject, writeObject } from '../api/calendars.js';
import { element, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { readTasks } from '../formats/calendar.js';
import { tickTask } from '../formats/calendar-new.js';
import { addDays } from '../formats/days.js';
import { kindOf } from '../kinds/index.js';
import { taskRow } from '../kinds/tasks/row.js';
import { lists } from '../model/room-list.js';
import { tellProblem } from '../ui/notices.js';
import { showToast } from '../ui/toast.js';

/** @import { CalendarTask } from '../formats/calendar.js' */
/** @typedef {{ room: string, name: string, canWrite: boolean, task: CalendarTask }} Due */

/** lists of tasks that are asked, one's own first: each is a request */
const MOST_READ = 8;
const MOST_SHOWN = 8;
const AHEAD_DAYS = 7;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** @param {AbortSignal} signal */
export function dueSection(signal) {
  const node = element('div', {});
  let day = '';

  /** @param {string} today */
  async function read(today) {
    day = today;
    const end = new Date(`${addDays(day, AHEAD_DAYS)}T00:00`).getTime() / 1000;
    const rooms = lists
      .get()
      .rooms.filter((room) => kindOf(room).label === 'kind.tasks' && !room.is_zapped && !room.is_password_protected)
      .sort((a, b) => Number(b.is_mailbox) - Number(a.is_mailbox))
      .slice(0, MOST_READ);
    const found = await Promise.all(
      rooms.map(async ({ name: room, is_read_only }) => {
        const objects = await queryDue(room, end, signal).catch(() => []);
        return objects.flatMap(({ name, text }) =>
          readTasks(text, zone).map((task) => ({ room, name, canWrite: !is_read_only, task })),
        );
      }),
    );
    if (!signal.aborted) show(found.flat());
  }

  /** @param {Due[]} found */
  function show(found) {
    const open = found
      .filter(({ task }) => !task.isDone && task.due)
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
  const dueRow = ({ room, name, canWrite, task }) =>
    taskRow(task, {
      href: routeTo(room, 'task', task.uid),
      canChange: canWrite,
      tick: (isDone, box) =>
        tellProblem(async () => {
          try {
            await tick(room, name, task, isDone);
          } catch (problem) {
            box.checked = !isDone;
            throw problem;
          }
        }),
    });

  /** @param {string} room @param {string} name @param {CalendarTask} task @param {boolean} isDone */
  async function tick(room, name, task, isDone) {
    const { uid, title, rule } = task;
    const before = await readObject(room, name);
    const text = tickTask(before.text, isDone, uid, { zone });
    if (text === undefined) return;
    const etag = await writeObject(room, name, text, before.etag);
    if (isDone) {
      const undo = () =>
        tellProblem(async () => {
          await writeObject(room, name, before.text, etag);
          await read(day);
        });
      showToast(t(rule === '' ? 'tasks.ticked' : 'tasks.ticked-next', { title: title || t('tasks.untitled') }), {
        action: { label: t('ui.undo'), run: undo },
      });
    }
    await read(day);
  }

  return { node, read };
}

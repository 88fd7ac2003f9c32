// Tasks: one field to add, groups by when they are due, and the one that is open beside them.

import { readObjects } from '../../api/objects.js';
import { element, query, renew } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { readTasks } from '../../formats/calendar.js';
import { changeTask, newTask, tickTask } from '../../formats/calendar-new.js';
import { today } from '../../formats/days.js';
import { draftAt } from '../../model/drafts.js';
import { Objects } from '../../model/objects.js';
import { roomTitle } from '../../model/room-list.js';
import { openMenu } from '../../ui/menu.js';
import { announce, offerBack, offerUndo, tellProblem } from '../../ui/notices.js';
import { paneHead } from '../../ui/pane.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { addField } from './add.js';
import { taskDetails } from './details.js';
import { groupsOf, ORDERS, stepsOf } from './groups.js';
import { taskCommands } from './keys.js';
import { doneGroup, focusIn, group, rowOf } from './list.js';
import { taskRow } from './row.js';

/** @import { Context, View } from '../kind.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @typedef {import('../../formats/calendar.js').CalendarTask} CalendarTask */
/** @typedef {import('../../formats/calendar-fields.js').EventChange} EventChange */
/** @typedef {import('../../formats/calendar-fields.js').TaskChange} TaskChange */
/** @typedef {{ msgnum?: number, uid?: string }} TaskRoute */

/** the reader's order, kept on the device */
const ORDER = 'tasks-order';
/** what is late now was not a minute ago */
const SCAN_MS = 60_000;

/** @param {HTMLElement} host @param {Context} context @returns {View<TaskRoute>} */
export function mount(host, context) {
  const { store } = context;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const objects = new Objects(
    store,
    {
      read: (text) => readTasks(text, zone)[0],
      load: (msgnums, signal) => readObjects(store.name, 'calendar', { msgnums, signal }),
      type: 'text/calendar; charset=utf-8',
      titleOf: ({ title }) => title || t('tasks.untitled'),
      place: 'task',
    },
    refresh,
  );
  /** @type {string | undefined} */
  let open;
  /** @type {ReturnType<typeof taskDetails> | undefined} */
  let details;
  /** what the details show @type {string} */
  let detailed = '';
  /** the text that their fields were filled with, and what was written there since */
  let seen = '';
  /** changes that come from the fields, on their way */
  let own = 0;
  let isLoaded = false;
  let isDoneShown = false;
  /** @type {string | undefined} */
  let said;
  const head = element('div', { class: 'head' });
  const groups = element('div', { class: 'stack', 'data-gap': '5' }, skeleton(5));
  const column = element(
    'div',
    { class: 'column stack', 'data-gap': '5' },
    store.canPost && addField(add, draftAt(store.name, 'new task')),
    groups,
  );
  const list = element(
    'section',
    { class: 'pane', 'data-shown': true, 'aria-labelledby': 'room-title' },
    head,
    element('div', { class: 'pane-body' }, column),
  );
  const aside = element('aside', { class: 'pane', 'data-tone': 'sunken', 'aria-labelledby': 'task-heading' });
  const panes = element('div', { class: 'panes' }, list);
  host.replaceChildren(panes);
  const timer = setInterval(refresh, SCAN_MS);

  const all = () => [...objects.byKey.values()].map(({ said }) => said);
  const hrefOf = (/** @type {string} */ uid) => routeTo(store.name, 'task', uid);
  // a change takes the place of what was there
  const canChange = () => store.canPost && store.canDelete;
  const orderNow = () => ORDERS.find((each) => each === localStorage.getItem(ORDER)) ?? 'due';
  const world = () => ({ zone });

  /** @returns {PaneAction[]} */
  const actions = () => [
    { label: t('tasks.order'), icon: 'sort', hasMenu: true, run: chooseOrder },
    { label: t('tasks.more'), icon: 'more', hasMenu: true, run: openMore },
  ];

  /** @param {HTMLElement} button */
  function chooseOrder(button) {
    openMenu(
      button,
      ORDERS.map((each) => ({
        label: t(`tasks.order-${each}`),
        checked: each === orderNow(),
        run: () => {
          localStorage.setItem(ORDER, each);
          refresh();
        },
      })),
    );
  }

  /** @param {HTMLElement} button */
  function openMore(button) {
    const done = all().filter(({ isDone }) => isDone);
    openMenu(button, [
      {
        label: t('tasks.clear-done'),
        icon: 'trash',
        disabled: done.length === 0 || !store.canDelete,
        run: () => remove(done),
      },
      ...(store.isGuest
        ? []
        : [
            {
              label: t('settings.title'),
              icon: 'settings',
              run: () => (location.hash = routeTo(store.name, 'settings')),
            },
          ]),
    ]);
  }

  function refresh() {
    if (!isLoaded) return;
    const tasks = all();
    const found = groupsOf(tasks, orderNow(), today(), Date.now() / 1000);
    const count = found.filter(([name]) => name !== 'done').reduce((sum, [, members]) => sum + members.length, 0);
    showHead(t('tasks.open', { count }));
    const focus = focusIn(groups);
    const row = (/** @type {CalendarTask} */ task) =>
      taskRow(task, {
        href: hrefOf(task.uid),
        isCurrent: task.uid === open,
        isWaiting: objects.isWaiting(task.uid),
        canChange: canChange(),
        steps: stepsOf(task, tasks),
        tick: (isDone, box) => tick(task.uid, isDone, box),
      });
    const isEmpty = found.length === 0;
    renew(
      groups,
      isEmpty
        ? [emptyState({ icon: 'tasks', text: t(store.canPost ? 'tasks.empty' : 'list.empty') })]
        : found.map(([name, members]) =>
            name === 'done' ? doneGroup(members, isDoneShown, row, toggleDone) : group(name, members, row),
          ),
    );
    focus();
    showDetails();
  }

  /** @param {string} sub */
  function showHead(sub) {
    if (sub === said) return;
    said = sub;
    const hadFocus = head.contains(document.activeElement);
    head.replaceChildren(paneHead({ title: roomTitle(store.name), id: 'room-title', sub, actions: actions() }));
    if (hadFocus) query(head, 'h1')?.focus();
  }

  /** @param {boolean} isOpen */
  function toggleDone(isOpen) {
    if (isOpen === isDoneShown) return;
    isDoneShown = isOpen;
    refresh();
  }

  function showDetails() {
    const known = open === undefined ? undefined : objects.byKey.get(open);
    if (!known) {
      detailed = '';
      details = undefined;
      return;
    }
    const tasks = all();
    const steps = stepsOf(known.said, tasks);
    const now = JSON.stringify([known.said, steps]);
    if (now === detailed) return;
    const isKept = details && (own > 0 || !details.isAtRest());
    const restore = focusIn(aside);
    if (isKept) {
      details?.renew(known.said, steps);
      restore();
      // what others have changed is shown when nobody writes here any more
      if (own > 0) detailed = now;
      return;
    }
    detailed = now;
    seen = known.text;
    const { uid } = known.said;
    const isNew = !details;
    details = taskDetails(known.said, steps, {
      back: routeTo(store.name),
      canChange: canChange(),
      canDelete: store.canDelete,
      zone,
      hrefOf,
      tick,
      change: (fields) => changeOwn(uid, fields),
      write: (fields) => keep(uid, fields),
      stepDraft: draftAt(store.name, 'step', uid),
      addStep: (title) => objects.add(newTask({ title, parent: uid }, world())),
      remove: () => remove([known.said, ...stepsOf(known.said, all())]),
    });
    aside.replaceChildren(details.node);
    if (isNew) takeFocus(query(details.node, '#task-heading'));
    else restore();
  }

  /** What is written of a task and not acknowledged. @param {string} uid */
  const draftOf = (uid) => draftAt(store.name, 'task', uid);

  /** @param {string} uid @param {EventChange & TaskChange} fields */
  const keep = (uid, fields) => draftOf(uid).keep({ ...draftOf(uid).read(), ...fields });

  /** What the fields show already. @param {string} uid @param {EventChange & TaskChange} fields */
  const changeOwn = (uid, fields) =>
    tellProblem(async () => {
      const draft = draftOf(uid);
      keep(uid, fields);
      own++;
      const base = seen;
      seen = changeTask(base, fields, uid, world()) ?? base;
      try {
        await objects.change(uid, (text) => changeTask(text, fields, uid, world()), { base });
        const left = Object.entries(draft.read() ?? {}).filter(
          ([name, value]) =>
            JSON.stringify(value) !== JSON.stringify(fields[/** @type {keyof typeof fields} */ (name)]),
        );
        if (left.length === 0) draft.drop();
        else draft.keep(Object.fromEntries(left));
      } finally {
        own--;
      }
    });

  /** @param {import('./quick-add.js').QuickTask} task */
  function add({ title, day, time, isUrgent }) {
    const due = day === undefined ? {} : { due: time === undefined ? { day } : { day, time, zone } };
    return objects.add(newTask({ title, ...due, ...(isUrgent ? { priority: 1 } : {}) }, world()));
  }

  /** @param {string} uid @param {boolean} isDone @param {HTMLInputElement} box */
  async function tick(uid, isDone, box) {
    const before = objects.byKey.get(uid);
    if (!before) return;
    const { title, rule } = before.said;
    const setDone = (/** @type {boolean} */ wanted) =>
      objects.change(uid, (text) => tickTask(text, wanted, uid, world()));
    const undo = () => (rule === '' ? setDone(!isDone) : objects.change(uid, () => before.text));
    const words = rule === '' ? 'tasks.ticked' : 'tasks.ticked-next';
    if (isDone) offerBack(t(words, { title: title || t('tasks.untitled') }), undo);
    await tellProblem(async () => {
      try {
        await setDone(isDone);
      } catch (problem) {
        box.checked = !isDone;
        throw problem;
      }
    });
  }

  /** @param {CalendarTask[]} tasks */
  function remove(tasks) {
    const keys = tasks.map(({ uid }) => uid);
    const refused = (/** @type {string} */ reason) => announce(t('list.refused', { reason }));
    offerUndo(t('tasks.deleted', { count: keys.length }), (over) => objects.remove(keys, { refused, over }));
    if (open !== undefined && keys.includes(open)) location.hash = routeTo(store.name);
  }

  /** @param {boolean} isOpen */
  function turn(isOpen) {
    if (isOpen) panes.dataset.layout = 'aside';
    else delete panes.dataset.layout;
    list.toggleAttribute('data-shown', !isOpen);
    aside.toggleAttribute('data-shown', isOpen);
    if (isOpen) panes.append(aside);
    else aside.remove();
  }

  showHead('');

  return {
    parseRoute([first, uid]) {
      if (first === 'task' && uid) return { uid };
      return /^[1-9]\d*$/.test(first ?? '') ? { msgnum: Number(first) } : {};
    },
    async show(route, signal) {
      if (!isLoaded) {
        await objects.load(signal);
        isLoaded = true;
        if (store.unread > 0 && !store.isGuest) store.setAllSeen().catch(() => {});
      }
      const key = route.uid ?? (route.msgnum === undefined ? undefined : objects.keyOf(route.msgnum));
      const known = key === undefined ? undefined : objects.byKey.get(key);
      if ((route.uid !== undefined || route.msgnum !== undefined) && !known) {
        location.replace(routeTo(store.name));
        return undefined;
      }
      const before = open;
      open = key;
      const written = known && canChange() && draftOf(known.key).read();
      if (written) {
        seen = known.text;
        void changeOwn(known.key, written);
      }
      details = undefined;
      detailed = '';
      turn(known !== undefined);
      const back = known && { href: routeTo(store.name), label: store.name };
      const title = known?.said.title || t('tasks.untitled');
      context.setBar({ title: known ? title : roomTitle(store.name), back, actions: known ? [] : actions() });
      refresh();
      if (!known) {
        const row = before === undefined ? null : rowOf(groups, before);
        takeFocus(row ? query(row, 'a') : query(head, 'h1'));
      }
      return known && title;
    },
    update(delta) {
      void tellProblem(() => objects.update(delta));
    },
    unmount() {
      clearInterval(timer);
      objects.end();
    },
    commands: taskCommands({
      groups,
      canPost: () => store.canPost,
      canDelete: () => store.canDelete && chosen() !== undefined,
      back: () => (open === undefined ? context.leaveRoom() : (location.hash = routeTo(store.name))),
      remove: () => {
        const known = objects.byKey.get(chosen() ?? '');
        if (known) remove([known.said, ...stepsOf(known.said, all())]);
      },
    }),
  };

  /** The task that has the focus, or is open. */
  function chosen() {
    const row = /** @type {HTMLElement | null} */ (document.activeElement?.closest('.task[data-uid]'));
    return row?.dataset.uid ?? open;
  }
}

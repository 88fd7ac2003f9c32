// One task beside the list: every field is saved as it is left.

import { element, renew } from '../../core/dom.js';
import { language, t } from '../../core/i18n.js';
import { today } from '../../formats/days.js';
import { readRepeat, repeatText, writeRepeat } from '../../formats/repeat.js';
import { dateField } from '../../ui/date-picker.js';
import { choice, field, line, lines } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { tellProblem } from '../../ui/notices.js';
import { sentLines } from '../../ui/writing.js';
import { doneBox, taskRow } from './row.js';

/** @import { Draft } from '../../model/drafts.js' */
/** @typedef {import('../../formats/calendar.js').CalendarTask} CalendarTask */
/** @typedef {import('../../formats/calendar-fields.js').EventChange} EventChange */
/** @typedef {import('../../formats/calendar-fields.js').TaskChange} TaskChange */
/** @typedef {import('../../formats/repeat.js').Frequency} Frequency */

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const PRIORITIES = /** @type {const} */ ([
  [1, 'tasks.priority-high'],
  [5, 'tasks.priority-medium'],
  [9, 'tasks.priority-low'],
  [0, 'tasks.priority-none'],
]);

/**
 * @typedef {object} DetailsOptions
 * @property {string} back where the list is
 * @property {boolean} canChange
 * @property {boolean} canDelete
 * @property {string} zone
 * @property {(change: EventChange & TaskChange) => unknown} change
 * @property {(uid: string, isDone: boolean, box: HTMLInputElement) => unknown} tick
 * @property {(change: TaskChange & EventChange) => unknown} write hears of what is not left yet
 * @property {(title: string) => Promise<unknown>} addStep throws Problem; what was written comes back then
 * @property {Draft} stepDraft
 * @property {(uid: string) => string} hrefOf
 * @property {() => unknown} remove
 */

/** @param {CalendarTask} task @param {CalendarTask[]} steps @param {DetailsOptions} options */
export function taskDetails(task, steps, options) {
  const { back, canChange, canDelete, change, write, tick, remove } = options;
  const titleNow = () => title.value.trim().replaceAll(/\s+/g, ' ');
  const title = lines('task-title', task.title, {
    class: 'input event-title',
    'aria-label': t('tasks.title'),
    rows: '1',
    on: {
      input: () => titleNow() && write({ title: titleNow() }),
      change: () => titleNow() && change({ title: titleNow() }),
      keydown: (event) => {
        if (event.key !== 'Enter' || event.isComposing) return;
        event.preventDefault();
        title.blur();
      },
    },
  });
  const notes = lines('task-notes', task.notes, {
    rows: '5',
    on: { input: () => write({ notes: notes.value }), change: () => change({ notes: notes.value }) },
  });
  const box = doneBox(task, canChange, (isDone, each) => tick(task.uid, isDone, each));
  const section = stepsSection(options);
  section.show(steps);
  const node = element(
    'div',
    { class: 'pane-body task-details' },
    element(
      'header',
      { class: 'group' },
      box,
      element('h2', { class: 'visually-hidden', id: 'task-heading', tabindex: -1 }, task.title || t('tasks.untitled')),
      element('div', { class: 'grow' }, title),
      element('a', { class: 'btn-icon', href: back, 'aria-label': t('tasks.close') }, icon('close')),
    ),
    element('fieldset', { class: 'plain-fields', disabled: !canChange }, ...timeFields(task, options)),
    section.node,
    field(t('tasks.notes'), notes),
    task.url !== '' && safeLink(task.url),
    canDelete &&
      element(
        'p',
        {},
        element(
          'button',
          { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click: () => remove() } },
          icon('trash', { size: 'small' }),
          t('tasks.delete'),
        ),
      ),
  );
  if (!canChange) for (const each of [title, notes]) each.readOnly = true;
  return {
    node,
    /** What may change while a field has the focus. @param {CalendarTask} now @param {CalendarTask[]} stepsNow */
    renew(now, stepsNow) {
      box.checked = now.isDone;
      section.show(stepsNow);
    },
    /** Whether nothing would be lost if it were made anew. */
    isAtRest() {
      const active = document.activeElement;
      const isWriting =
        node.contains(active) && active?.matches('input:not([type=checkbox]), textarea, select, button');
      return !isWriting && section.isEmpty();
    },
  };
}

/** @param {CalendarTask} task @param {DetailsOptions} options */
function timeFields({ due, start, rule, priority }, { change, zone }) {
  let dueNow = due;
  const moved = (/** @type {import('../../formats/moments.js').When | null} */ when) => {
    dueNow = when ?? undefined;
    // a series begins with its first one
    change(rule !== '' && start && when ? { due: when, start: when } : { due: when });
  };
  const whenOf = (/** @type {string} */ day) =>
    time.value === '' ? { day } : { day, time: time.value, zone: due?.zone || zone };
  const day = dateField({
    id: 'task-due',
    label: t('tasks.due'),
    value: due?.day,
    onChange: (chosen) => chosen !== dueNow?.day && moved(chosen === undefined ? null : whenOf(chosen)),
  });
  const time = line('task-time', due?.time?.slice(0, 5) ?? '', {
    type: 'time',
    on: { change: () => moved(whenOf(dueNow?.day ?? today())) },
  });
  const importance = PRIORITIES.some(([value]) => value === priority) ? priority : priority < 5 ? 1 : 9;
  const urgency = choice(
    'task-priority',
    PRIORITIES.map(([value, name]) => [value, t(name)]),
    importance,
  );
  urgency.addEventListener('change', () => change({ priority: Number(urgency.value) }));
  const repeat = readRepeat(rule);
  const isPlain = repeat && rule === writeRepeat({ frequency: repeat.frequency }, due ?? { day: today() }, zone);
  const kept = rule !== '' && !isPlain ? [/** @type {[string, string]} */ ([rule, ruleText(rule)])] : [];
  const often = choice(
    'task-repeat',
    [
      ['', t('tasks.repeat-none')],
      ...kept,
      ...FREQUENCIES.map((each) => /** @type {[string, string]} */ ([`FREQ=${each}`, ruleText(`FREQ=${each}`)])),
    ],
    rule,
  );
  often.addEventListener('change', () => {
    const first = dueNow ?? { day: today() };
    change(often.value === '' ? { rule: '' } : { rule: often.value, due: first, start: start ?? first });
  });
  return [
    element('div', { class: 'due-fields' }, day, field(t('tasks.time'), time)),
    field(t('tasks.priority'), urgency),
    field(t('tasks.repeat'), often),
  ];
}

/** @param {string} rule */
const ruleText = (rule) => repeatText(rule, { t, locale: language });

/** @param {DetailsOptions} options */
function stepsSection({ canChange, tick, addStep, stepDraft, hrefOf }) {
  const count = element('span', { class: 'muted' });
  const bar = element('progress', { 'aria-labelledby': 'steps-title' });
  const list = element('ul', { class: 'flush' });
  const input = element('input', {
    id: 'step-add',
    autocomplete: 'off',
    dir: 'auto',
    placeholder: t('tasks.step-add'),
    'aria-label': t('tasks.step-add'),
  });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const title = input.value.trim();
    if (title !== '') void tellProblem(() => sender.send(title, () => addStep(title)));
  };
  const sender = sentLines(input, stepDraft, ' ');
  const form = element('form', { on: { submit } }, element('label', { class: 'quick-add' }, icon('plus'), input));
  const row = (/** @type {CalendarTask} */ step) =>
    taskRow(step, { href: hrefOf(step.uid), canChange, tick: (isDone, box) => tick(step.uid, isDone, box) });
  return {
    node: element(
      'section',
      { class: 'stack steps', 'data-gap': '1', 'aria-labelledby': 'steps-title' },
      element('h3', { class: 'section', id: 'steps-title' }, t('tasks.steps'), ' ', count),
      bar,
      list,
      canChange && form,
    ),
    /** @param {CalendarTask[]} steps */
    show(steps) {
      const done = steps.filter(({ isDone }) => isDone).length;
      count.textContent = steps.length > 0 ? t('tasks.steps-done', { done, count: steps.length }) : '';
      bar.hidden = steps.length === 0;
      bar.max = Math.max(steps.length, 1);
      bar.value = done;
      renew(list, steps.map(row));
    },
    isEmpty: () => input.value === '',
  };
}

/** @param {string} url */
const safeLink = (url) =>
  /^(?:https?|mailto):/i.test(url) &&
  element('p', { class: 'small' }, element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url));

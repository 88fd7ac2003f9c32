// One field to write a task in; what is understood of it is shown before it is taken.

import { element } from '../../core/dom.js';
import { language, locale, t } from '../../core/i18n.js';
import { today } from '../../formats/days.js';
import { icon } from '../../ui/icon.js';
import { tellProblem } from '../../ui/notices.js';
import { sentLines } from '../../ui/writing.js';
import { readQuickTask } from './quick-add.js';
import { dayText, timeText } from './row.js';

/** @import { Draft } from '../../model/drafts.js' */
/** @typedef {import('./quick-add.js').QuickTask} QuickTask */

/**
 * @param {(task: QuickTask) => Promise<unknown>} add throws Problem; what was written comes back then
 * @param {Draft} draft
 */
export function addField(add, draft) {
  const input = element('input', {
    id: 'task-add',
    autocomplete: 'off',
    enterkeyhint: 'done',
    dir: 'auto',
    placeholder: t('tasks.add-hint'),
    'aria-describedby': 'task-understood',
  });
  const understood = element('p', {
    class: 'group understood',
    id: 'task-understood',
    role: 'status',
    'data-gap': '1',
  });
  /** words that are to stay words @type {string} */
  let plain = '';
  const read = () => {
    const text = input.value.trim();
    const task = readQuickTask(text, { language, locale, today: today() });
    return plain !== '' && text.startsWith(plain)
      ? { title: text, day: undefined, time: undefined, isUrgent: false }
      : task;
  };
  const asWords = () => {
    plain = input.value.trim();
    show();
    input.focus();
  };
  const show = () => {
    if (!input.value.startsWith(plain)) plain = '';
    const { day, time, isUrgent } = read();
    const parts = [
      day !== undefined && chip('calendar', dayText(day, 'full')),
      time !== undefined && chip('clock', timeText(time)),
      isUrgent && chip('flag', t('tasks.urgent')),
    ].filter((part) => part !== false);
    const undo =
      parts.length > 0
        ? [
            element(
              'button',
              { type: 'button', class: 'btn-icon', 'aria-label': t('tasks.as-words'), title: t('tasks.as-words') },
              icon('close', { size: 'small' }),
            ),
          ]
        : [];
    undo[0]?.addEventListener('click', asWords);
    understood.replaceChildren(...parts, ...undo);
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const task = read();
    if (task.title === '') return;
    void tellProblem(() => sender.send(input.value, () => add(task)).finally(show));
    plain = '';
    show();
  };
  const sender = sentLines(input, draft, ' ');
  input.addEventListener('input', show);
  show();
  return element(
    'form',
    { class: 'stack', 'data-gap': '1', on: { submit } },
    element(
      'label',
      { class: 'quick-add' },
      icon('plus'),
      element('span', { class: 'visually-hidden' }, t('tasks.add')),
      input,
    ),
    understood,
  );
}

/** @param {string} name @param {string} text */
const chip = (name, text) =>
  element('span', { class: 'chip', 'data-tone': 'accent' }, icon(name, { size: 'small' }), text);

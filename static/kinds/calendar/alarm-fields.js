// The reminders of an event, one below the other.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { choice } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { actionButton } from '../../ui/pane.js';
import { alarmText } from './format.js';

/** before the start, in seconds */
const USUAL = [0, 300, 600, 900, 1800, 3600, 7200, 86_400, 172_800, 604_800];

/** @param {number[]} alarms seconds before the start */
export function alarmFields(alarms) {
  const list = element('ul', { class: 'stack', 'data-gap': '1' });
  let made = 0;
  const add = (/** @type {number} */ seconds) => {
    const values = [...new Set([...USUAL, seconds])].sort((one, other) => one - other);
    const select = choice(
      `event-alarm-${made++}`,
      values.map((each) => [each, alarmText(each)]),
      seconds,
    );
    select.setAttribute('aria-label', t('calendar.reminder'));
    const remove = actionButton({
      label: t('calendar.no-reminder'),
      icon: 'close',
      run: () => {
        item.remove();
        more.focus();
      },
    });
    const item = element('li', { class: 'event-alarm' }, select, remove);
    list.append(item);
    return select;
  };
  const more = element(
    'button',
    { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click: () => add(900).focus() } },
    icon('bell', { size: 'small' }),
    t('calendar.add-reminder'),
  );
  for (const each of new Set(alarms)) add(each);
  return {
    node: element(
      'div',
      { class: 'stack', 'data-gap': '1', role: 'group', 'aria-label': t('calendar.event-reminders') },
      element('span', { class: 'label', 'aria-hidden': 'true' }, t('calendar.event-reminders')),
      list,
      element('div', {}, more),
    ),
    value: () => [...new Set([...list.querySelectorAll('select')].map((select) => Number(select.value)))],
  };
}

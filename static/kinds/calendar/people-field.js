// Who is invited to an event, and what they have answered.

import { completeRecipient } from '../../api/people.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { parseRecipient, writeRecipient } from '../../formats/addresses.js';
import { user } from '../../model/session.js';
import { chipsField } from '../../ui/chips.js';
import { isMe } from './own.js';
import { sayable } from './reading.js';

/** @import { EventChange } from '../../formats/calendar-fields.js' */
/** @import { ShownEvent } from './source.js' */

const ADDRESS = /^[^@\s]+@[^@\s]+$/;

/**
 * @param {Pick<ShownEvent, 'attendees'>} [event] as it is
 * @param {EventChange['attendees']} [people] who is written in the field
 */
export function peopleField(event, people = event?.attendees ?? []) {
  const invited = (event?.attendees ?? []).filter((each) => !isMe(each));
  const chipOf = ({ name = '', address = '' }) => writeRecipient({ name: name === address ? '' : name, address });
  const known = invited.map(chipOf);
  const chips = chipsField({
    id: 'event-people',
    label: t('calendar.people'),
    layout: 'field',
    values: people.filter((each) => !isMe(each)).map(chipOf),
    suggest: async (words) =>
      (await completeRecipient(words)).map((value) => {
        const { name, address } = parseRecipient(value);
        return { value, label: name || address, detail: address };
      }),
    check: (value) =>
      known.includes(value) || ADDRESS.test(parseRecipient(value).address) ? undefined : t('calendar.no-address'),
  });
  const answers = invited.map(({ name, answer }) =>
    element(
      'li',
      {},
      element('bdi', {}, name),
      element('span', { class: 'soft' }, ` ${t(`calendar.says.${sayable(answer)}`)}`),
    ),
  );
  return {
    node: element(
      'div',
      { class: 'stack', 'data-gap': '1' },
      chips.node,
      answers.length > 0 && element('ul', { class: 'small attendees' }, answers),
    ),
    hasFaults: chips.hasFaults,
    /** Undefined where nobody is or was invited. @param {boolean} isDone what is written and no chip yet is one */
    value(isDone) {
      const people = (isDone ? chips.values() : chips.now().values).map(parseRecipient);
      if (people.length === 0 && !event?.attendees.length) return undefined;
      const me = event?.attendees.find(isMe);
      const own = user.get()?.email ?? '';
      return [
        ...(me && people.length > 0 ? [{ address: me.address, name: me.name }] : []),
        ...people.filter(({ address }) => address.toLowerCase() !== own.toLowerCase()),
      ];
    },
  };
}

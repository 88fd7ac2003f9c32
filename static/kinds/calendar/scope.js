// Which ones of a series are meant.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { openDialog } from '../../ui/dialog.js';

/** @import { Scope } from '../../formats/calendar-change.js' */

/** @type {Scope[]} */
const SCOPES = ['this', 'following', 'all'];

/**
 * Undefined where the reader went back.
 * @param {{ title: string }} event @param {'change' | 'delete'} doing
 * @returns {Promise<Scope | undefined>}
 */
export async function chooseScope({ title }, doing) {
  const radios = SCOPES.map((value, place) =>
    element('input', { type: 'radio', name: 'scope', value, class: 'check', 'data-round': true, checked: place === 0 }),
  );
  const rows = radios.map((radio, place) =>
    element('label', { class: 'check-row' }, radio, t(`calendar.scope.${SCOPES[place]}`)),
  );
  const answer = await openDialog({
    title: t(`calendar.scope.${doing}`, { title: title || t('calendar.untitled') }),
    body: element('fieldset', { class: 'scope', 'aria-label': t('calendar.scope.which') }, rows),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      doing === 'delete'
        ? { label: t('calendar.delete'), kind: 'danger', value: 'yes' }
        : { label: t('calendar.change'), kind: 'primary', value: 'yes' },
    ],
  });
  return answer === 'yes' ? SCOPES[radios.findIndex((radio) => radio.checked)] : undefined;
}

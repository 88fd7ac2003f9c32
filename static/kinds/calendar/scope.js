// Which ones of a series are meant.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { openDialog } from '../../ui/dialog.js';

/** @import { Scope } from '../../formats/calendar-change.js' */

/**
 * Undefined where the reader went back. The first of the choices is chosen already.
 * @param {{ title: string }} event
 * @param {'change' | 'delete' | 'answer'} doing
 * @param {Scope[]} [scopes]
 * @returns {Promise<Scope | undefined>}
 */
export async function chooseScope({ title }, doing, scopes = ['this', 'following', 'all']) {
  const radios = scopes.map((value, place) =>
    element('input', { type: 'radio', name: 'scope', value, class: 'check', 'data-round': true, checked: place === 0 }),
  );
  const rows = radios.map((radio, place) =>
    element('label', { class: 'check-row' }, radio, t(`calendar.scope.${scopes[place]}`)),
  );
  const answer = await openDialog({
    title: t(`calendar.scope.${doing}`, { title: title || t('calendar.untitled') }),
    body: element('fieldset', { class: 'scope', 'aria-label': t('calendar.scope.which') }, rows),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      doing === 'delete'
        ? { label: t('calendar.delete'), kind: 'danger', value: 'yes' }
        : { label: t(doing === 'answer' ? 'calendar.send-answer' : 'calendar.change'), kind: 'primary', value: 'yes' },
    ],
  });
  return answer === 'yes' ? scopes[radios.findIndex((radio) => radio.checked)] : undefined;
}

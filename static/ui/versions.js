// Two versions of one thing, of which one is to stay: what each says that the other does not, and the choice.

import { element } from '../core/dom.js';
import { locale, t } from '../core/i18n.js';
import { saidOnlyIn } from '../formats/versions.js';
import { openDialog } from './dialog.js';

const MOST_WORDS = 600;

/**
 * What each says that the other does not.
 * @param {string | undefined} mine undefined: deleted
 * @param {string | undefined} theirs
 */
export function versionsNode(mine, theirs) {
  const say = (/** @type {string | undefined} */ one, other = '') =>
    one === undefined ? t('outbox.gone') : saidOnlyIn(one, other, locale).join('\n').slice(0, MOST_WORDS) || '–';
  return element(
    'div',
    { class: 'small stack' },
    element('p', { class: 'banner-text', dir: 'auto' }, t('outbox.mine', { text: say(mine, theirs) })),
    element('p', { class: 'banner-text', dir: 'auto' }, t('outbox.theirs', { text: say(theirs, mine) })),
  );
}

/**
 * Which version is to stay; undefined where the reader went back. Asked in turn: the next thing may have two, too.
 * @param {string | undefined} mine undefined: it is to be deleted
 * @param {string | undefined} theirs undefined: it has been deleted
 * @returns {Promise<'mine' | 'theirs' | undefined>}
 */
export async function askVersion(mine, theirs) {
  const answer = await openDialog({
    title: t(theirs === undefined ? 'versions.gone' : mine === undefined ? 'versions.changed' : 'outbox.changed'),
    body: versionsNode(mine, theirs),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: t(theirs === undefined ? 'versions.let-go' : 'outbox.take-theirs'), value: 'theirs' },
      mine === undefined
        ? { label: t('versions.delete'), kind: 'danger', value: 'mine' }
        : { label: t('notes.keep-own'), kind: 'primary', value: 'mine' },
    ],
  });
  return answer === 'mine' || answer === 'theirs' ? answer : undefined;
}

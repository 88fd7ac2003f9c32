// App passwords: what there is for programs and feeds, when each was used last, and a new one, shown once.

import { endAppPassword, makeAppPassword, readAppPasswords } from '../api/access.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shortTime } from '../formats/times.js';
import { choice, field, line, pageSection, savingForm } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { announce, confirm, errorBox } from '../ui/notices.js';
import { ownName } from './settings-frame.js';

/** @import { AppPassword } from '../api/interface.d.ts' */

const MAX_NAME = 50;
const SCOPES = ['dav', 'read', 'all'];

/** Nothing where the room server has none. @param {AbortSignal} signal */
export async function appsSection(signal) {
  const first = await readAppPasswords(signal).catch(() => undefined);
  if (!first) return undefined;
  const list = element('ul', { class: 'people' });
  const problems = element('div');
  const made = element('div', { class: 'stack', role: 'status' });
  const show = (/** @type {AppPassword[]} */ entries) =>
    list.replaceChildren(...entries.map((each) => item(each, end)));
  const tell = async (/** @type {() => Promise<unknown>} */ act) => {
    try {
      await act();
      show(await readAppPasswords());
      problems.replaceChildren();
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    }
  };
  const end = async (/** @type {AppPassword} */ { id, name }) => {
    if (!(await confirm(t('apps.end-question', { name }), t('apps.end')))) return;
    made.replaceChildren();
    await tell(() => endAppPassword(id));
    input.focus();
  };
  const input = line('app-name', '', { required: true, maxlength: String(MAX_NAME), dir: 'auto' });
  const scope = choice(
    'app-scope',
    SCOPES.map((each) => [each, t(`apps.${each}`)]),
    SCOPES[0],
  );
  const own = line('app-own-password', '', { type: 'password', required: true, autocomplete: 'current-password' });
  const fields = [field(t('apps.name'), input), field(t('apps.scope'), scope), field(t('apps.own'), own)];
  const form = savingForm(t('apps.make'), fields, async () => {
    const secret = await makeAppPassword(input.value.trim(), scope.value, own.value);
    made.replaceChildren(secretBanner(secret, t('apps.made', { user: ownName() })));
    input.value = '';
    own.value = '';
    await tell(async () => {});
  });
  show(first);
  return pageSection(t('apps.title'), element('p', { class: 'soft' }, t('apps.hint')), list, problems, made, form);
}

/** @param {AppPassword} entry @param {(entry: AppPassword) => void} end */
function item(entry, end) {
  const { name, scope, room, used } = entry;
  const what = [t(`apps.${scope}`), room, used ? t('apps.used', { time: shortTime(used) }) : t('apps.unused')];
  const label = `${t('apps.end')}: ${name}`;
  return element(
    'li',
    {},
    icon(scope === 'feed' ? 'globe' : 'lock'),
    element(
      'div',
      { class: 'grow' },
      element('bdi', {}, name),
      element('div', { class: 'muted small' }, what.filter(Boolean).join(' · ')),
    ),
    element(
      'button',
      { type: 'button', class: 'btn', 'aria-label': label, on: { click: () => end(entry) } },
      t('apps.end'),
    ),
  );
}

/** What is shown this once, to be copied. @param {string} secret @param {string} words */
export function secretBanner(secret, words) {
  const code = element('code', { dir: 'ltr' }, secret);
  const copy = () => navigator.clipboard?.writeText(secret).then(() => announce(t('apps.copied')));
  return element(
    'div',
    { class: 'banner', 'data-tone': 'brass' },
    icon('info'),
    element('div', { class: 'stack grow' }, element('p', {}, words), element('p', {}, code)),
    navigator.clipboard && element('button', { type: 'button', class: 'btn', on: { click: copy } }, t('apps.copy')),
  );
}

// One's own account: picture, words about oneself, password, how the page looks on this device.

import { changePassword, readBio, readUserPicture, writeBio, writeUserPicture } from '../api/people.js';
import { element } from '../core/dom.js';
import { chooseLanguage, LANGUAGES, language, t } from '../core/i18n.js';
import { isAdministrator, user } from '../model/session.js';
import { choice, field, line, lines, pageSection, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';
import { pictureField } from '../ui/pictures.js';

const THEMES = ['', 'light', 'dark'];

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const username = user.get()?.username ?? '';
  const [bio, picture] = await Promise.all([readBio(username, signal), readUserPicture(username, signal)]);
  signal.throwIfAborted();
  const words = { alt: t('account.picture'), changed: t('picture.changed'), removed: t('picture.removed') };
  host.replaceChildren(
    pagePane(
      { title: t('page.account'), sub: username },
      isAdministrator() &&
        pageSection(
          t('account.administration'),
          element(
            'p',
            { class: 'group', 'data-gap': '2' },
            element('a', { class: 'btn', href: '#/users' }, t('page.users')),
            element('a', { class: 'btn', href: '#/floors' }, t('page.floors')),
          ),
        ),
      pageSection(
        t('settings.picture'),
        pictureField(picture, words, (changed) => writeUserPicture(username, changed)),
      ),
      pageSection(t('account.about'), aboutForm(username, bio)),
      pageSection(t('account.device'), deviceFields()),
      pageSection(t('log-in.password'), passwordForm()),
    ),
  );
}

/** @param {string} username @param {string} bio */
function aboutForm(username, bio) {
  const text = lines('bio', bio, { rows: '5' });
  return savingForm(t('ui.save'), field(t('account.bio'), text), async () => {
    await writeBio(username, text.value.trim());
    announce(t('ui.saved'));
  });
}

/** Language and colours, kept on the device. */
function deviceFields() {
  /** @type {[string, string][]} */
  const languages = [['', t('account.as-device')], ...Object.entries(LANGUAGES)];
  const tongue = choice('language', languages, localStorage.getItem('language') ?? '');
  tongue.addEventListener('change', () => {
    chooseLanguage(tongue.value || undefined);
    if (tongue.value !== language) location.reload();
  });
  const theme = choice(
    'theme',
    THEMES.map((each) => [each, t(`theme.${each || 'device'}`)]),
    localStorage.getItem('theme') ?? '',
  );
  theme.addEventListener('change', () => {
    if (theme.value) localStorage.setItem('theme', theme.value);
    else localStorage.removeItem('theme');
    document.documentElement.dataset.theme = theme.value;
  });
  return element(
    'div',
    { class: 'stack form' },
    field(t('account.language'), tongue),
    field(t('account.theme'), theme),
  );
}

function passwordForm() {
  const old = line('old-password', '', { type: 'password', required: true, autocomplete: 'current-password' });
  const fresh = line('new-password', '', { type: 'password', required: true, autocomplete: 'new-password' });
  const fields = [field(t('account.old-password'), old), field(t('account.new-password'), fresh)];
  return savingForm(t('account.change-password'), fields, async () => {
    await changePassword(old.value, fresh.value);
    old.value = '';
    fresh.value = '';
    announce(t('account.password-changed'));
  });
}

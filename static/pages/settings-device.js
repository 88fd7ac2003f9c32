// What is chosen for this device: language, colours, density, keys, notifications.

import { canKeepOnDevice, isKeptOnDevice, keepOnDevice } from '../api/worker.js';
import { areSingleKeysOn, setSingleKeys } from '../core/commands.js';
import { element } from '../core/dom.js';
import { chooseLanguage, LANGUAGES, language, t } from '../core/i18n.js';
import { forgetInstants } from '../model/instants.js';
import { choice, field, pageSection } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { areNotificationsOn, setNotifications } from '../ui/notifications.js';
import { settingsPage } from './settings-frame.js';

const THEMES = ['', 'light', 'dark'];
const DENSITIES = ['', 'compact', 'roomy'];

/** @param {HTMLElement} host */
export function showLook(host) {
  const title = t('settings.look');
  host.replaceChildren(
    settingsPage(
      'settings/look',
      { title },
      element('p', { class: 'soft' }, t('account.device')),
      element(
        'div',
        { class: 'stack form' },
        languageField(),
        directionField(),
        dataField('theme', THEMES),
        dataField('density', DENSITIES),
      ),
      pageSection(t('settings.keys'), singleKeys()),
      canKeepOnDevice() &&
        pageSection(
          t('settings.offline'),
          element('p', { class: 'soft' }, t('offline.about'), ' ', t('offline.shared')),
          offline(),
        ),
    ),
  );
  return title;
}

function languageField() {
  /** @type {[string, string][]} */
  const languages = [['', t('account.as-device')], ...Object.entries(LANGUAGES)];
  const tongue = choice('language', languages, localStorage.getItem('language') ?? '');
  tongue.addEventListener('change', () => {
    chooseLanguage(tongue.value || undefined);
    if (tongue.value !== language) location.reload();
  });
  return field(t('account.language'), tongue);
}

function directionField() {
  const sides = ['', 'ltr', 'rtl'].map(
    (each) => /** @type {[string, string]} */ ([each, t(`direction.${each || 'language'}`)]),
  );
  const chooser = choice('direction', sides, localStorage.getItem('direction') ?? '');
  chooser.addEventListener('change', () => {
    if (chooser.value) localStorage.setItem('direction', chooser.value);
    else localStorage.removeItem('direction');
    location.reload();
  });
  return field(t('account.direction'), chooser);
}

/** One of a few, as an attribute of the page. @param {'theme' | 'density'} name @param {string[]} values */
function dataField(name, values) {
  const choices = values.map((each) => /** @type {[string, string]} */ ([each, t(`${name}.${each || 'device'}`)]));
  const chooser = choice(name, choices, localStorage.getItem(name) ?? '');
  chooser.addEventListener('change', () => {
    if (chooser.value) localStorage.setItem(name, chooser.value);
    else localStorage.removeItem(name);
    if (chooser.value) document.documentElement.dataset[name] = chooser.value;
    else delete document.documentElement.dataset[name];
  });
  return field(t(`account.${name}`), chooser);
}

function singleKeys() {
  const box = element('input', { type: 'checkbox', class: 'check', id: 'single-keys', checked: areSingleKeysOn() });
  box.addEventListener('change', () => setSingleKeys(box.checked));
  return element('label', { class: 'check-row' }, box, t('help.single-keys'));
}

function offline() {
  const box = element('input', { type: 'checkbox', class: 'check', id: 'offline', checked: isKeptOnDevice() });
  box.addEventListener('change', () => {
    if (!box.checked) forgetInstants();
    return keepOnDevice(box.checked);
  });
  return element('label', { class: 'check-row' }, box, t('offline.on'));
}

/** @param {HTMLElement} host */
export async function showNotifications(host) {
  const { areRemindersOn, setReminders } = await import('../kinds/calendar/reminders.js');
  const title = t('settings.notifications');
  const box = element('input', { type: 'checkbox', class: 'check', id: 'notify', checked: areNotificationsOn() });
  box.addEventListener('change', async () => {
    const isOn = await setNotifications(box.checked);
    if (box.checked && !isOn) announce(t('notify.refused'));
    box.checked = isOn;
  });
  const reminders = element('input', { type: 'checkbox', class: 'check', id: 'remind', checked: areRemindersOn() });
  reminders.addEventListener('change', async () => {
    const isOn = await setReminders(reminders.checked);
    if (reminders.checked && !isOn) announce(t('notify.refused'));
    reminders.checked = isOn;
  });
  host.replaceChildren(
    settingsPage(
      'settings/notifications',
      { title },
      element('p', { class: 'soft' }, t('notify.about')),
      element(
        'div',
        { class: 'stack', 'data-gap': '1' },
        element('label', { class: 'check-row' }, box, t('notify.on')),
        element('label', { class: 'check-row' }, reminders, t('notify.reminders')),
      ),
    ),
  );
  return title;
}

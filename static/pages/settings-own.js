// What goes with the account: signature, password and sessions; and what the server says of itself.

import { changePassword, readOnline } from '../api/people.js';
import { writePreference } from '../api/preferences.js';
import { Problem } from '../api/request.js';
import { readServerInfo } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shortTime } from '../formats/times.js';
import { readSignature, SIGNATURE, setWritesPlain, writesPlain } from '../kinds/compose/start.js';
import { draftAt } from '../model/drafts.js';
import { field, line, lines, pageSection, savingForm } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { announce } from '../ui/notices.js';
import { sharedText } from '../ui/shared-text.js';
import { appsSection } from './settings-apps.js';
import { ownName, settingsPage } from './settings-frame.js';

/** @import { OnlineSession } from '../api/interface.d.ts' */

/** Throws Problem. @param {HTMLElement} host @param {AbortSignal} signal */
export async function showWriting(host, signal) {
  const title = t('settings.writing');
  const signature = await readSignature();
  signal.throwIfAborted();
  const text = lines(SIGNATURE, signature, { rows: '4' });
  const draft = draftAt('settings', SIGNATURE);
  let isOnDevice = false;
  const write = async (/** @type {string} */ written) => {
    isOnDevice = !(await writePreference(SIGNATURE, written).catch(noneKept));
    if (isOnDevice) localStorage.setItem(SIGNATURE, written);
    else localStorage.removeItem(SIGNATURE);
  };
  const { save, value } = sharedText(text, signature, draft, { read: readSignature, write });
  const saveAndSay = async () => {
    await save();
    announce(t(isOnDevice ? 'settings.saved-on-device' : 'ui.saved'));
  };
  const label = field(t('settings.signature'), text, t('settings.signature-hint'));
  const form = savingForm(t('ui.save'), label, saveAndSay, { draft, value });
  const plain = element('input', { type: 'checkbox', class: 'check', checked: writesPlain() });
  plain.addEventListener('change', () => setWritesPlain(plain.checked));
  host.replaceChildren(
    settingsPage(
      'settings/writing',
      { title },
      form,
      pageSection(t('compose.text'), element('label', { class: 'check-row' }, plain, t('settings.plain'))),
    ),
  );
  return title;
}

/** A server that keeps no preferences refuses them; any other Problem is thrown. @param {unknown} problem */
function noneKept(problem) {
  if (!(problem instanceof Problem) || ![403, 404, 405, 501].includes(problem.status)) throw problem;
  return false;
}

/** Throws Problem. @param {HTMLElement} host @param {AbortSignal} signal */
export async function showPassword(host, signal) {
  const title = t('settings.password');
  const [people, apps] = await Promise.all([readOnline(signal).catch(() => []), appsSection(signal)]);
  signal.throwIfAborted();
  const sessions = people.find(({ username }) => username === ownName())?.sessions ?? [];
  host.replaceChildren(
    settingsPage(
      'settings/password',
      { title },
      pageSection(t('log-in.password'), passwordForm()),
      pageSection(
        t('settings.sessions'),
        element('ul', { class: 'people' }, oncePerPlace(sessions).map(sessionItem)),
        element('p', { class: 'soft small' }, t('settings.sessions-end')),
      ),
      apps,
    ),
  );
  return title;
}

/**
 * A program may have several connections from one place: the one that was in use last stands for them.
 * @param {OnlineSession[]} sessions
 */
const oncePerPlace = (sessions) => [
  ...new Map(
    sessions
      .toSorted((a, b) => a.last_activity - b.last_activity)
      .map((session) => [JSON.stringify([session.client, session.host]), session]),
  ).values(),
];

/** @param {OnlineSession} session */
const sessionItem = ({ client, host, last_activity }) =>
  element(
    'li',
    {},
    icon('globe'),
    element('bdi', { class: 'grow' }, [client, host].filter(Boolean).join(', ')),
    element('span', { class: 'muted small' }, t('people.active', { time: shortTime(last_activity) })),
  );

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

/** Throws Problem. @param {HTMLElement} host @param {AbortSignal} signal */
export async function showServer(host, signal) {
  const title = t('settings.server');
  const info = await readServerInfo(signal);
  signal.throwIfAborted();
  const yes = (/** @type {boolean | undefined} */ is) => t(is ? 'ui.yes' : 'ui.no');
  /** @type {[string, string | undefined][]} */
  const facts = [
    ['settings.name', info.serv_humannode],
    ['fact.address', info.serv_fqdn],
    ['fact.where', info.serv_bbs_city],
    ['server.administrator', info.serv_sysadm],
    ['server.software', info.serv_software],
    ['server.zone', info.serv_default_cal_zone],
    ['server.index', yes(info.serv_fulltext_enabled)],
    ['server.guests', yes(info.serv_supports_guest)],
    ['server.self-made', yes(!info.serv_newuser_disabled)],
  ];
  const rows = facts
    .filter(([, value]) => value)
    .map(([label, value]) =>
      element('div', {}, element('dt', {}, t(label)), element('dd', {}, element('bdi', {}, value))),
    );
  host.replaceChildren(settingsPage('settings/server', { title }, element('dl', { class: 'facts-list' }, rows)));
  return title;
}

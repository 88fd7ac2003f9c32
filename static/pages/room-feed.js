// The address of a room's feed, for feed readers: made when it is asked for, and shown once.

import { makeFeed } from '../api/access.js';
import { readServerInfo } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageSection, savingForm } from '../ui/form.js';
import { secretBanner } from './settings-apps.js';

/** Shows itself once it is known that the room server has feeds with addresses of their own. @param {string} room */
export function feedSection(room) {
  const made = element('div', { class: 'stack', role: 'status' });
  const form = savingForm(t('feed.make'), element('p', { class: 'soft' }, t('feed.hint')), async () => {
    made.replaceChildren(secretBanner(await makeFeed(room, t('feed.title')), t('feed.made')));
  });
  const section = pageSection(t('feed.title'), made, form);
  section.hidden = true;
  readServerInfo().then(
    ({ serv_supports_app_passwords: has }) => (section.hidden = !has),
    () => undefined, // what cannot be asked now is not offered
  );
  return section;
}

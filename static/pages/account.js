// One's own profile: picture, words about oneself, and where everything else of one's own is chosen.

import { readPerson, writeBio, writeUserPicture } from '../api/people.js';
import { t } from '../core/i18n.js';
import { draftAt } from '../model/drafts.js';
import { avatar } from '../ui/avatar.js';
import { field, lines, pageSection, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { pictureField } from '../ui/pictures.js';
import { sharedText } from '../ui/shared-text.js';
import { ownName, settingsPage } from './settings-frame.js';

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const username = ownName();
  const { bio, picture } = await readPerson(username, signal);
  signal.throwIfAborted();
  const words = { alt: t('account.picture'), changed: t('picture.changed'), removed: t('picture.removed') };
  host.replaceChildren(
    settingsPage(
      'account',
      { title: t('page.account'), sub: username },
      pageSection(
        t('settings.picture'),
        pictureField(
          picture,
          words,
          (changed) => writeUserPicture(username, changed),
          avatar(username, { size: 'large' }),
        ),
      ),
      pageSection(t('account.about'), aboutForm(username, bio)),
    ),
  );
}

/** @param {string} username @param {string} bio */
function aboutForm(username, bio) {
  const text = lines('bio', bio, { rows: '5' });
  const draft = draftAt('account', 'bio');
  const { save, value } = sharedText(text, bio, draft, {
    read: async () => (await readPerson(username)).bio,
    write: (written) => writeBio(username, written),
  });
  const saveAndSay = async () => {
    await save();
    announce(t('ui.saved'));
  };
  return savingForm(t('ui.save'), field(t('account.bio'), text), saveAndSay, { draft, value });
}

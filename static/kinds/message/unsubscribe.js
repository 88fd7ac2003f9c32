// The way out of a mailing list, as its messages tell it (RFC 2369): by a mail, which is written after a question, or
// by a page, which opens in a tab of its own. Nothing is fetched from there by this page or the gateway.

import { postMessage } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { parseMailto } from '../../formats/mailto.js';
import { MAIL } from '../../model/room-store.js';
import { user } from '../../model/session.js';
import { openDialog } from '../../ui/dialog.js';
import { announce, tellProblem } from '../../ui/notices.js';

/** what is written where the list does not say what it wants to read; an empty mail is none */
const USUAL_WORDS = 'unsubscribe';

/**
 * The first way that can be gone from here; undefined where there is none.
 * @param {string[]} [addresses] in the sender's order
 */
export function unsubscribeLink(addresses = []) {
  for (const address of addresses) {
    const mail = user.get() && parseMailto(address);
    if (mail && mail.to.length > 0) return byMail(mail);
    const page = URL.parse(address);
    if (page && /^https?:$/.test(page.protocol)) return byPage(page);
  }
  return undefined;
}

/** @param {URL} page */
const byPage = ({ href, host }) =>
  element(
    'a',
    { class: 'linkish', href, target: '_blank', rel: 'noopener noreferrer', title: t('unsubscribe.page', { host }) },
    t('unsubscribe.title'),
  );

/** @param {NonNullable<ReturnType<typeof parseMailto>>} mail */
function byMail({ to, subject, body }) {
  const click = async () => {
    const names = to.join(', ');
    const answer = await openDialog({
      title: t('unsubscribe.question'),
      body: t('unsubscribe.by-mail', { to: names }),
      actions: [
        { label: t('ui.cancel'), kind: 'quiet' },
        { label: t('unsubscribe.title'), kind: 'primary', value: 'yes' },
      ],
    });
    if (answer !== 'yes') return;
    await tellProblem(async () => {
      const content = { type: 'text/plain; charset=utf-8', body: body || USUAL_WORDS };
      await postMessage(MAIL, { subj: subject || USUAL_WORDS, mailto: names }, content);
      announce(t('unsubscribe.sent', { to: names }));
    });
  };
  return element('button', { type: 'button', class: 'linkish', on: { click } }, t('unsubscribe.title'));
}

// The message that goes on within the one that is written: it stands below the text as it will arrive, in the frame
// that messages are read in, and what is written above cannot harm it.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { hasRemote, previewOf } from '../../formats/forwarded.js';
import { icon } from '../../ui/icon.js';
import { messageFrame } from '../../ui/message-frame.js';

/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { InlineImage } from '../../ui/editor/editor.js' */

/**
 * `pictures` are those that its HTML may show; `edit` takes it into the text, `remove` away.
 * @param {InlineImage[]} pictures @param {{ edit: () => void, remove: () => void }} acts
 */
export function forwardedBlock(pictures, { edit, remove }) {
  const addresses = new Map(pictures.map(({ cid, file }) => [cid, URL.createObjectURL(file)]));
  const label = t('compose.forwarded');
  const node = element('section', { class: 'stack forwarded', 'aria-label': label });
  /** @type {MessageDraft['forwarded']} */
  let shown;
  let isShownPlain = false;

  /** @param {string} html @param {boolean} isRemote */
  const frameOf = (html, isRemote) =>
    messageFrame(
      previewOf(html, (cid) => addresses.get(cid), isRemote),
      { hasRemote: isRemote },
    );

  /** @param {string} html */
  function contentOf(html) {
    const frame = frameOf(html, false);
    if (!hasRemote(html)) return [frame];
    const load = () => {
      notice.remove();
      frame.replaceWith(frameOf(html, true));
    };
    const notice = element(
      'div',
      { class: 'banner' },
      element('p', { class: 'grow' }, t('message.pictures')),
      action(t('message.load-pictures'), 'image', load),
    );
    return [notice, frame];
  }

  return {
    node,
    /** @param {MessageDraft['forwarded']} next @param {boolean} isPlain */
    show(next, isPlain) {
      if (next === shown && (isPlain === isShownPlain || !next)) return;
      shown = next;
      isShownPlain = isPlain;
      node.hidden = !next;
      if (!next) return node.replaceChildren();
      const head = element(
        'header',
        { class: 'line' },
        element('h3', { class: 'grow' }, label),
        action(t('compose.forwarded-edit'), 'edit', edit),
        action(t('compose.forwarded-remove'), 'close', remove),
      );
      const content = isPlain ? [element('pre', { dir: 'auto', tabindex: 0 }, next.text)] : contentOf(next.html);
      node.replaceChildren(head, ...content);
    },
    close() {
      for (const url of addresses.values()) URL.revokeObjectURL(url);
    },
  };
}

/** @param {string} label @param {string} name @param {() => void} click */
const action = (label, name, click) =>
  element(
    'button',
    { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click } },
    icon(name, { size: 'small' }),
    label,
  );

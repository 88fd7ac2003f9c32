// The versions of a page of a wiki: their list, one of them as it was, and bringing it back.

import { readEntry, readVersion, readVersionContent, readVersions } from '../../api/groupware.js';
import { readMessage } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { parseMarkdown } from '../../formats/markdown.js';
import { fullTime } from '../../formats/times.js';
import { objectWork } from '../../model/outbox-joining.js';
import { avatar } from '../../ui/avatar.js';
import { messageFrame } from '../../ui/message-frame.js';
import { announce, errorBox } from '../../ui/notices.js';
import { actionButton } from '../../ui/pane.js';
import { showWaiting } from '../message/reading.js';
import { comparison } from './compare.js';
import { savePage } from './edit.js';
import { asPage, isMarkdown, richPage } from './page.js';

/** @import { OldPage, PageVersion } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */

/**
 * The list, or the one named `version`, of the page that is the message `msgnum`. Throws Problem. Answers its title.
 * @param {HTMLElement} pane
 * @param {RoomStore} store
 * @param {{ msgnum: number, version?: string }} route
 * @param {AbortSignal} signal
 */
export async function showHistory(pane, store, { msgnum, version }, signal) {
  showWaiting(pane);
  const [versions, shown] = await Promise.all([
    readVersions(store.name, msgnum, signal),
    version ? readVersion(store.name, msgnum, version, signal) : undefined,
  ]);
  const source =
    shown && isMarkdown(shown.content_type)
      ? await (await readVersionContent(store.name, msgnum, shown.version)).text()
      : undefined;
  signal.throwIfAborted();
  const name = store.byNumber.get(msgnum)?.subject ?? t('wiki.this-page');
  const isCurrent = versions[0]?.version === version;
  const title = shown ? (isCurrent ? name : t('wiki.old', { name })) : t('wiki.versions', { name });
  const back = routeTo(store.name, ...(shown ? [msgnum, 'history'] : [msgnum]));
  pane.replaceChildren(
    element(
      'header',
      { class: 'pane-head' },
      actionButton({
        label: t(shown ? 'wiki.all-versions' : 'wiki.page'),
        icon: 'arrow-left',
        href: back,
        kind: 'quiet',
      }),
    ),
    element(
      'div',
      { class: 'pane-body' },
      element(
        'div',
        { class: 'article stack', 'data-gap': '5' },
        element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title),
        shown
          ? oldPage(store, msgnum, shown, isCurrent, source)
          : [versionList(store, msgnum, versions), versions.length > 1 && comparison(store.name, msgnum, versions)],
      ),
    ),
  );
  takeFocus(document.getElementById('message-title'));
  return title;
}

/** @param {PageVersion} version */
const timeOf = ({ time }) => fullTime(new Date(time * 1000));

/** @param {RoomStore} store @param {number} msgnum @param {PageVersion[]} versions */
function versionList(store, msgnum, versions) {
  return element(
    'ol',
    { class: 'versions' },
    versions.map((each, i) =>
      element(
        'li',
        { class: 'version', 'aria-current': i === 0 ? 'true' : undefined },
        avatar(each.from),
        element(
          'a',
          { class: 'plain grow', href: routeTo(store.name, msgnum, 'history', each.version) },
          element('b', { class: 'strong' }, element('bdi', {}, each.from || t('message.nobody'))),
          ' ',
          element('span', { class: 'muted small' }, timeOf(each), i === 0 && ` ${t('wiki.now')}`),
        ),
      ),
    ),
  );
}

/**
 * @param {RoomStore} store
 * @param {number} msgnum
 * @param {OldPage} version
 * @param {boolean} isCurrent
 * @param {string} [source] of a page in Markdown
 */
function oldPage(store, msgnum, version, isCurrent, source) {
  const problems = element('div');
  const bringBack = async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    problems.replaceChildren();
    const go = fromHere();
    try {
      const content = await readVersionContent(store.name, msgnum, version.version);
      const { exti: name = '' } = await readMessage(store.name, msgnum);
      const now = await readEntry(store.name, msgnum);
      const charset = /charset="?([^;"]+)/i.exec(version.content_type)?.[1] ?? 'utf-8';
      const text = new TextDecoder(charset).decode(await content.arrayBuffer());
      const type = version.content_type.replace(/charset=[^;]*/i, 'charset=utf-8');
      const what = { room: store.name, name, type, text };
      const base = { etag: `"${msgnum}"`, text: now };
      await savePage(store, objectWork({ ...what, base, title: name, place: ['page', name] }));
      await store.refresh();
      go(routeTo(store.name, 'page', name));
      announce(t('wiki.brought-back'));
    } catch (problem) {
      button.ariaDisabled = null;
      problems.replaceChildren(errorBox(problem));
    }
  };
  const button = element('button', { type: 'button', class: 'btn', on: { click: bringBack } }, t('wiki.bring-back'));
  return [
    element(
      'div',
      { class: 'banner' },
      element('p', { class: 'grow' }, `${timeOf(version)}, `, element('bdi', {}, version.from || t('message.nobody'))),
      store.canPost && !isCurrent && button,
    ),
    problems,
    source === undefined
      ? element('div', { class: 'prose' }, framedPage(version.text))
      : richPage(store, parseMarkdown(source)),
  ];
}

/** @param {string} html */
function framedPage(html) {
  const frame = messageFrame(html);
  frame.addEventListener('load', () => frame.contentDocument && asPage(frame.contentDocument));
  return frame;
}

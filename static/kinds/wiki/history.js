// The versions of a page of a wiki: their list, one of them as it was, and bringing it back.

import { getJson, request } from '../../api/request.js';
import { byId, element } from '../../core/dom.js';
import { apiPath, fromHere, routeTo } from '../../core/router.js';
import { fullTime } from '../../formats/times.js';
import { messageFrame } from '../../ui/message-frame.js';
import { announce, errorBox, loadingNote } from '../../ui/notices.js';
import { canPost, refreshRoom } from '../mail/room.js';
import { savePage } from './edit.js';

/** @import { Message, OldPage, PageVersion } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from '../mail/room.js' */

/**
 * The list, or the one named `version`, of the page that is the message `msgnum`. Throws Problem. Answers its title.
 * @param {OpenRoom} room
 * @param {{ msgnum: number, version?: string }} route
 * @param {AbortSignal} signal
 */
export async function showHistory(room, { msgnum, version }, signal) {
  byId('detail').replaceChildren(loadingNote('One moment…'));
  const path = apiPath(room.name, msgnum, 'history');
  /** @type {[PageVersion[], OldPage | undefined | '']} */
  const [versions, shown] = await Promise.all([
    getJson(path, signal),
    version && getJson(`${path}/${encodeURIComponent(version)}/json`, signal),
  ]);
  signal.throwIfAborted();
  const page = room.rows.find((row) => row.msgnum === msgnum)?.subject ?? 'This page';
  const isCurrent = versions[0]?.version === version;
  const title = shown && !isCurrent ? `${page}: an old version` : shown ? page : `${page}: its versions`;
  const back = shown ? [msgnum, 'history'] : [msgnum];
  byId('detail').replaceChildren(
    element(
      'p',
      { class: 'actions toolbar' },
      element('a', { class: 'back outer', href: routeTo(room.name, ...back) }, shown ? 'All versions' : 'The page'),
    ),
    element('h3', { id: 'message-title', tabindex: '-1', dir: 'auto' }, title),
    ...(shown ? oldPage(room, msgnum, shown, isCurrent) : [versionList(room, msgnum, versions)]),
  );
  return title;
}

/** @param {PageVersion} version */
const timeOf = ({ time }) => fullTime(new Date(time * 1000));

/** @param {OpenRoom} room @param {number} msgnum @param {PageVersion[]} versions */
function versionList(room, msgnum, versions) {
  return element(
    'ol',
    { class: 'versions' },
    versions.map((each, i) =>
      element(
        'li',
        {},
        element('a', { href: routeTo(room.name, msgnum, 'history', each.version) }, timeOf(each)),
        ' by ',
        element('bdi', {}, each.from || 'nobody'),
        i === 0 && element('span', { class: 'hint' }, ' (as it is now)'),
      ),
    ),
  );
}

/**
 * @param {OpenRoom} room
 * @param {number} msgnum
 * @param {OldPage} version
 * @param {boolean} isCurrent
 */
function oldPage(room, msgnum, version, isCurrent) {
  const problems = element('div');
  const bringBack = async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    problems.replaceChildren();
    const go = fromHere();
    try {
      const path = apiPath(room.name, msgnum, 'history', version.version);
      const content = await (await request(path)).blob();
      /** @type {Message} */
      const { exti = '' } = await getJson(apiPath(room.name, msgnum, 'json'));
      const posted = await savePage(room, exti, version.content_type, content, msgnum);
      await refreshRoom();
      go(routeTo(room.name, posted));
      announce('The page is again as it was then.');
    } catch (problem) {
      button.ariaDisabled = null;
      problems.replaceChildren(errorBox(problem));
    }
  };
  const button = element('button', { type: 'button', on: { click: bringBack } }, 'Bring this version back');
  return [
    element(
      'p',
      { class: 'picture-notice' },
      element('span', {}, `${timeOf(version)}, by `, element('bdi', {}, version.from || 'nobody'), '.'),
      canPost(room) && !isCurrent && button,
    ),
    problems,
    messageFrame(version.text, () => {}),
  ];
}

/**
 * For a link to a page that nobody has written. Answers its title.
 * @param {OpenRoom} room @param {string} name
 */
export function showMissingPage(room, name) {
  const title = `There is no page “${name}” yet`;
  byId('detail').replaceChildren(
    element(
      'p',
      { class: 'actions toolbar' },
      element('a', { class: 'back outer', href: routeTo(room.name) }, element('bdi', {}, room.name)),
    ),
    element('h3', { id: 'message-title', tabindex: '-1', dir: 'auto' }, title),
    canPost(room)
      ? element(
          'p',
          { class: 'actions' },
          element('a', { class: 'button primary', href: routeTo(room.name, 'new', name) }, 'Write this page'),
        )
      : element('p', { class: 'hint' }, 'Those who may write here can make it.'),
  );
  return title;
}

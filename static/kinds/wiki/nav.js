// Beside a page: its headings, and all pages of the room with a filter.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { actionButton } from '../../ui/pane.js';
import { aboutRoom } from '../list/about.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** in the list at a time: whoever looks for one more types some of its name */
const MOST = 300;

/** @param {RoomStore} store */
export function wikiNav(store) {
  const pages = element('ul', { class: 'toc' });
  const headings = element('ul', { class: 'toc' });
  const onPage = element(
    'section',
    { class: 'stack not-phone', 'data-gap': '1', 'aria-label': t('wiki.on-page'), hidden: true },
    element('h2', { class: 'section' }, t('wiki.on-page')),
    headings,
  );
  const filter = element('input', {
    class: 'input',
    type: 'search',
    id: 'page-filter',
    'aria-label': t('wiki.filter'),
    placeholder: t('wiki.filter'),
    on: { input: () => refresh() },
  });
  const none = element('p', { class: 'muted small', role: 'status' });
  const offered = element('div', { class: 'group only-phone' });
  /** @type {string | undefined} */
  let current;

  function refresh() {
    const words = filter.value.trim().toLowerCase();
    /** the latest of each name @type {Map<string, Row>} */
    const byName = new Map(store.rows.map((row) => [row.subject, row]));
    const found = [...byName.values()]
      .filter(({ subject }) => subject.toLowerCase().includes(words))
      .sort(
        (a, b) => Number(b.subject === 'home') - Number(a.subject === 'home') || a.subject.localeCompare(b.subject),
      );
    none.textContent = found.length > 0 ? '' : t(byName.size > 0 ? 'wiki.none-found' : 'wiki.empty');
    pages.replaceChildren(
      ...found.slice(0, MOST).map((row) =>
        element(
          'li',
          {},
          element(
            'a',
            {
              href: routeTo(store.name, 'page', row.subject),
              'aria-current': row.subject === current ? 'page' : undefined,
              'data-unread': !row.seen,
            },
            element('bdi', {}, row.subject || t('message.no-subject')),
          ),
        ),
      ),
    );
  }

  return {
    node: element(
      'div',
      { class: 'pane-body today' },
      aboutRoom(store),
      onPage,
      element(
        'section',
        { class: 'stack', 'data-gap': '2', 'aria-label': t('wiki.pages') },
        element('h2', { class: 'section' }, t('wiki.pages')),
        filter,
        pages,
        none,
        offered,
      ),
    ),
    refresh,
    /** What there is to do where the list is all that a phone shows. @param {PaneAction} [action] */
    offer(action) {
      offered.replaceChildren(...(action ? [actionButton({ ...action, kind: 'plain' })] : []));
    },
    focus: () => filter.focus(),
    /** @param {string | undefined} name of the page that is open */
    setCurrent(name) {
      current = name;
      onPage.hidden = true;
      refresh();
    },
    /** @param {HTMLElement[]} found of the page that is open, in it or in its frame */
    setHeadings(found) {
      onPage.hidden = found.length < 2;
      const levelOf = (/** @type {HTMLElement} */ heading) => Number(heading.nodeName.slice(1));
      const highest = Math.min(...found.map(levelOf));
      headings.replaceChildren(
        ...found.map((heading) => {
          const show = () => heading.scrollIntoView({ block: 'start' });
          const button = element(
            'button',
            { type: 'button', class: 'plain', on: { click: show } },
            heading.textContent,
          );
          return element('li', { 'data-level': Math.min(levelOf(heading) - highest + 1, 3) }, button);
        }),
      );
    },
  };
}

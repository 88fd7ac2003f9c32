// Messages that hold the words looked for, from all rooms: narrowed at the side, page by page, each where the words
// stand; the one that is open beside them.

import { findMessages, MOST_HITS } from '../api/messages.js';
import { element, present, query, queryAll } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { parseSearch } from '../formats/search-words.js';
import { user } from '../model/session.js';
import { line } from '../ui/form.js';
import { errorBox } from '../ui/notices.js';
import { actionButton, paneHead } from '../ui/pane.js';
import { emptyState, skeleton } from '../ui/states.js';
import { searchFilters } from './search-filters.js';
import { hitItem, moreItem } from './search-hits.js';

/** @import { ViewHits } from '../api/interface.d.ts' */
/** @import { Question } from '../api/messages.js' */

/** how long what was found stays as it was for who comes back to it */
const KEPT_MS = 5 * 60_000;
/** the gateway counts no further */
const COUNTED_HITS = 10_000;

/**
 * the last search, whose hits may have led elsewhere
 * @type {{ panes: HTMLElement, owner?: string, at: number } | undefined}
 */
let last;

/**
 * `search/words`, `search/words/ROOM/12` with the message that is open. Throws Problem.
 * @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal
 */
export async function show(host, [words = '', room = '', number = ''], signal) {
  const title = titleOf(words);
  const shown = query(host, '.search') ?? comeBack(host, words);
  // another hit of the same search: what was found stays, and how it was narrowed
  if (words !== '' && shown?.dataset.words === words) {
    await openHit(shown, room, Number(number), signal);
    return title;
  }
  let scrolled = 0;
  const results = element('div', { class: 'pane-body' });
  results.addEventListener('scroll', () => (scrolled = results.scrollTop));
  const head = element('div', {}, paneHead({ title, id: 'search-title' }));
  const list = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'search-title' });
  const detail = element('section', { class: 'pane', 'data-detail': true, 'aria-label': t('reading.title') });
  const panes = element('div', { class: 'panes search', 'data-layout': 'nav', 'data-words': words });
  host.replaceChildren(panes);
  if (words === '') {
    list.append(phoneForm(words), head, results);
    panes.dataset.layout = '';
    panes.append(list);
    results.append(emptyState({ icon: 'search', text: t('search.begin') }));
    const input = query(host, '#search-words');
    (input?.checkVisibility() ? input : document.getElementById('omnibox'))?.focus();
    return title;
  }
  const find = finder(words, head, results, (byView) => {
    filters.setCounts(byView);
    markCurrent(panes);
  });
  const filters = searchFilters(find, parseSearch(words).from);
  list.append(phoneForm(words), head, filters.strip, results);
  panes.append(filters.side, list, detail);
  panes.addEventListener('back', () => (results.scrollTop = scrolled));
  last = { panes, owner: user.get()?.username, at: Date.now() };
  await find({});
  if (room !== '') await openHit(panes, room, Number(number), signal);
  return title;
}

/** What was found, for who comes back to it soon. @param {HTMLElement} host @param {string} words */
function comeBack(host, words) {
  if (words === '' || !last || last.owner !== user.get()?.username || Date.now() - last.at > KEPT_MS) return null;
  if (last.panes.dataset.words !== words) return null;
  host.replaceChildren(last.panes);
  last.panes.dispatchEvent(new Event('back'));
  return last.panes;
}

/** @param {string} typed */
function titleOf(typed) {
  const { words, from } = parseSearch(typed);
  if (from !== '')
    return words === '' ? t('search.from-title', { name: from }) : t('search.both-title', { words, name: from });
  return words === '' ? t('page.search') : t('search.title', { words });
}

/** @param {string} words */
function phoneForm(words) {
  const input = line('search-words', words, {
    type: 'search',
    'aria-label': t('shell.search'),
    enterkeyhint: 'search',
  });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (input.value.trim() !== '') location.hash = pageAddress('search', input.value.trim());
  };
  return element('form', { class: 'box only-phone', role: 'search', on: { submit } }, input);
}

/**
 * What asks, and shows what is found: anew, or the next page below the one before.
 * @param {string} words @param {HTMLElement} head @param {HTMLElement} results
 * @param {(byView: ViewHits[]) => void} found after each page
 */
function finder(words, head, results, found) {
  let running = new AbortController();
  const asked = parseSearch(words);
  /** @param {Partial<Question>} narrowed */
  const find = async (narrowed) => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const list = element('ul', { class: 'hits', 'aria-labelledby': 'search-title' });
    results.replaceChildren(skeleton(5));
    const more = async (/** @type {number} */ offset) => {
      const wanted = { words: asked.words || asked.from, from: asked.from, ...narrowed, offset };
      const { hits, total, is_cut, by_view } = await findMessages(wanted, signal);
      signal.throwIfAborted();
      if (offset === 0) {
        const isMany = is_cut && total >= COUNTED_HITS;
        const count = total === 0 ? '' : t(isMany ? 'search.more-than' : 'search.count', { count: total });
        showCount(head, words, count);
        // a server that does not index all of it has looked through the newest messages
        const note = is_cut && !isMany && element('p', { class: 'small muted box' }, t('search.older'));
        results.replaceChildren(...present([note, total > 0 ? list : nothingFound()]));
      }
      list.append(...hits.map((hit) => hitItem(hit, words)));
      found(by_view);
      const next = offset + hits.length;
      if (hits.length > 0 && next < total) {
        list.append(moreItem(t('search.next', { count: Math.min(MOST_HITS, total - next) }), () => more(next)));
      }
    };
    try {
      await more(0);
    } catch (problem) {
      if (!signal.aborted) results.replaceChildren(errorBox(problem, () => find(narrowed)));
    }
  };
  return find;
}

/** @param {HTMLElement} head @param {string} words @param {string} count */
function showCount(head, words, count) {
  const old = query(head, '.sub');
  // the same node: what changes in it is read out
  if (old?.getAttribute('role') === 'status') old.textContent = count;
  else head.replaceChildren(paneHead({ title: titleOf(words), id: 'search-title', sub: count }));
  head.querySelector('.sub')?.setAttribute('role', 'status');
}

const nothingFound = () => emptyState({ icon: 'search', text: t('search.nothing') });

/** The hit that is open is marked in the list. @param {HTMLElement} panes */
function markCurrent(panes) {
  const { room, msgnum } = panes.dataset;
  for (const item of queryAll(panes, '.hit')) {
    const isCurrent = room !== undefined && item.dataset.room === room && item.dataset.msgnum === msgnum;
    if (isCurrent) item.querySelector('a')?.setAttribute('aria-current', 'true');
    else item.querySelector('a')?.removeAttribute('aria-current');
  }
}

/**
 * Beside what was found. Throws Problem.
 * @param {HTMLElement} panes
 * @param {string} room
 * @param {number} msgnum
 * @param {AbortSignal} signal
 */
async function openHit(panes, room, msgnum, signal) {
  const detail = query(panes, '[data-detail]');
  const before = query(panes, '.hit a[aria-current]');
  if (room === '') {
    delete panes.dataset.room;
    delete panes.dataset.msgnum;
  } else Object.assign(panes.dataset, { room, msgnum });
  markCurrent(panes);
  panes.toggleAttribute('data-open', room !== '');
  panes.querySelector('.pane:not([data-detail], .search-filters)')?.toggleAttribute('data-shown', room === '');
  detail?.toggleAttribute('data-shown', room !== '');
  if (!detail) return;
  if (room === '') return before?.focus();
  const { showInner } = await import('../kinds/message/reading.js');
  await showInner(detail, room, msgnum, undefined, signal);
  const { words = '' } = panes.dataset;
  detail
    .querySelector('.pane-head')
    ?.replaceChildren(
      actionButton({ label: t('search.back'), icon: 'arrow-left', href: pageAddress('search', words) }),
      actionButton({ label: t('search.open'), icon: 'folder', href: routeTo(room, msgnum), kind: 'plain' }),
    );
}

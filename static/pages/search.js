// Messages that hold the words looked for, from all rooms: narrowed at the side, page by page, each where the words
// stand; the one that is open beside them.

import { findMessages, MOST_HITS } from '../api/messages.js';
import { element, hiddenText, present, query } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { parseSearch } from '../formats/search-words.js';
import { fullTime, shortTime } from '../formats/times.js';
import { iconOf } from '../kinds/index.js';
import { lists, roomNamed } from '../model/room-list.js';
import { choice, field, line } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { errorBox } from '../ui/notices.js';
import { actionButton, paneHead } from '../ui/pane.js';
import { emptyState, skeleton } from '../ui/states.js';
import { marked, marksIn } from './search-marks.js';

/** @import { Hit } from '../api/interface.d.ts' */
/** @import { Question } from '../api/messages.js' */

const DAY = 86_400;
/** days back, by what the filter calls it */
const SPANS = { any: 0, week: 7, month: 31, year: 366 };
/** how long somebody may go on writing in a filter */
const PAUSE_MS = 300;
/** the gateway counts no further */
const COUNTED_HITS = 10_000;

/**
 * `search/words`, `search/words/ROOM/12` with the message that is open. Throws Problem.
 * @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal
 */
export async function show(host, [words = '', room = '', number = ''], signal) {
  const title = titleOf(words);
  const shown = query(host, '.search');
  // another hit of the same search: what was found stays, and how it was narrowed
  if (words !== '' && shown?.dataset.words === words) {
    await openHit(shown, room, Number(number), signal);
    return title;
  }
  const results = element('div', { class: 'pane-body' });
  const head = element('div', {}, paneHead({ title, id: 'search-title' }));
  const list = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'search-title' });
  const detail = element('section', { class: 'pane', 'data-detail': true, 'aria-label': t('reading.title') });
  const panes = element('div', { class: 'panes search', 'data-layout': 'nav', 'data-words': words });
  list.append(phoneForm(words), head, results);
  host.replaceChildren(panes);
  if (words === '') {
    panes.dataset.layout = '';
    panes.append(list);
    results.append(emptyState({ icon: 'search', text: t('search.begin') }));
    const input = query(host, '#search-words');
    (input?.checkVisibility() ? input : document.getElementById('omnibox'))?.focus();
    return title;
  }
  const find = finder(words, head, results);
  panes.append(filters(find, parseSearch(words).from), list, detail);
  await find({});
  if (room !== '') await openHit(panes, room, Number(number), signal);
  return title;
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
  const input = line('search-words', words, { type: 'search', 'aria-label': t('shell.search') });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (input.value.trim() !== '') location.hash = pageAddress('search', input.value.trim());
  };
  return element('form', { class: 'box only-phone', role: 'search', on: { submit } }, input);
}

/**
 * What asks, and shows what is found: anew, or the next page below the one before.
 * @param {string} words @param {HTMLElement} head @param {HTMLElement} results
 */
function finder(words, head, results) {
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
      const { hits, total, is_cut } = await findMessages(wanted, signal);
      signal.throwIfAborted();
      if (offset === 0) {
        const isMany = is_cut && total >= COUNTED_HITS;
        const count = t(isMany ? 'search.more-than' : 'search.count', { count: total });
        head.replaceChildren(paneHead({ title: titleOf(words), id: 'search-title', sub: count }));
        head.querySelector('.sub')?.setAttribute('role', 'status');
        // a server that does not index all of it has looked through the newest messages
        const note = is_cut && !isMany && element('p', { class: 'small muted box' }, t('search.older'));
        results.replaceChildren(...present([note, total > 0 ? list : nothingFound()]));
      }
      list.append(...hits.map((hit) => hitItem(hit, words)));
      const next = offset + hits.length;
      if (hits.length > 0 && next < total) list.append(moreItem(() => more(next)));
    };
    try {
      await more(0);
    } catch (problem) {
      if (!signal.aborted) results.replaceChildren(errorBox(problem, () => find(narrowed)));
    }
  };
  return find;
}

const nothingFound = () => emptyState({ icon: 'search', text: t('search.nothing') });

/** @param {() => Promise<void>} run */
function moreItem(run) {
  const click = async () => {
    button.ariaDisabled = 'true';
    const before = item.previousElementSibling;
    try {
      await run();
      item.remove();
      /** @type {HTMLElement | null | undefined} */ (before?.nextElementSibling?.querySelector('a'))?.focus();
    } catch (problem) {
      item.append(errorBox(problem));
    }
  };
  const button = element(
    'button',
    { type: 'button', class: 'btn', on: { click } },
    t('search.next', { count: MOST_HITS }),
  );
  const item = element('li', { class: 'more-hits' }, button);
  return item;
}

/** @param {Hit} hit @param {string} words */
function hitItem({ room: name, msgnum, time, author, addr, subject, seen, files, excerpt, marks }, words) {
  const room = roomNamed(name);
  return element(
    'li',
    { class: 'hit', 'data-room': name, 'data-msgnum': msgnum, 'data-unread': seen === false },
    icon(room ? iconOf(room) : 'room'),
    element(
      'div',
      {},
      element(
        'a',
        { class: 'plain', href: pageAddress('search', words, name, msgnum) },
        seen === false && hiddenText(t('row.unread')),
        element(
          'b',
          { class: 'strong', dir: 'auto' },
          marked(subject || t('message.no-subject'), marksIn(subject, parseSearch(words).words)),
        ),
      ),
      excerpt && element('p', { class: 'soft', dir: 'auto' }, marked(excerpt, marks ?? [])),
      element(
        'p',
        { class: 'muted small line' },
        element('bdi', {}, author || addr || t('message.nobody')),
        element('time', { title: fullTime(new Date(time * 1000)) }, shortTime(time)),
        element('span', { class: 'chip' }, hiddenText(`${t('home.in')} `), element('bdi', {}, name)),
        Number(files) > 0 && icon('paperclip', { size: 'small', label: t('row.files') }),
      ),
    ),
  );
}

/** @param {(narrowed: Partial<Question>) => unknown} find @param {string} author who was asked for already */
function filters(find, author) {
  /** @type {[string, string][]} */
  const rooms = lists
    .get()
    .rooms.filter((each) => !each.is_zapped)
    .map(({ name }) => [name, name]);
  const room = choice('search-room', [['', t('search.all-rooms')], ...rooms], '');
  const from = line('search-from', author, { placeholder: t('search.anybody'), autocapitalize: 'none' });
  const files = element('input', { type: 'checkbox', class: 'check' });
  const ask = () => {
    const { value } = /** @type {HTMLInputElement} */ (form.querySelector('[name=when]:checked'));
    const days = SPANS[/** @type {keyof typeof SPANS} */ (value)];
    find({
      room: room.value,
      from: from.value.trim(),
      files: files.checked,
      since: days > 0 ? Math.floor(Date.now() / 1000) - days * DAY : undefined,
    });
  };
  let timer = 0;
  from.addEventListener('input', (event) => {
    event.stopPropagation();
    clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE_MS);
  });
  const submit = (/** @type {SubmitEvent} */ event) => event.preventDefault();
  const spans = Object.keys(SPANS).map((name, at) =>
    element(
      'label',
      { class: 'check-row' },
      element('input', {
        type: 'radio',
        name: 'when',
        class: 'check',
        value: name,
        'data-round': true,
        checked: at === 0,
      }),
      element('span', { class: 'grow' }, t(`search.when.${name}`)),
    ),
  );
  const form = element(
    'form',
    { class: 'pane-body today', on: { submit, change: ask } },
    element(
      'fieldset',
      { class: 'stack', 'data-gap': '1' },
      element('legend', { class: 'section' }, t('search.when')),
      spans,
    ),
    field(t('search.room'), room),
    field(t('search.from'), from),
    element('label', { class: 'check-row' }, files, t('search.with-files')),
  );
  // a phone unfolds it above what was found
  return element(
    'aside',
    { class: 'pane search-filters', 'data-tone': 'sunken', 'aria-label': t('search.narrow') },
    element(
      'details',
      { open: matchMedia('(width >= 56rem)').matches },
      element('summary', {}, icon('filter', { size: 'small' }), t('search.narrow')),
      form,
    ),
  );
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
  for (const item of panes.querySelectorAll('.hit')) {
    const { dataset } = /** @type {HTMLElement} */ (item);
    const isCurrent = dataset.room === room && Number(dataset.msgnum) === msgnum;
    item.querySelector('a')?.toggleAttribute('aria-current', isCurrent);
    if (isCurrent) item.querySelector('a')?.setAttribute('aria-current', 'true');
  }
  panes.toggleAttribute('data-open', room !== '');
  panes.querySelector('.pane:not([data-detail], .search-filters)')?.toggleAttribute('data-shown', room === '');
  detail?.toggleAttribute('data-shown', room !== '');
  if (!detail || room === '') return;
  const { showInner } = await import('../kinds/common/reading.js');
  await showInner(detail, room, msgnum, undefined, signal);
  const { words = '' } = panes.dataset;
  detail
    .querySelector('.pane-head')
    ?.replaceChildren(
      actionButton({ label: t('search.back'), icon: 'arrow-left', href: pageAddress('search', words) }),
      actionButton({ label: t('search.open'), icon: 'folder', href: routeTo(room, msgnum), kind: 'plain' }),
    );
}

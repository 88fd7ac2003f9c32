// What narrows a search: kind, time, room, author, files. At the side where there is room for it, else a sheet that a
// button opens; what is chosen stands above the results as chips, each of which takes itself away.

import { element, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { lists, roomTitle } from '../model/room-list.js';
import { choice, field, line } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { openPopover } from '../ui/popover.js';
import { countsOf, HIT_KINDS, viewsOf } from './search-kinds.js';

/** @import { ViewHits } from '../api/interface.d.ts' */
/** @import { Question } from '../api/messages.js' */

const DAY = 86_400;
/** days back, by what the filter calls it @type {Record<string, number>} */
const SPANS = { any: 0, week: 7, month: 31, year: 366 };
/** how long somebody may go on writing in a filter */
const PAUSE_MS = 300;

/**
 * `find` asks anew; `author` was asked for already.
 * @param {(narrowed: Partial<Question>) => unknown} find @param {string} author
 */
export function searchFilters(find, author) {
  /** @type {[string, string][]} */
  const rooms = lists
    .get()
    .rooms.filter((each) => !each.is_zapped)
    .map(({ name }) => [name, roomTitle(name)]);
  const room = choice('search-room', [['', t('search.all-rooms')], ...rooms], '');
  const from = line('search-from', author, { placeholder: t('search.anybody'), autocapitalize: 'none' });
  const files = element('input', { type: 'checkbox', class: 'check' });
  const kinds = Object.keys(HIT_KINDS).map(kindBox);
  const spans = Object.keys(SPANS).map(spanBox);
  const spanNow = () => spans.find(({ box }) => box.checked)?.name ?? 'any';
  const chosenKinds = () => kinds.filter(({ box }) => box.checked).map(({ name }) => name);

  const ask = () => {
    showChips();
    const days = SPANS[spanNow()];
    find({
      room: room.value,
      from: from.value.trim(),
      files: files.checked,
      views: viewsOf(chosenKinds()),
      since: days > 0 ? Math.floor(Date.now() / 1000) - days * DAY : undefined,
    });
  };
  let timer = 0;
  from.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE_MS);
  });
  // what is written has been asked for already
  from.addEventListener('change', (event) => event.stopPropagation());
  /** @type {{ close: () => void } | undefined} */
  let sheet;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    sheet?.close();
  };
  const form = element(
    'form',
    { class: 'pane-body today', on: { submit, change: ask } },
    boxes(t('search.kind'), kinds),
    boxes(t('search.when'), spans),
    field(t('search.room'), room),
    field(t('search.from'), from),
    element('label', { class: 'check-row' }, files, t('search.with-files')),
    element('button', { type: 'submit', class: 'btn search-done', 'data-kind': 'primary' }, t('search.done')),
  );
  const side = element(
    'aside',
    { class: 'pane search-filters', 'data-tone': 'sunken', 'aria-label': t('search.narrow') },
    form,
  );
  const open = element(
    'button',
    { type: 'button', class: 'btn search-narrow', on: { click: () => openSheet() } },
    icon('filter', { size: 'small' }),
    t('search.narrow'),
  );
  const chips = element('ul', { class: 'group', 'aria-label': t('search.narrowed') });
  const strip = element('div', { class: 'search-strip group', 'data-gap': '2' }, open, chips);

  function openSheet() {
    sheet = openPopover(open, form, { label: t('search.narrow'), onClose: () => side.append(form) });
  }

  /** What is chosen, with what takes it back. @returns {[string, () => void][]} */
  const chosen = () => [
    ...kinds
      .filter(({ box }) => box.checked)
      .map(({ name, box }) => /** @type {[string, () => void]} */ ([kindName(name), () => (box.checked = false)])),
    ...spans
      .slice(1)
      .filter(({ box }) => box.checked)
      .map(({ name }) => /** @type {[string, () => void]} */ ([spanName(name), () => (spans[0].box.checked = true)])),
    ...when(room.value, t('search.in', { room: roomTitle(room.value) }), () => (room.value = '')),
    ...when(from.value.trim(), t('search.by', { name: from.value.trim() }), () => (from.value = '')),
    ...when(files.checked, t('search.with-files'), () => (files.checked = false)),
  ];

  function showChips() {
    renew(
      chips,
      chosen().map(([label, take], at) =>
        element(
          'li',
          {},
          element(
            'button',
            {
              type: 'button',
              class: 'chip',
              'data-at': at,
              'aria-label': t('search.without', { name: label }),
              on: {
                click: () => {
                  take();
                  ask();
                  const left = chips.querySelectorAll('button');
                  (left[Math.min(at, left.length - 1)] ?? document.getElementById('search-title'))?.focus();
                },
              },
            },
            element('bdi', { class: 'clip' }, label),
            icon('close', { size: 'small' }),
          ),
        ),
      ),
    );
  }

  showChips();
  return {
    side,
    strip,
    /** @param {ViewHits[]} byView */
    setCounts(byView) {
      const counts = countsOf(byView);
      for (const { name, count } of kinds) count.textContent = String(counts[name]);
    },
  };
}

/** @template V @param {V} value @param {string} label @param {() => void} take @returns {[string, () => void][]} */
const when = (value, label, take) => (value ? [[label, take]] : []);

const kindName = (/** @type {string} */ name) => t(`search.kind.${name}`);
const spanName = (/** @type {string} */ name) => t(`search.when.${name}`);

/** @param {string} name */
function kindBox(name) {
  const box = element('input', { type: 'checkbox', class: 'check', name: 'kind', value: name });
  const count = element('span', { class: 'muted small nums' });
  return { name, box, count, row: row(box, kindName(name), count) };
}

/** @param {string} name @param {number} at */
function spanBox(name, at) {
  const shape = { type: 'radio', name: 'when', class: 'check', 'data-round': true };
  const box = element('input', { ...shape, value: name, checked: at === 0 });
  return { name, box, row: row(box, spanName(name)) };
}

/** @param {HTMLElement} box @param {string} label @param {HTMLElement} [count] */
const row = (box, label, count) =>
  element('label', { class: 'check-row' }, box, element('span', { class: 'grow' }, label), count);

/** @param {string} title @param {{ row: HTMLElement }[]} members */
const boxes = (title, members) =>
  element(
    'fieldset',
    { class: 'stack', 'data-gap': '1' },
    element('legend', { class: 'section' }, title),
    members.map((each) => each.row),
  );

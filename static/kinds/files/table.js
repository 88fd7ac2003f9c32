// The table of a folder: rows with a box, an icon, who changed it and when, its size, and a menu of what can be done.

import { element, hiddenText } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { fullTime, shortTime, size } from '../../formats/times.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { addressOf } from './routes.js';
import { fileIcon } from './types.js';

/** @import { FileFacts } from '../../api/files.js' */
/** @import { SortKey } from './types.js' */

/** rows that are drawn at first, and more of them each time they are asked for */
const ROWS = 300;

/**
 * @typedef {object} TableOptions
 * @property {string} room
 * @property {FileFacts[]} files in their order
 * @property {Set<string>} selected paths
 * @property {boolean} isSelectable
 * @property {{ key: SortKey, isDescending: boolean }} order
 * @property {(path: string) => { author: string, isNew: boolean }} about what the room tells of it
 * @property {(key: SortKey) => void} onSort
 * @property {() => void} onSelect
 * @property {(button: HTMLElement, file: FileFacts) => void} onMenu
 */

/** @param {TableOptions} options */
export function fileTable(options) {
  const { files, selected, isSelectable, order, onSelect } = options;
  const body = element('tbody', {});
  /** where a span of boxes begins */
  let last = -1;
  const all = box(t('files.select-all'), () => {
    for (const { path } of files) if (all.checked) selected.add(path);
    if (!all.checked) selected.clear();
    for (const each of body.querySelectorAll('input')) each.checked = all.checked;
    onSelect();
  });
  const showAll = () => {
    all.checked = files.length > 0 && selected.size === files.length;
    all.indeterminate = selected.size > 0 && !all.checked;
  };
  const choose = (/** @type {number} */ at, /** @type {HTMLInputElement} */ input, /** @type {boolean} */ isSpan) => {
    const [from, to] = isSpan && last >= 0 ? [Math.min(at, last), Math.max(at, last)] : [at, at];
    for (let i = from; i <= to; i++) {
      if (input.checked) selected.add(files[i].path);
      else selected.delete(files[i].path);
      const other = body.rows[i]?.querySelector('input');
      if (other) other.checked = input.checked;
    }
    last = at;
    showAll();
    onSelect();
  };
  const more = element('button', { type: 'button', class: 'btn', on: { click: () => draw() } }, t('files.more-rows'));
  function draw() {
    const from = body.rows.length;
    const next = files.slice(from, from + ROWS);
    body.append(...next.map((file, i) => fileRow(options, file, (input, isSpan) => choose(from + i, input, isSpan))));
    more.hidden = body.rows.length >= files.length;
  }
  draw();
  showAll();
  return element(
    'div',
    { class: 'stack' },
    element(
      'table',
      { class: 'table' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          isSelectable && element('th', { scope: 'col' }, all),
          sortHead(options, 'name', t('files.name'), {}),
          element('th', { scope: 'col', 'data-wide': true }, t('files.by')),
          sortHead(options, 'time', t('files.changed'), {}),
          sortHead(options, 'size', t('files.size'), { 'data-num': true, 'data-wide': true }),
          element('th', { scope: 'col' }, hiddenText(t('files.actions'))),
        ),
      ),
      body,
    ),
    more,
  );

  /** @param {TableOptions} from @param {SortKey} key @param {string} label @param {Record<string, boolean>} marks */
  function sortHead({ onSort }, key, label, marks) {
    const isBy = order.key === key;
    const direction = order.isDescending ? 'descending' : 'ascending';
    return element(
      'th',
      { scope: 'col', 'aria-sort': isBy ? direction : undefined, ...marks },
      element('button', { type: 'button', class: 'plain sort', on: { click: () => onSort(key) } }, label),
    );
  }
}

/** @param {string} label @param {(event: MouseEvent) => void} click */
const box = (label, click) =>
  element('input', { type: 'checkbox', class: 'check', 'aria-label': label, on: { click } });

/**
 * @param {TableOptions} options @param {FileFacts} file
 * @param {(input: HTMLInputElement, isSpan: boolean) => void} choose
 */
function fileRow({ room, selected, isSelectable, about, onMenu }, file, choose) {
  const { author, isNew } = about(file.path);
  const check = box(t('files.select', { name: file.name }), ({ shiftKey }) => choose(check, shiftKey));
  check.checked = selected.has(file.path);
  const date = new Date(file.time * 1000);
  const label = t('files.more', { name: file.name });
  /** @type {HTMLElement} */
  const menu = element(
    'button',
    {
      type: 'button',
      class: 'btn-icon',
      'aria-label': label,
      'aria-haspopup': 'menu',
      on: { click: () => onMenu(menu, file) },
    },
    icon('more'),
  );
  return element(
    'tr',
    { on: { contextmenu: (event) => openByRow(event, menu) } },
    isSelectable && element('td', {}, check),
    element(
      'td',
      { class: 'main-cell' },
      element(
        'span',
        { class: 'line' },
        icon(fileIcon(file)),
        element(
          'a',
          { class: 'plain', href: addressOf(room, file.path), 'data-path': file.path },
          element('bdi', {}, file.name),
        ),
        isNew && element('span', { class: 'chip', 'data-tone': 'ok' }, t('files.new')),
      ),
    ),
    element(
      'td',
      { 'data-wide': true },
      author !== '' &&
        element(
          'span',
          { class: 'line' },
          avatar(author, { size: 'small' }),
          element('bdi', { class: 'soft' }, author),
        ),
    ),
    element(
      'td',
      { class: 'soft' },
      file.time > 0 && element('time', { datetime: date.toISOString(), title: fullTime(date) }, shortTime(file.time)),
    ),
    element('td', { class: 'soft', 'data-num': true, 'data-wide': true }, file.isFolder ? '' : size(file.size)),
    element('td', { 'data-num': true }, menu),
  );
}

/** @param {MouseEvent} event @param {HTMLElement} button */
function openByRow(event, button) {
  if (event.target instanceof Element && event.target.closest('a')) return;
  event.preventDefault();
  button.click();
}

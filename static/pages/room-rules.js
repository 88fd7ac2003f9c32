// What a room is for and who may do what in it, for those who administer it.

import { keepRoomPassword } from '../api/request.js';
import { changeRoom, readRoom } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { draftAt } from '../model/drafts.js';
import { Undecided } from '../model/object-writing.js';
import { allFloors, loadRooms } from '../model/room-list.js';
import { choice, field, line, pageSection, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { askVersion } from '../ui/versions.js';
import { HOLDS, WHO } from './new-room.js';

/** @import { Room } from '../api/interface.d.ts' */
/** @import { RoomStore } from '../model/room-store.js' */
/**
 * @typedef {'is_read_only' | 'is_preferred_only' | 'is_subject_required' | 'is_collaborative'
 *   | 'is_mail_accepted'} Rule
 */

/** @type {Rule[]} */
const RULES = ['is_read_only', 'is_preferred_only', 'is_subject_required', 'is_collaborative', 'is_mail_accepted'];
const NAMES = ['shown', 'choice', 'hidden'];

/**
 * Who may enter, as making a room calls it.
 * @param {Pick<Room, 'is_password_protected' | 'is_guessname' | 'is_private'>} info
 */
export function entryTo({ is_password_protected, is_guessname, is_private }) {
  if (is_password_protected) return 'password';
  return is_guessname ? 'guessname' : is_private ? 'invitation' : 'public';
}

/** @param {Room} info */
const namesOf = ({ is_anonymous_only, is_anonymous_optional }) =>
  is_anonymous_only ? 'hidden' : is_anonymous_optional ? 'choice' : 'shown';

/**
 * What the form shows, by the names of its controls.
 * @param {Room} info @returns {Record<string, string | boolean>}
 */
const rulesOf = (info) => ({
  who: entryTo(info),
  holds: String(info.default_view),
  floor: String(info.floor),
  aide: info.room_aide,
  names: namesOf(info),
  ...Object.fromEntries(RULES.map((rule) => [rule, info[rule]])),
});

/**
 * Only what has been changed is sent. What others have changed meanwhile is not changed back; where that is the same,
 * the reader is asked.
 * @param {RoomStore} store
 */
export function rulesSection(store) {
  const { info } = store;
  const draft = draftAt(store.name, 'rules');
  /** what the form was made from */
  let seen = /** @type {ReturnType<typeof rulesOf>} */ (draft.read()?.value ?? rulesOf(info));
  const known = HOLDS.some(([view]) => view === info.default_view);
  /** @type {[number, string][]} */
  const views = HOLDS.map(([view, name]) => [view, t(`holds.${name}`)]);
  const who = choice(
    'rule-who',
    WHO.filter((each) => each !== 'personal').map((each) => [each, t(`new-room.${each}`)]),
    entryTo(info),
  );
  const holds = choice('rule-holds', known ? views : [[info.default_view, '–'], ...views], info.default_view);
  const floor = choice(
    'rule-floor',
    allFloors().map(({ num, name }) => [num, name]),
    info.floor,
  );
  const aide = line('rule-aide', '', { autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const names = choice(
    'rule-names',
    NAMES.map((each) => [each, t(`rules.names.${each}`)]),
    namesOf(info),
  );
  const password = line('rule-password', '', { dir: 'auto', 'data-secret': true });
  const passwordField = field(t('new-room.its-password'), password, t('rules.password-hint'));
  const boxes = RULES.map((rule) => element('input', { type: 'checkbox', class: 'check', name: rule }));
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  const controls = new Map([
    ...Object.entries({ who, holds, floor, aide, names }),
    ...boxes.map((box) => /** @type {const} */ ([box.name, box])),
  ]);
  const fields = [
    field(t('new-room.who'), who),
    passwordField,
    field(t('new-room.holds'), holds),
    field(t('new-room.floor'), floor),
    field(t('rules.aide'), aide),
    field(t('rules.names'), names),
    ...boxes.map((box) => element('label', { class: 'check-row' }, box, t(`rules.${box.name}`))),
  ];

  const written = () =>
    Object.fromEntries([...controls].map(([name, each]) => [name, isBox(each) ? each.checked : each.value.trim()]));
  /** @param {ReturnType<typeof rulesOf>} rules */
  const show = (rules) => {
    for (const [name, each] of controls) Object.assign(each, { [isBox(each) ? 'checked' : 'value']: rules[name] });
    showPassword();
  };
  const showPassword = () => (passwordField.hidden = who.value !== 'password');
  who.addEventListener('change', showPassword);
  show(rulesOf(info));

  /**
   * `Floor: Ground Floor`, a line for each of them.
   * @param {string[]} which @param {ReturnType<typeof rulesOf>} rules
   */
  const said = (which, rules) => {
    show(rules);
    return which.map((name) => wordsOf(controls.get(name))).join('\n');
  };

  const form = savingForm(
    t('rules.save'),
    fields,
    async () => {
      const mine = written();
      store.info = await readRoom(store.name);
      const there = rulesOf(store.info);
      const changed = Object.keys(mine).filter((name) => mine[name] !== seen[name]);
      const both = changed.filter((name) => there[name] !== seen[name] && there[name] !== mine[name]);
      const wanted = { ...there, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) };
      if (both.length > 0) {
        const theirs = said(both, there);
        const side = await askVersion(said(both, wanted), theirs);
        if (side === undefined) throw new Undecided();
        if (side === 'theirs') for (const name of both) wanted[name] = there[name];
      }
      const sent = written();
      const change = changeOf(there, wanted, wanted.who === 'password' ? password.value : '');
      if (Object.keys(change).length > 0) {
        if (password.value !== '') keepRoomPassword(store.name, password.value);
        store.info = await changeRoom(store.name, change);
        password.value = '';
        await loadRooms();
      }
      seen = rulesOf(store.info);
      // what was changed while it was being saved stays
      const later = Object.entries(written()).filter(([name, value]) => value !== sent[name]);
      show({ ...seen, ...Object.fromEntries(later) });
      announce(t('ui.saved'));
    },
    { draft, value: () => seen },
  );
  return pageSection(t('rules.title'), form);
}

/** @param {HTMLInputElement | HTMLSelectElement} control @returns {control is HTMLInputElement} */
const isBox = (control) => control.type === 'checkbox';

/** The label and what is chosen. @param {HTMLInputElement | HTMLSelectElement | undefined} control */
function wordsOf(control) {
  if (!control) return '';
  const chosen = control instanceof HTMLSelectElement ? control.selectedOptions[0]?.text : control.value;
  const words = isBox(control) ? t(control.checked ? 'ui.yes' : 'ui.no') : chosen;
  return `${control.labels?.[0]?.textContent}: ${words}`;
}

/**
 * What the server is asked for.
 * @param {ReturnType<typeof rulesOf>} before @param {ReturnType<typeof rulesOf>} after @param {string} password
 */
function changeOf(before, after, password) {
  const isOther = (/** @type {string} */ name) => before[name] !== after[name];
  const isEntryChanged = isOther('who') || password !== '';
  return {
    ...(isEntryChanged && { kind: after.who }),
    ...(isEntryChanged && after.who === 'password' && { password }),
    ...(isOther('holds') && { default_view: Number(after.holds) }),
    ...(isOther('floor') && { floor: Number(after.floor) }),
    ...(isOther('aide') && { room_aide: after.aide }),
    ...(isOther('names') && {
      is_anonymous_only: after.names === 'hidden',
      is_anonymous_optional: after.names === 'choice',
    }),
    ...Object.fromEntries(RULES.filter(isOther).map((rule) => [rule, after[rule]])),
  };
}

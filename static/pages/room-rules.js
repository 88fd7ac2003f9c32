// What a room is for and who may do what in it, for those who administer it.

import { keepRoomPassword } from '../api/request.js';
import { changeRoom } from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { allFloors, loadRooms } from '../model/room-list.js';
import { choice, field, line, pageSection, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
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

/** Only what has been changed is sent. @param {RoomStore} store */
export function rulesSection(store) {
  let { info } = store;
  const who = choice(
    'rule-who',
    WHO.filter((each) => each !== 'personal').map((each) => [each, t(`new-room.${each}`)]),
    entryTo(info),
  );
  const password = line('rule-password', '', { dir: 'auto', 'data-secret': true });
  const passwordField = field(t('new-room.its-password'), password, t('rules.password-hint'));
  const showPassword = () => (passwordField.hidden = who.value !== 'password');
  who.addEventListener('change', showPassword);
  showPassword();
  const known = HOLDS.some(([view]) => view === info.default_view);
  /** @type {[number, string][]} */
  const views = HOLDS.map(([view, name]) => [view, t(`holds.${name}`)]);
  const holds = choice('rule-holds', known ? views : [[info.default_view, '–'], ...views], info.default_view);
  const floor = choice(
    'rule-floor',
    allFloors().map(({ num, name }) => [num, name]),
    info.floor,
  );
  const aide = line('rule-aide', info.room_aide, { autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const names = choice(
    'rule-names',
    NAMES.map((each) => [each, t(`rules.names.${each}`)]),
    namesOf(info),
  );
  const boxes = RULES.map((rule) => ({
    rule,
    box: element('input', { type: 'checkbox', class: 'check', checked: info[rule] }),
  }));
  const fields = [
    field(t('new-room.who'), who),
    passwordField,
    field(t('new-room.holds'), holds),
    field(t('new-room.floor'), floor),
    field(t('rules.aide'), aide),
    field(t('rules.names'), names),
    ...boxes.map(({ rule, box }) => element('label', { class: 'check-row' }, box, t(`rules.${rule}`))),
  ];

  const changes = () => {
    const isEntryChanged = who.value !== entryTo(info) || (who.value === 'password' && password.value !== '');
    const [view, place, name] = [Number(holds.value), Number(floor.value), aide.value.trim()];
    return {
      ...(isEntryChanged && { kind: who.value }),
      ...(isEntryChanged && who.value === 'password' && { password: password.value }),
      ...(view !== info.default_view && { default_view: view }),
      ...(place !== info.floor && { floor: place }),
      ...(name !== info.room_aide && { room_aide: name }),
      ...(names.value !== namesOf(info) && {
        is_anonymous_only: names.value === 'hidden',
        is_anonymous_optional: names.value === 'choice',
      }),
      ...Object.fromEntries(
        boxes.filter(({ rule, box }) => box.checked !== info[rule]).map(({ rule, box }) => [rule, box.checked]),
      ),
    };
  };

  const showInfo = () => {
    who.value = entryTo(info);
    showPassword();
    holds.value = String(info.default_view);
    floor.value = String(info.floor);
    aide.value = info.room_aide;
    names.value = namesOf(info);
    for (const { rule, box } of boxes) box.checked = info[rule];
  };
  const form = savingForm(t('rules.save'), fields, async () => {
    const wanted = changes();
    if (Object.keys(wanted).length > 0) {
      if (password.value !== '') keepRoomPassword(store.name, password.value);
      info = await changeRoom(store.name, wanted);
      store.info = info;
      password.value = '';
      // what others have changed meanwhile is not changed back
      showInfo();
      await loadRooms();
    }
    announce(t('ui.saved'));
  });
  return pageSection(t('rules.title'), form);
}

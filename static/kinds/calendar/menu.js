// What is rarely done with a calendar: files, reminders, settings; on a phone the calendars, too.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { openMenu } from '../../ui/menu.js';
import { announce, tellProblem } from '../../ui/notices.js';
import { areRemindersOn, setReminders } from './reminders.js';
import { chooseFiles, takeOutAll } from './transfer.js';

/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { CalendarRoom } from './calendars.js' */
/** @import { ViewName } from './routes.js' */

/**
 * @param {HTMLElement} button
 * @param {object} about
 * @param {RoomStore} about.store
 * @param {CalendarRoom[]} about.rooms
 * @param {ViewName} about.view
 * @param {(view: ViewName) => unknown} about.choose
 * @param {(name: string, isOn: boolean) => unknown} about.chooseRoom
 * @param {(files: File[]) => unknown} about.bringIn
 */
export function calendarMenu(button, { store, rooms, chooseRoom, bringIn }) {
  const isSideHidden = document.querySelector('.cal-row')?.checkVisibility() !== true;
  const canWrite = rooms.some((room) => room.canWrite);
  const settings = () => {
    location.hash = routeTo(store.name, 'settings');
  };
  openMenu(button, [
    ...(isSideHidden
      ? [
          ...rooms.map(({ name, isOn }) => ({ label: name, checked: isOn, run: () => chooseRoom(name, !isOn) })),
          { separator: true },
        ]
      : []),
    ...(canWrite ? [{ label: t('calendar.import'), icon: 'upload', run: () => chooseFiles(bringIn) }] : []),
    { label: t('calendar.export'), icon: 'download', run: () => tellProblem(() => takeOutAll(store.name)) },
    ...('Notification' in globalThis && !store.isGuest
      ? [{ label: t('calendar.reminders'), checked: areRemindersOn(), run: turnReminders }]
      : []),
    ...(store.isGuest || (store.info.is_mailbox && !store.info.is_room_aide)
      ? []
      : [{ label: t('settings.title'), icon: 'settings', run: settings }]),
  ]);
}

async function turnReminders() {
  const isOn = await setReminders(!areRemindersOn());
  announce(
    t(
      isOn
        ? 'calendar.reminders.on'
        : Notification.permission === 'denied'
          ? 'calendar.reminders.denied'
          : 'calendar.reminders.off',
    ),
  );
}

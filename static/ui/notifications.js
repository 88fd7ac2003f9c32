// Notifications of the system, for who has asked for them on this device: shown while the page is out of sight.

const CHOICE = 'notifications';

const isAllowed = () => 'Notification' in globalThis && Notification.permission === 'granted';

export const areNotificationsOn = () => localStorage.getItem(CHOICE) === 'on' && isAllowed();

/** Asks the browser where it must; answers whether they are on now. @param {boolean} isOn */
export async function setNotifications(isOn) {
  if (!isOn) {
    localStorage.removeItem(CHOICE);
    return false;
  }
  if (!('Notification' in globalThis) || (await Notification.requestPermission()) !== 'granted') return false;
  localStorage.setItem(CHOICE, 'on');
  return true;
}

/**
 * A press leads to `address`. Those of one `tag` take each other's place.
 * @param {string} title
 * @param {{ body?: string, tag: string, address: string }} more
 */
export function notify(title, { body, tag, address }) {
  if (!areNotificationsOn() || document.visibilityState === 'visible') return;
  const shown = new Notification(title, { body, tag });
  shown.addEventListener('click', () => {
    window.focus();
    location.hash = address;
    shown.close();
  });
}

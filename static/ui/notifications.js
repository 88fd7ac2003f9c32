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
 * Those of one `tag` take each other's place. A press leads to `address`.
 * @typedef {{ body?: string, tag: string, address: string }} Notice
 */

/** While the page is out of sight, for who has asked for it. @param {string} title @param {Notice} notice */
export function notify(title, notice) {
  if (areNotificationsOn() && document.visibilityState !== 'visible') showNotification(title, notice);
}

/**
 * By the service worker where there is one: browsers of phones show none that a page makes.
 * @param {string} title @param {Notice} notice
 */
export async function showNotification(title, { body, tag, address }) {
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(title, { body, tag, data: { address } });
  try {
    const shown = new Notification(title, { body, tag });
    shown.addEventListener('click', () => {
      window.focus();
      location.hash = address;
      shown.close();
    });
  } catch {
    // a phone, and nothing is to be kept on it
  }
}

/** What somebody else was told of. */
export async function clearNotifications() {
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  for (const each of (await worker?.getNotifications()) ?? []) each.close();
}

// the worker has shown it, and was told of the press
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  if (typeof data?.address === 'string') location.hash = data.address;
});

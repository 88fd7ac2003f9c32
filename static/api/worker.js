// The service worker of the page, which keeps the client and what was read last on the device (static/worker.js): it is
// there unless the reader does not want it.

const SCRIPT = 'worker.js';
const CHOICE = 'offline';

const isPossible = () => 'serviceWorker' in navigator;

export const isKeptOnDevice = () => isPossible() && localStorage.getItem(CHOICE) !== 'off';

/** Whether anything can be kept: browsers do so over TLS, and for what runs on the device itself. */
export const canKeepOnDevice = isPossible;

/**
 * `begun` hears that answers are kept from now on, `renewed` that a newer client is there.
 * @param {{ begun: () => void, renewed: () => void }} listeners
 */
export async function startWorker({ begun, renewed }) {
  if (!isKeptOnDevice()) return;
  try {
    let isFirst = navigator.serviceWorker.controller === null;
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (isFirst) begun();
      else renewed();
      isFirst = false;
    });
    const registration = await navigator.serviceWorker.register(SCRIPT);
    await registration?.update().catch(leaveIfGone);
  } catch {
    // without it everything goes as well while there is a connection
  }
}

/** A server that has no such worker any more is not to be stood in for. */
async function leaveIfGone() {
  const { status } = await fetch(SCRIPT, { method: 'HEAD', cache: 'no-store' }).catch(() => ({ status: 0 }));
  if (status === 404 || status === 410) await removeWorker();
}

/** Kept for the next start of the page. @param {boolean} isWanted */
export async function keepOnDevice(isWanted) {
  if (isWanted) localStorage.removeItem(CHOICE);
  else localStorage.setItem(CHOICE, 'off');
  if (isWanted) await startWorker({ begun: () => {}, renewed: () => {} });
  else await removeWorker();
}

async function removeWorker() {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.unregister();
  await forgetKept(() => true);
}

/** What was read, of whomever; the client stays. */
export const forgetAnswers = () => forgetKept((name) => !name.includes(' shell '));

/** @param {(name: string) => boolean} isMeant */
async function forgetKept(isMeant) {
  if (!('caches' in globalThis)) return;
  const { pathname } = new URL('..', location.href);
  const names = (await caches.keys()).filter((name) => name.startsWith(`${pathname} `) && isMeant(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

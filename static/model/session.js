// Who is here, and what the server is called.

import { signal } from '../core/signal.js';

/** @import { WhoAmI } from '../api/interface.d.ts' */
/** @import { Signal } from '../core/signal.js' */

/** undefined for nobody, who may be a guest @type {Signal<WhoAmI | undefined>} */
export const user = signal(/** @type {WhoAmI | undefined} */ (undefined));

/**
 * `act` runs once, when somebody else or nobody is here. Answers what ends that.
 * @param {() => void} act
 */
export function whenUserGoes(act) {
  const who = user.get()?.username;
  const end = user.subscribe((now) => {
    if (now?.username === who) return;
    end();
    act();
  });
  return end;
}

export const isGuestWelcome = signal(false);

/** '' where the server tells nothing to strangers */
export const serverName = signal('');

const ADMINISTRATOR = 6;

/** Who may change accounts and floors; the room server has the last word. */
export const isAdministrator = () => (user.get()?.axlevel ?? 0) >= ADMINISTRATOR;

/** `Bob Smith <bob@example.org>` → `bob`, to tell oneself from others @param {string} recipient */
export const nameIn = (recipient) =>
  (/<([^<>]*)>/.exec(recipient)?.[1] ?? recipient).split('@')[0].replaceAll('_', ' ').trim().toLowerCase();

/** @param {string} author */
export const isOneself = (author) => nameIn(author) === nameIn(user.get()?.username ?? '');

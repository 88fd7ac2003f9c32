// What one chooses for oneself: look, writing, notifications, password; and what the server says of itself.

import { t } from '../core/i18n.js';
import { showLook, showNotifications } from './settings-device.js';
import { settingsPage } from './settings-frame.js';
import { showPassword, showServer, showWriting } from './settings-own.js';

/** @typedef {(host: HTMLElement, signal: AbortSignal) => Promise<string> | string} Section */

/** @type {Record<string, Section>} */
const SECTIONS = {
  look: showLook,
  writing: showWriting,
  notifications: showNotifications,
  password: showPassword,
  server: showServer,
};

/** Throws Problem. @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal */
export function show(host, [section = ''], signal) {
  const found = SECTIONS[section];
  if (found) return found(host, signal);
  host.replaceChildren(settingsPage('', { title: t('settings.places') }));
  return t('settings.places');
}

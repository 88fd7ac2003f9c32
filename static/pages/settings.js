// What one chooses for oneself: look, writing, notifications, password; and what the server says of itself.

import { query } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress } from '../core/router.js';
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
  // beside the list there is room for the first of them
  if (query(host, '#page-title')?.checkVisibility()) location.replace(pageAddress('account'));
  return t('settings.places');
}

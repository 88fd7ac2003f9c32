// The settings for CONF GETVAL and PUTVAL, by their protocol names, with defaults. Stored in the table `config`.

import { hostname } from 'node:os';
import type { Store } from './store.ts';

/** read once: it is in the headers of most messages */
const HOST_NAME = hostname();
const SHORT_HOST_NAME = HOST_NAME.split('.')[0]?.toLowerCase() || 'localhost';

const DEFAULTS: Record<string, () => string> = {
  c_nodename: () => SHORT_HOST_NAME,
  c_fqdn: () => HOST_NAME,
  c_humannode: () => 'Vestibule',
  c_sysadm: () => 'admin',
  c_guest_logins: () => '0',
  c_disable_newu: () => '1',
  c_initax: () => '4',
  c_createax: () => '3',
  c_creataide: () => '1',
  c_aide_zap: () => '0',
  c_purge_hour: () => '4',
  c_maxsessions: () => '0',
  c_maxmsglen: () => '0',
  c_regiscall: () => '0',
  c_twitdetect: () => '0',
};

/** The stored value, or else the default; undefined for an unknown name. */
export function setting(store: Store, name: string): string | undefined {
  return store.getConfig(name) ?? (isSetting(name) ? DEFAULTS[name]!() : undefined);
}

/** All names that CONF knows. */
export function settingNames(): string[] {
  return Object.keys(DEFAULTS);
}

/** Whether CONF knows the name. */
export function isSetting(name: string): boolean {
  return Object.hasOwn(DEFAULTS, name);
}

/** A numeric setting; other text counts as 0. */
export function numberSetting(store: Store, name: string): number {
  const value = Number.parseInt(setting(store, name) ?? '', 10);
  return Number.isNaN(value) ? 0 : value;
}

/** c_guest_logins: sessions that never log in may read public rooms */
export function guestsAllowed(store: Store): boolean {
  return store.getConfig('c_guest_logins') === '1';
}

/** Name of this server in message ids, addresses and the greeting. */
export function nodeName(store: Store): string {
  return setting(store, 'c_nodename') ?? 'localhost';
}

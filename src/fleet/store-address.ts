// Parses the address of a shared store (--shared): one server, sentinels that know the current master, or nodes of a
// cluster.

import { isIPv6 } from 'node:net';
import { MAX_STORE_HOSTS } from '../limits/processes.ts';

export interface HostPort {
  host: string;
  port: number;
}

export interface StoreAddress {
  kind: 'single' | 'sentinel' | 'cluster';
  /** the server, the sentinels, or some nodes */
  hosts: readonly HostPort[];
  /** name of the master at the sentinels */
  masterName: string;
  /** SELECT; always 0 in a cluster */
  database: number;
  /** AUTH; undefined: none */
  password: string | undefined;
  /** undefined: the default user */
  user: string | undefined;
  isTls: boolean;
}

const PORT = 6379;
const SENTINEL_PORT = 26379;
const FORM = /^redis(s?)(\+sentinel|\+cluster)?:\/\/(?:([^@/]*)@)?([^@/]+)(?:\/([^/]*))?(?:\/([^/]*))?$/;

/**
 * `redis://user:password@host:6379/0`; `rediss://…` for TLS; `redis+sentinel://a:26379,b:26379/name/0`;
 * `redis+cluster://a,b,c`, or a list after redis://. undefined: invalid.
 */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  const [, s, form, userInfo, hostText, first, second] = FORM.exec(text) ?? [];
  if (hostText === undefined) return undefined;
  const isSentinel = form === '+sentinel';
  const hosts = hostText.split(',').map((each) => parseHostPort(each, isSentinel ? SENTINEL_PORT : PORT));
  if (!hosts.every((each) => each !== undefined) || hosts.length > MAX_STORE_HOSTS) return undefined;
  const kind = isSentinel ? 'sentinel' : form === '+cluster' || hosts.length > 1 ? 'cluster' : 'single';
  const masterName = isSentinel ? (decoded(first ?? '') ?? '') : '';
  const database = databaseOf(isSentinel ? second : first);
  const credentials = credentialsIn(userInfo);
  if (database === undefined || credentials === undefined) return undefined;
  if (isSentinel ? masterName === '' : second !== undefined) return undefined;
  if (kind === 'cluster' && database !== 0) return undefined;
  return { kind, hosts, masterName, database, ...credentials, isTls: s === 's' };
}

/** The text without its password, for display. Also hides what may be one in an invalid address. */
export function maskedStoreAddress(text: string): string {
  const start = text.indexOf('://') + '://'.length;
  const end = text.lastIndexOf('@');
  if (end < start) return text;
  const colon = text.indexOf(':', start);
  const user = colon > start && colon < end ? text.slice(start, colon) : '';
  return `${text.slice(0, start)}${user}${colon >= 0 && colon < end ? ':' : ''}(hidden)${text.slice(end)}`;
}

/** `host`, `host:port`, `[::1]:port`; undefined: invalid */
export function parseHostPort(text: string, port: number): HostPort | undefined {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const number = portText === undefined ? port : Number(portText);
  if (number < 1 || number > 65_535) return undefined;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port: number } : undefined;
  return plain === undefined ? undefined : { host: plain, port: number };
}

/** `host:port`, as a key and for display */
export function hostPortText({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function databaseOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return 0;
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function credentialsIn(userInfo: string | undefined): Pick<StoreAddress, 'user' | 'password'> | undefined {
  if (userInfo === undefined || userInfo === '') return { user: undefined, password: undefined };
  const colon = userInfo.indexOf(':');
  if (colon < 0) return undefined; // would be displayed, but may be a password
  const user = decoded(userInfo.slice(0, colon));
  const password = decoded(userInfo.slice(colon + 1));
  if (user === undefined || password === undefined || password === '') return undefined;
  return { user: user === '' ? undefined : user, password };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// Parses values of options; undefined: invalid. And the error for wrong usage.

import { statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { maskedStoreAddress, parseStoreAddress, type StoreAddress } from '../fleet/store-address.ts';
import { hostNameOf } from '../http/request-head.ts';
import { MAX_ROOM_SERVERS, MAX_UNIX_PATH_BYTES } from '../limits/protocol.ts';
import { BOUND_NAMES, type BoundName, type Bounds, isInRange } from '../limits/settable.ts';
import { isNetwork } from '../system/networks.ts';
import type { LogFormat } from '../telemetry/log-line.ts';

export type Address = { kind: 'unix'; path: string } | { kind: 'tcp'; host: string; port: number };
/** of a room server; tls: encrypted from the first byte */
export type BackendAddress = Address | { kind: 'tls'; host: string; port: number };

// '[::1]' → '::1'; names and IPv4 addresses are unchanged; 'unix:x.sock' → 'unix:/absolute/path/x.sock'
export function parseHost(text: string): string | undefined {
  if (text.startsWith('unix:')) {
    const address = parseAddress(text);
    return address?.kind === 'unix' ? `unix:${address.path}` : undefined;
  }
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  return isIPv6(bare) || (bare === text && /^[A-Za-z0-9._-]+$/.test(text)) ? bare : undefined;
}

/** 0 to 65535 */
export function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;
}

/** `parseCount(9)` accepts `'1'` to `'9'`, `parseCount(9, 0)` also `'0'`. */
export function parseCount(most: number, least = 1): (text: string) => number | undefined {
  return (text) => (/^(?:0|[1-9]\d{0,8})$/.test(text) && +text >= least && +text <= most ? +text : undefined);
}

// 'svc' → '/svc/'; '/a/b' → '/a/b/'
export function parsePrefix(text: string): string | undefined {
  const segments = text.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isSound = segments.every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && !/^\.\.?$/.test(segment));
  return isSound && segments[0] !== '.well-known' ? `/${segments.join('/')}/` : undefined;
}

/** Like parseAddress, plus tls://host:port and `embedded`. Port 0 is invalid. */
export function parseBackend(text: string): BackendAddress | 'embedded' | undefined {
  if (text === 'embedded') return text;
  const isTls = text.startsWith('tls://');
  const address = parseAddress(isTls ? text.replace('tls', 'tcp') : text);
  if (address?.kind !== 'tcp') return address;
  return address.port === 0 ? undefined : { ...address, kind: isTls ? 'tls' : 'tcp' };
}

/** A room server and the hosts that it serves. */
export interface NamedBackend {
  /** identifies its state: its first host, or '' for the default server */
  name: string;
  /** in the form of hostNameOf */
  hosts: readonly string[];
  address: BackendAddress | 'embedded';
}

export function isEmbedded({ address }: NamedBackend): boolean {
  return address === 'embedded';
}

/**
 * `'unix:/a, mail.example.org=tcp://b:504'`: at most one without a host, each host once. Hosts with the same address
 * share one room server.
 */
export function parseBackends(list: string): NamedBackend[] | undefined {
  const servers = new Map<string, { name: string; hosts: string[]; address: BackendAddress | 'embedded' }>();
  const known = new Set<string>();
  for (const entry of list.split(',')) {
    const text = entry.trim();
    const [start = '', hostText] = /^(\[[^\]=]*\]|[^:[\]=]*)=/.exec(text) ?? [];
    const host = hostText === undefined ? '' : hostNameOf(hostText);
    const address = parseBackend(text.slice(start.length));
    if (host === undefined || address === undefined || known.has(host)) return undefined;
    known.add(host);
    const server = servers.getOrInsertComputed(JSON.stringify(address), () => ({ name: host, hosts: [], address }));
    if (host === '') server.name = '';
    else server.hosts.push(host);
  }
  return servers.size <= MAX_ROOM_SERVERS ? [...servers.values()] : undefined;
}

/** `'locks=500,rooms-of-user=50'`: each once, and in its range */
export function parseBounds(list: string): Bounds | undefined {
  const bounds: Partial<Record<BoundName, number>> = {};
  for (const entry of list.split(',')) {
    const [, text = '', count = ''] = /^\s*([a-z-]+)=(\d{1,9})\s*$/.exec(entry) ?? [];
    const name = BOUND_NAMES.find((each) => each === text);
    if (name === undefined || bounds[name] !== undefined || !isInRange(name, Number(count))) return undefined;
    bounds[name] = Number(count);
  }
  return bounds;
}

// 'unix:run/citadel.socket', 'tcp://127.0.0.1:504', 'tcp://[::1]:504'
export function parseAddress(text: string): Address | undefined {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) {
    const path = resolve(text.slice('unix:'.length));
    return Buffer.byteLength(path) > MAX_UNIX_PATH_BYTES ? undefined : { kind: 'unix', path };
  }
  const [, hostText = '', portText = ''] = /^tcp:\/\/(\[[^\]]+\]|[^:[\]]+):(\d+)$/.exec(text) ?? [];
  const host = parseHost(hostText);
  const port = parsePort(portText);
  return host === undefined || port === undefined ? undefined : { kind: 'tcp', host, port };
}

/** a store shared by several gateways */
export interface SharedStore {
  address: StoreAddress;
  /** for display, without the password */
  text: string;
}

/** See parseStoreAddress. */
export function parseShared(text: string): SharedStore | undefined {
  const address = parseStoreAddress(text);
  return address && { address, text: maskedStoreAddress(text) };
}

/** The absolute path of an existing folder. */
export function parseFolder(text: string): string | undefined {
  const path = resolve(text);
  try {
    return statSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}

// `//host` and `/\host` would lead to another site; `/` would redirect to itself
export function parseLanding(text: string): string | undefined {
  return /^\/(?!\/)[!-~]+$/.test(text) && !text.includes('\\') ? text : undefined;
}

/** `'https://A.example, http://b:81'` → `['https://a.example', 'http://b:81']`; `*` is invalid */
export function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((each) => originOf(each.trim()));
  return origins.every((origin) => origin !== undefined) ? origins : undefined;
}

// in the browsers' form: lower case, without default port and path
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^/?#@\\*]+$/i.test(text);
  return isOrigin ? url.origin : undefined;
}

/** `'10.0.0.7,10.1.0.0/16'` */
export function parseNetworks(text: string): string[] | undefined {
  const networks = text.split(',').map((each) => each.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

export function parseLogFormat(text: string): LogFormat | undefined {
  return text === 'text' || text === 'json' ? text : undefined;
}

// '1', 'true', 'yes', 'on' → true; '0', 'false', 'no', 'off' → false; case-insensitive
export function parseSwitch(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off)$/i.test(text) ? false : undefined;
}

/** `message` is one line for the user; main prints it and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** JSON quoting keeps the message on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

// What a LOCK asks for (RFC 4918 sections 9.10, 10.7 and 14.11): its body, Timeout and Lock-Token header fields.

import { AppError } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { DEFAULT_LOCK_SECONDS, MAX_LOCK_OWNER_BYTES, MAX_LOCK_SECONDS } from '../../limits/locks.ts';
import { atOnce } from '../../system/steps.ts';
import type { XmlElement } from '../xml-read.ts';
import { DAV_NAMESPACE, storable } from '../xml-write.ts';

export interface WantedLock {
  isShared: boolean;
  /** DAV:owner, a document of its own; empty where the client names nobody */
  ownerXml: string;
}

/** Throws bad_request for what is no lockinfo, or for another lock than one for writing, too_large for a long owner. */
export function parseLockInfo(root: XmlElement): WantedLock {
  if (!isNamed(root, 'lockinfo')) throw new AppError('bad_request', 'The body is no lockinfo.');
  const [scope, type, owner] = ['lockscope', 'locktype', 'owner'].map((name) =>
    root.children.find((child) => isNamed(child, name)),
  );
  const isShared = scope?.children.some((child) => isNamed(child, 'shared')) ?? false;
  const isExclusive = scope?.children.some((child) => isNamed(child, 'exclusive')) ?? false;
  if (isShared === isExclusive) throw new AppError('bad_request', 'A lock is either exclusive or shared.');
  if (!type?.children.some((child) => isNamed(child, 'write'))) {
    throw new AppError('bad_request', 'There are write locks only.');
  }
  const ownerXml = owner ? atOnce(storable(owner, MAX_LOCK_OWNER_BYTES)) : '';
  if (ownerXml === undefined) throw new AppError('too_large', 'The owner of the lock is too long.');
  return { isShared, ownerXml };
}

/** `Second-600`, `Infinite, Second-4100000000`: of several the first that can be read. */
export function lockSeconds(timeout: string | undefined): number {
  for (const type of (timeout ?? '').split(',')) {
    if (/^infinite$/i.test(type.trim())) return MAX_LOCK_SECONDS;
    const [, digits] = /^second-(\d+)$/i.exec(type.trim()) ?? [];
    if (digits !== undefined) return Math.min(Math.max(Number(digits), 1), MAX_LOCK_SECONDS);
  }
  return DEFAULT_LOCK_SECONDS;
}

/** `<urn:uuid:…>`, or as some clients send it without the brackets. Throws bad_request for none. */
export function lockTokenOf(exchange: Exchange): string {
  const [, token] = /^<?([^<>\s]+)>?$/.exec(exchange.header('lock-token')?.trim() ?? '') ?? [];
  if (token === undefined) throw new AppError('bad_request', 'A Lock-Token header is needed.');
  return token;
}

/** Depth of a LOCK: everything but 0 is infinity, 1 is refused (RFC 4918 section 9.10.3). Throws bad_request. */
export function isDeepLock(exchange: Exchange): boolean {
  const depth = exchange.header('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth !== '0' && depth !== 'infinity') throw new AppError('bad_request', 'Depth takes 0 or infinity.');
  return depth === 'infinity';
}

function isNamed({ namespace, name }: XmlElement, wanted: string): boolean {
  return namespace === DAV_NAMESPACE && name === wanted;
}

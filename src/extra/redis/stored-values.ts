// Validates JSON from the store. Gateways of other releases and other programs write it: an invalid value is ignored,
// so that it cannot stop a fleet.

import type { WriteLock } from '../../fleet/locks.ts';
import type { FleetNotice } from '../../fleet/notices.ts';
import type { UploadRecord } from '../../fleet/uploads.ts';

/** A change in the log. */
export type FleetChange =
  | { revoked: [sessionId: string, untilSeconds: number][] }
  | { put: WriteLock[]; gone: Pick<WriteLock, 'collection' | 'token'>[] }
  | { notice: FleetNotice; from: string };

type Kind = 'string' | 'number' | 'boolean';
type Form = Readonly<Record<string, Kind>>;

const LOCK: Form = {
  ...{ token: 'string', account: 'string', collection: 'string', name: 'string', ownerXml: 'string' },
  ...{ isShared: 'boolean', isDeep: 'boolean', until: 'number' },
};
const UPLOAD: Form = { ref: 'string', uploadfilename: 'string', contenttype: 'string', contentlength: 'number' };
const INSTANT: Form = {
  ...{ id: 'string', time: 'number', sender: 'string', address: 'string', isBroadcast: 'boolean', text: 'string' },
};
const NOTICES: Readonly<Record<FleetNotice['about'], Form>> = {
  account: { usernum: 'number' },
  'replaced session': { sessionId: 'string' },
  inbox: { account: 'string', seen: 'number' },
  instant: { from: 'string', owner: 'string' },
  gap: {},
};

export function parseChange(text: string): FleetChange | undefined {
  const value = parse(text);
  const isChange =
    hasForm(value, {}) &&
    (isListOf(value.revoked, isRevocation) ||
      (isListOf(value.put, isLock) && isListOf(value.gone, (each) => hasForm(each, GONE))) ||
      (hasForm(value, { from: 'string' }) && isNotice(value.notice)));
  return isChange ? (value as FleetChange) : undefined;
}

const GONE: Form = { collection: 'string', token: 'string' };

export function parseLock(text: string): WriteLock | undefined {
  const value = parse(text);
  return isLock(value) ? value : undefined;
}

export function parseUpload(text: string): UploadRecord | undefined {
  const value = parse(text);
  const isUpload =
    hasForm(value, UPLOAD) && Number.isSafeInteger(value.contentlength) && Number(value.contentlength) >= 0;
  return isUpload ? (value as unknown as UploadRecord) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLock(value: unknown): value is WriteLock {
  return hasForm(value, LOCK) && (value.made === undefined || typeof value.made === 'number');
}

function isRevocation(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}

function isNotice(value: unknown): boolean {
  if (!hasForm(value, { about: 'string' }) || !Object.hasOwn(NOTICES, String(value.about))) return false;
  const about = value.about as FleetNotice['about'];
  if (!hasForm(value, NOTICES[about]) || !(value.server === undefined || typeof value.server === 'string'))
    return false;
  const areStrings = (list: unknown) => isListOf(list, (each) => typeof each === 'string');
  return about !== 'instant' || (isListOf(value.come, (each) => hasForm(each, INSTANT)) && areStrings(value.taken));
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function hasForm(value: unknown, form: Form): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(form).every(([name, kind]) => typeof (value as Record<string, unknown>)[name] === kind);
}

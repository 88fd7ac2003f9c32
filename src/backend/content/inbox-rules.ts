// A user's rules for arriving mail, and their result for one mail. Only keep, discard and fileinto are supported; rules
// that reject, redirect or reply are not accepted.

import { MAX_INBOX_RULE_BYTES, MAX_INBOX_RULES, MAX_RULE_STEPS } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { accessOf } from '../session/access.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { findRoom } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { visitOf } from '../store/visits.ts';

/** The fields of a mail that rules test. */
export interface ArrivingMail {
  /** display name of the author */
  author: string;
  address: string;
  to: string;
  cc: string;
  subject: string;
  size: number;
}

interface Rule {
  field: string;
  operator: string;
  value: string;
  isLarger: boolean;
  size: number;
  action: string;
  room: string;
  isLast: boolean;
}

const LINE = /^rule\|\d+\|([A-Za-z0-9+/]+={0,2})$/;
const ACTIONS = new Set(['keep', 'discard', 'fileinto']);

/** The rooms a mail to `user` goes to: `inbox` unless a rule says otherwise; none when it is discarded. */
export function filedRooms(store: Store, user: StoredUser, inbox: StoredRoom, mail: ArrivingMail): StoredRoom[] {
  const rooms = new Set<StoredRoom>();
  const effort: Effort = { left: MAX_RULE_STEPS };
  let isDecided = false;
  for (const rule of inboxRules(store, user).flatMap((line) => parseRule(line) ?? [])) {
    const isMeant = applies(rule, mail, effort);
    // If one rule cannot be evaluated none is applied, so that nothing is discarded by mistake.
    if (effort.left < 0) return [inbox];
    if (!isMeant) continue;
    isDecided = true;
    if (rule.action === 'keep') rooms.add(inbox);
    // If the target room no longer exists the mail stays in the inbox.
    if (rule.action === 'fileinto') rooms.add(ownRoom(store, user, rule.room) ?? inbox);
    if (rule.isLast) break;
  }
  return isDecided ? [...rooms] : [inbox];
}

/** The lines `rule|n|BASE64` that the user has set. */
export function inboxRules(store: Store, { id }: StoredUser): string[] {
  const rules = String(store.prepare('SELECT rules FROM user WHERE id = ?').get(id)?.rules ?? '');
  return rules === '' ? [] : rules.split('\n');
}

/** Stores the supported rules among the lines, up to MAX_INBOX_RULES. Inside a transaction only. */
export function setInboxRules(store: Store, { id }: StoredUser, lines: readonly string[]): void {
  const kept = lines.filter((line) => line.length <= MAX_INBOX_RULE_BYTES && parseRule(line)).slice(0, MAX_INBOX_RULES);
  store.prepare('UPDATE user SET rules = ? WHERE id = ?').run(kept.join('\n'), id);
}

/**
 * `n|field|operator|value|larger or smaller|size|action|room|address|text|continue or stop`; undefined: nothing we do
 */
function parseRule(line: string): Rule | undefined {
  const encoded = LINE.exec(line)?.[1];
  if (!encoded) return undefined;
  const fields = Buffer.from(encoded, 'base64').toString().split('|');
  const [, field = '', operator = '', value = '', larger, size, action = '', room = '', , , last] = fields;
  if (!ACTIONS.has(action) || (!FIELDS.get(field) && field !== 'size' && field !== 'all')) return undefined;
  if (field !== 'size' && field !== 'all' && !OPERATORS.get(operator)) return undefined;
  return {
    field,
    operator,
    value,
    isLarger: larger === 'larger',
    size: toInt(size),
    action,
    room,
    isLast: last !== 'continue',
  };
}

const FIELDS: ReadonlyMap<string, (mail: ArrivingMail) => string[]> = new Map<string, (mail: ArrivingMail) => string[]>(
  [
    ['tocc', ({ to, cc }) => [to, cc]],
    ['subject', ({ subject }) => [subject]],
    ['replyto', ({ address }) => [address]],
    ['sender', from],
    ['from', from],
    ['envfrom', ({ address }) => [address]],
  ],
);

function from({ author, address }: ArrivingMail): string[] {
  return [author, address, `${author} <${address}>`];
}

/** The remaining steps for the patterns of one user and mail. */
interface Effort {
  left: number;
}

type Operator = (texts: string[], value: string, effort: Effort) => boolean;

/** characters compared in one step by a built-in, whose worst case is text times value, too */
const COMPARED_IN_A_STEP = 64;

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['contains', (texts, value, effort) => texts.some((text) => isWithin(text, value, effort))],
  ['notcontains', (texts, value, effort) => !texts.some((text) => isWithin(text, value, effort))],
  ['is', (texts, value) => texts.includes(value)],
  ['isnot', (texts, value) => !texts.includes(value)],
  ['matches', (texts, value, effort) => texts.some((text) => isMatch(text, value, effort))],
  ['notmatches', (texts, value, effort) => !texts.some((text) => isMatch(text, value, effort))],
]);

function applies({ field, operator, value, isLarger, size }: Rule, mail: ArrivingMail, effort: Effort): boolean {
  if (field === 'all') return true;
  if (field === 'size') return isLarger ? mail.size > size : mail.size < size;
  const texts = FIELDS.get(field)!(mail).map((text) => text.toLowerCase());
  return OPERATORS.get(operator)!(texts, value.toLowerCase(), effort);
}

function isWithin(text: string, value: string, effort: Effort): boolean {
  effort.left -= Math.ceil((text.length * value.length) / COMPARED_IN_A_STEP);
  return effort.left >= 0 && text.includes(value);
}

/** `*` is any text, `?` any character; takes as many steps as text times pattern has at worst, or as there are left. */
function isMatch(text: string, pattern: string, effort: Effort): boolean {
  let [at, place] = [0, 0];
  let [star, resumeAt] = [-1, 0];
  while (at < text.length) {
    if (effort.left-- <= 0) return false;
    if (pattern[place] === '*') {
      star = place++;
      resumeAt = at;
    } else if (place < pattern.length && (pattern[place] === '?' || pattern[place] === text[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(place));
}

function ownRoom(store: Store, user: StoredUser, name: string): StoredRoom | undefined {
  const room = findRoom(store, user, name);
  if (!room) return undefined;
  const access = accessOf(user, room, visitOf(store, user.id, room.id));
  return (access & ACCESS.known) !== 0 && (access & ACCESS.post) !== 0 ? room : undefined;
}

// Mail (protocol section 16): resolves recipients to users and rooms of this server, which sends no mail to others; one
// message goes to the sender's Sent Items and to the Mail of each recipient, or where the recipient's inbox rules file
// it. Only keep, discard and fileinto are supported; rules that reject, redirect or reply are not accepted. And the
// people on the cards of an address book, who are suggested as recipients.

import {
  BACKEND_TURN_MS,
  MAX_COMPLETION_CARDS,
  MAX_INBOX_RULE_BYTES,
  MAX_INBOX_RULES,
  MAX_RECIPIENTS,
  MAX_RULE_STEPS,
} from '../../limits/backend.ts';
import { type Person, peopleOnCard, recipientOf } from '../../mime/objects/properties.ts';
import { cardPart } from '../../mime/part.ts';
import { ACCESS, LEVEL, ROOM_FLAG } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { nameKey, splitAddress } from '../../protocol/names.ts';
import { needsRecipient, OWN_ROOM } from '../../protocol/room-facts.ts';
import { accessOf } from '../session/access.ts';
import type { Session } from '../session/session.ts';
import { objectPartText } from '../store/message-part.ts';
import { messageInRoom, structureOf } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { AIDE_ROOM_KEY, findRoom, roomByName, roomFacts } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { findUser, isOwnDomain, personalRoom, userAt } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';
import { splitRecipients } from './readable-message.ts';

/** A room of one user, such as a mailbox. */
export function isPersonal(room: StoredRoom): boolean {
  return (room.flags & ROOM_FLAG.personal) !== 0;
}

/** Whether posts in the room need a recipient. */
export function isMailRoom(session: Session, room: StoredRoom): boolean {
  const ownView = session.user && visitOf(session.store, session.user.id, room.id).view;
  return needsRecipient(roomFacts(room), ownView ?? room.view);
}

/**
 * The rooms that refer to a mail, the sender's Sent Items first, each once; where the recipients' rules say. Creates
 * what is missing.
 */
export function mailRooms(store: Store, sender: StoredUser, recipients: Recipients, mail: ArrivingMail): StoredRoom[] {
  const rooms = new Set([personalRoom(store, sender, OWN_ROOM.sent)]);
  const users = new Set<StoredUser>();
  for (const target of recipients.all) {
    if ('room' in target) rooms.add(target.room);
    else users.add(target.user);
  }
  for (const user of users) {
    for (const room of filedRooms(store, user, personalRoom(store, user, OWN_ROOM.mail), mail)) rooms.add(room);
  }
  return [...rooms];
}

/** One destination of a mail; `label` is its name in the reply to a probe. */
type MailDestination = { label: string; user: StoredUser } | { label: string; room: StoredRoom };

/** The resolved recipients of one mail. */
export interface Recipients {
  to: MailDestination[];
  /** to, cc and bcc */
  all: MailDestination[];
}

const ROOM_PREFIX = 'room_';
const ANGLE_ADDRESS = /<([^<>]*)>\s*$/;

/** Throws Refusal 570 with all unknown recipients. Mail of users who are not validated goes to the Aide room. */
export function resolveRecipients(store: Store, sender: StoredUser, to: string, cc: string, bcc: string): Recipients {
  const typed = [to, cc, bcc].map(splitRecipients);
  const all = typed.flat();
  if (all.length > MAX_RECIPIENTS) throw new Refusal('noSuchUser', `More than ${MAX_RECIPIENTS} recipients.`);
  if (sender.level < LEVEL.problem) {
    const target = aide(store);
    return { to: to === '' ? [] : [target], all: all.length === 0 ? [] : [target] };
  }
  const targets = all.map((one) => resolve(store, sender, one));
  const invalid = all.filter((_, i) => targets[i] === undefined);
  if (invalid.length > 0) {
    throw new Refusal(
      'noSuchUser',
      invalid.map((one) => `Invalid recipient: ${withoutOwnDomain(store, one)}`).join('; '),
    );
  }
  const found = targets as MailDestination[];
  return { to: found.slice(0, typed[0]!.length), all: found };
}

function resolve(store: Store, sender: StoredUser, typed: string): MailDestination | undefined {
  const name = (ANGLE_ADDRESS.exec(typed)?.[1] ?? typed).trim().replace(/^"(.*)"$/, '$1');
  const { local, domain } = splitAddress(name);
  if (domain !== undefined && !isOwnDomain(store, domain)) return undefined;
  if (nameKey(local) === 'sysop') return aide(store);
  if (nameKey(local).startsWith(ROOM_PREFIX)) {
    const room = mailableRoom(store, sender, local.slice(ROOM_PREFIX.length));
    return room && { label: typed, room };
  }
  const user = domain === undefined ? findUser(store, local) : userAt(store, name);
  return user && user.level > LEVEL.deleted ? { label: user.name, user } : undefined;
}

/** Its name in a refusal: `nobody@vm` → `nobody` on the server vm. */
function withoutOwnDomain(store: Store, typed: string): string {
  const { local, domain } = splitAddress(typed);
  return local !== '' && domain !== undefined && isOwnDomain(store, domain) ? local : typed;
}

/** `room_Team_Chat` → the room Team Chat, if the sender may post there. */
function mailableRoom(store: Store, sender: StoredUser, name: string): StoredRoom | undefined {
  const room = findRoom(store, undefined, name) ?? findRoom(store, undefined, name.replaceAll('_', ' '));
  if (!room || room.owner !== null) return undefined;
  const access = accessOf(sender, room, visitOf(store, sender.id, room.id));
  return (access & ACCESS.known) !== 0 && (access & ACCESS.post) !== 0 ? room : undefined;
}

function aide(store: Store): MailDestination {
  return { label: 'Aide', room: roomByName(store, AIDE_ROOM_KEY)! };
}

/** The fields of a mail that rules test. */
interface ArrivingMail {
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
function filedRooms(store: Store, user: StoredUser, inbox: StoredRoom, mail: ArrivingMail): StoredRoom[] {
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
  const rules = String(store.get`SELECT rules FROM user WHERE id = ${id}`?.rules ?? '');
  return rules === '' ? [] : rules.split('\n');
}

/** Stores the supported rules among the lines, up to MAX_INBOX_RULES. Inside a transaction only. */
export function setInboxRules(store: Store, { id }: StoredUser, lines: readonly string[]): void {
  const valid = lines
    .filter((line) => line.length <= MAX_INBOX_RULE_BYTES && parseRule(line))
    .slice(0, MAX_INBOX_RULES);
  store.run`UPDATE user SET rules = ${valid.join('\n')} WHERE id = ${id}`;
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

const FIELDS = new Map<string, (mail: ArrivingMail) => string[]>([
  ['tocc', ({ to, cc }) => [to, cc]],
  ['subject', ({ subject }) => [subject]],
  ['replyto', ({ address }) => [address]],
  ['sender', from],
  ['from', from],
  ['envfrom', ({ address }) => [address]],
]);

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

const OPERATORS = new Map<string, Operator>([
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
  let [at, next] = [0, 0];
  let [star, resumeAt] = [-1, 0];
  while (at < text.length) {
    if (effort.left-- <= 0) return false;
    if (pattern[next] === '*') {
      star = next++;
      resumeAt = at;
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at])) {
      at++;
      next++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(next));
}

function ownRoom(store: Store, user: StoredUser, name: string): StoredRoom | undefined {
  const room = findRoom(store, user, name);
  if (!room) return undefined;
  const access = accessOf(user, room, visitOf(store, user.id, room.id));
  return (access & ACCESS.known) !== 0 && (access & ACCESS.post) !== 0 ? room : undefined;
}

/** The people of an address book. Its cards are read again only after messages were added or removed. */
export async function peopleIn({ store, server }: Session, room: StoredRoom): Promise<Person[]> {
  const { addressBooks } = store.caches;
  const { generation } = room;
  const known = addressBooks.get(room.id);
  if (known?.generation === generation) return known.people;
  const rows = store.all`SELECT message FROM room_message WHERE room = ${room.id} ORDER BY message DESC
    LIMIT ${MAX_COMPLETION_CARDS}`;
  // in turns with other sessions, because cards may have large pictures
  const read = (row: (typeof rows)[number]) => peopleOf(store, room.id, Number(row.message));
  const people = (await server.turns.map(rows, BACKEND_TURN_MS, read)).flat();
  addressBooks.set(room.id, { generation, people });
  return people;
}

function peopleOf(store: Store, roomId: number, msgnum: number): Person[] {
  const row = messageInRoom(store, roomId, msgnum);
  const structure = row && structureOf(store, msgnum);
  if (!row || !structure) return [];
  const part = cardPart(structure);
  return part ? peopleOnCard(objectPartText(store, row, part) ?? '') : [];
}

export function personLine(person: Person): string {
  return `${recipientOf(person)}\n`;
}

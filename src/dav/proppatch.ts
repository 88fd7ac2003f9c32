// PROPPATCH (RFC 4918 section 9.2): all changes or none. Properties of a room need the right to change the room, those
// of a message the right to replace it. Also the updates in the bodies of MKCALENDAR and MKCOL.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { openMember } from '../gateway/collection/collection.ts';
import { changeKept, changeProperties, PRIVILEGE } from '../gateway/collection/properties.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { roomPath } from '../gateway/paths.ts';
import { readIfConditions, requirePreconditions } from '../gateway/preconditions.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied } from '../http/prefer.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { MAX_PROPERTY_BYTES, MAX_PROPERTY_NAME_BYTES } from '../limits/backend.ts';
import { namedZone } from '../mime/objects/named-zones.ts';
import { isFolder } from '../model.ts';
import { accountName } from '../protocol/names.ts';
import type { Member, PropertyChange } from '../room-server/collections.ts';
import type { Steps } from '../system/steps.ts';
import { isMinimalWanted } from './describer.ts';
import { askedHref } from './member-resource.ts';
import { asXml, type PropStat, propertiesResponse, sendMultistatus } from './multistatus.ts';
import { onlyZone } from './properties/groupware.ts';
import { isProtected } from './properties/registry.ts';
import { type PropertyName, propertyKey, type Resource, requireFewProperties } from './resource.ts';
import { openRoom, type RoomResource } from './room-resource.ts';
import {
  childrenNamed,
  expandedName,
  isElement,
  paced,
  readXmlBody,
  XML_NAMESPACE,
  type XmlElement,
} from './xml-read.ts';
import { element, emptyElement, type Markup, storable } from './xml-write.ts';

/** PROPPATCH r/:room/. Throws not_found, bad_request. */
export async function proppatchRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return update(context, updates, undefined);
}

/** PROPPATCH r/:room/:name. Throws not_found, bad_request. */
export async function proppatchMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return update(context, updates, await openMember(context, exchange.params.name!, false));
}

/** PROPPATCH on the home, the caller's principal and outbox. Throws bad_request. */
export async function proppatchPlace(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  const { user } = exchange.params;
  const kind = user === undefined ? 'home' : /\/outbox\/?$/.test(exchange.rawPath) ? 'outbox' : 'principal';
  const { name } = await app.pool.identify(caller.identity);
  const isOwn = user === undefined || accountName(user) === accountName(name);
  const place = { kind, href: exchange.rawPath, displayName: '', isOwn } as const;
  const { refused, changes } = await paced(checkUpdates(updates, place), exchange.gone);
  if (refused) return answer(exchange, exchange.rawPath, refused);
  const isKept = isOwn && (await changeKept(app, caller, kind, changes));
  return isKept
    ? answerChanged(exchange, exchange.rawPath, updates)
    : answer(exchange, exchange.rawPath, updatesWith(403, updates));
}

/** `member`: undefined for the room. */
async function update(
  context: RoomContext,
  updates: readonly PropertyUpdate[],
  member: Member | undefined,
): Promise<void> {
  const { exchange, app } = context;
  const room = await openRoom(context, roomPath(app, exchange.params.room!), new Set(['privileges']));
  const href = member ? askedHref(room, member, exchange.params.name!) : room.href;
  const resource = member ? { ...room, kind: isFolder(member) ? ('folder' as const) : ('member' as const) } : room;
  const { refused, changes } = await paced(checkUpdates(updates, resource), exchange.gone);
  if (refused) return answer(exchange, href, refused);
  const lacking = lackingPrivilege(room, member);
  if (lacking !== undefined) {
    // RFC 3744 section 7.1.1; clients give up for good at a bare 403
    const resource = element('D:resource', element('D:href', href), element('D:privilege', element(lacking)));
    return send(exchange, 403, asXml('D:error', element('D:need-privileges', resource)));
  }
  await requireUnlocked(context, member);
  const isKept = await changeProperties(context, member?.name ?? '', changes);
  return isKept ? answerChanged(exchange, href, updates) : answer(exchange, href, updatesWith(403, updates));
}

/** All changes were made. With return=minimal the answer is empty (RFC 8144 section 2.2; 200 as on other servers). */
export async function answerChanged(
  exchange: Exchange,
  href: string,
  updates: readonly PropertyUpdate[],
): Promise<void> {
  if (isMinimalWanted(exchange)) return sendEmpty(exchange, 200, preferenceApplied(exchange, 'return=minimal'));
  return answer(exchange, href, updatesWith(200, updates));
}

function lackingPrivilege({ privileges = 0 }: RoomResource, member: Member | undefined): string | undefined {
  if (!member) return (privileges & PRIVILEGE.writeProperties) === 0 ? 'D:write-properties' : undefined;
  return (privileges & PRIVILEGE.writeContent) === 0 ? 'D:write-content' : undefined;
}

/** Throws locked, precondition_failed. */
async function requireUnlocked(context: RoomContext, member: Member | undefined): Promise<void> {
  const entered = await enteredRoom(context);
  const name = member?.name ?? '';
  const target = { entered, name, exists: true, etag: member && messageEtag(member.msgnum) };
  await requirePreconditions(context, await readIfConditions(context), target, [
    { context, entered, name, isMembership: false },
  ]);
}

function answer(exchange: Exchange, href: string, propstats: readonly PropStat[]): Promise<void> {
  const response = propertiesResponse(href, propstats);
  return sendMultistatus(exchange, [[response]]);
}

/** The last change of a property is the one that counts (RFC 4918 section 9.2: in document order). */
export interface PropertyUpdate {
  name: PropertyName;
  /** the element to be stored; undefined removes it */
  value: XmlElement | undefined;
}

/** Why a property cannot be set. */
export interface UpdateRefusal {
  status: number;
  error?: Markup;
}

const PROTECTED: UpdateRefusal = { status: 403, error: element('D:cannot-modify-protected-property') };
const NO_CALENDAR: UpdateRefusal = { status: 403, error: element('C:valid-calendar-data') };
const NO_ZONE: UpdateRefusal = { status: 403, error: element('C:valid-timezone') };
const TOO_LARGE: UpdateRefusal = { status: 507 };
/** RFC 4918 section 9.2: not set because another one failed */
const FAILED_DEPENDENCY: UpdateRefusal = { status: 424 };
const ZONE = expandedName('C:calendar-timezone');
const ZONE_ID = expandedName('C:calendar-timezone-id');
const LANGUAGE = `{${XML_NAMESPACE}}lang`;

/** The changes of a propertyupdate. Throws bad_request. */
export function parseProppatch(root: XmlElement | undefined): PropertyUpdate[] {
  if (!root || !isElement(root, 'D:propertyupdate'))
    throw new AppError('bad_request', 'The body is not a D:propertyupdate.');
  const updates = parseUpdates(root);
  if (updates.length === 0) throw new AppError('bad_request', 'The propertyupdate names no properties.');
  return updates;
}

/** The changes in D:set and D:remove of any body. Throws bad_request for too many. */
export function parseUpdates(root: XmlElement): PropertyUpdate[] {
  const updates = new Map<string, PropertyUpdate>();
  for (const change of root.children) {
    const isSet = isElement(change, 'D:set');
    if (!isSet && !isElement(change, 'D:remove')) continue;
    for (const prop of childrenNamed(change, 'D:prop')) {
      const language = languageOf(prop) ?? languageOf(change) ?? languageOf(root);
      for (const property of prop.children) {
        const name = { namespace: property.namespace, name: property.name };
        const key = propertyKey(name);
        updates.delete(key);
        updates.set(key, { name, value: isSet ? inLanguage(property, language) : undefined });
      }
    }
  }
  const last = [...updates.values()];
  requireFewProperties(last.map(({ name }) => name));
  return last;
}

/** Whether all of the updates may be made, as far as can be known beforehand. */
interface CheckedUpdates {
  /** undefined if they may; else how all are answered: with the reason, or 424 for those that were not refused */
  refused: PropStat[] | undefined;
  /** what is to be stored; nothing of what was decided */
  changes: PropertyChange[];
}

/** `decided`: by propertyKey, results for properties that are not stored. One step for each. */
export function* checkUpdates(
  updates: readonly PropertyUpdate[],
  resource: Resource,
  decided: ReadonlyMap<string, UpdateRefusal | undefined> = new Map(),
): Steps<CheckedUpdates> {
  const refusals: (UpdateRefusal | undefined)[] = [];
  const changes: PropertyChange[] = [];
  for (const { name, value } of updates) {
    const key = propertyKey(name);
    if (decided.has(key)) {
      refusals.push(decided.get(key));
      continue;
    }
    const isFixed = isProtected(name, resource);
    const kept = value && !isFixed ? storable(value, MAX_PROPERTY_BYTES) : undefined;
    refusals.push(isFixed ? PROTECTED : refusalOf(name, value, kept));
    changes.push({ ...name, value: kept });
    yield;
  }
  const isRefused = refusals.some((refusal) => refusal !== undefined);
  return {
    refused: isRefused ? groupsOf(updates, (_, i) => refusals[i] ?? FAILED_DEPENDENCY) : undefined,
    changes: withOneZone(changes),
  };
}

/** A calendar's zone has two forms (RFC 7809): setting or removing one removes the other. */
function withOneZone(changes: PropertyChange[]): PropertyChange[] {
  const [one, other] = [ZONE, ZONE_ID].filter((zone) =>
    changes.some((change) => propertyKey(change) === propertyKey(zone)),
  );
  if (!one || other) return changes;
  return [...changes, { ...(one === ZONE ? ZONE_ID : ZONE), value: undefined }];
}

/** All updates answered with one status. */
export function updatesWith(status: number, updates: readonly PropertyUpdate[]): PropStat[] {
  return groupsOf(updates, () => ({ status }));
}

function groupsOf(
  updates: readonly PropertyUpdate[],
  refusalOfUpdate: (update: PropertyUpdate, i: number) => UpdateRefusal,
): PropStat[] {
  const groups = new Map<string, { status: number; error?: Markup | undefined; properties: Markup[] }>();
  updates.forEach((update, i) => {
    const { status, error } = refusalOfUpdate(update, i);
    const group = groups.getOrInsertComputed(`${status} ${error?.text}`, () => ({ status, error, properties: [] }));
    group.properties.push(emptyElement(update.name.namespace, update.name.name));
  });
  return [...groups.values()];
}

/** `stored`: the text of `value`, if it can be stored */
function refusalOf(
  name: PropertyName,
  value: XmlElement | undefined,
  stored: string | undefined,
): UpdateRefusal | undefined {
  if (!value) return undefined;
  if (Buffer.byteLength(`${name.namespace} ${name.name}`) > MAX_PROPERTY_NAME_BYTES) return TOO_LARGE;
  if (stored === undefined) return TOO_LARGE;
  const key = propertyKey(name);
  if (key === propertyKey(ZONE) && !onlyZone(value.text)) return NO_CALENDAR;
  return key === propertyKey(ZONE_ID) && !namedZone(value.text.trim()) ? NO_ZONE : undefined;
}

/** RFC 4918 section 4.3: the language around a value belongs to it. */
function inLanguage(property: XmlElement, language: string | undefined): XmlElement {
  if (language === undefined || property.attributes.has(LANGUAGE)) return property;
  return { ...property, attributes: new Map([...property.attributes, [LANGUAGE, language]]) };
}

function languageOf({ attributes }: XmlElement): string | undefined {
  return attributes.get(LANGUAGE);
}

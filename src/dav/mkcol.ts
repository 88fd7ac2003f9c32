// MKCOL (RFC 4918 section 9.3, with a body RFC 5689) and MKCALENDAR (RFC 4791 section 5.3.1). A new collection is a
// personal room of the caller, the only kind that its maker can fill, empty and delete on any room server. In a files
// room it is a folder. It gets all the properties that the body sets, or is not made.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { changeProperties } from '../gateway/collection/properties.ts';
import { locate, requirePossiblePath } from '../gateway/folder/location.ts';
import { FOLDER_TYPE, inTurn, postEmpty } from '../gateway/message/posting.ts';
import { acceptedRoomName, encodedPath, noParent, roomPath, withoutSlash } from '../gateway/paths.ts';
import { readIfConditions } from '../gateway/preconditions.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import { requireWritable } from '../gateway/write-plan.ts';
import { hasBody } from '../http/body.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { CALENDAR_COMPONENTS, ROOM_FLAG, VIEW } from '../model.ts';
import type { PropertyChange } from '../room-server/collections.ts';
import { serverOf } from '../room-server/driver.ts';
import { createPersonalRoom, deleteRoom } from '../room-server/room-admin.ts';
import { asXml, type PropStat, propertiesResponse, propstatElements, sendMultistatus } from './multistatus.ts';
import { isLive } from './properties/registry.ts';
import { checkUpdates, type PropertyUpdate, parseUpdates, type UpdateRefusal, updatesWith } from './proppatch.ts';
import { propertyKey } from './resource.ts';
import { roomResource } from './room-resource.ts';
import { childrenNamed, expandedName, isElement, paced, readXmlBody, type XmlElement } from './xml-read.ts';
import { element, elementWith, standalone } from './xml-write.ts';

/** MKCOL r/:room/ */
export async function mkcolRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  if (await isThere(context)) throw existsAlready();
  if (hasBody(exchange.request)) return mkcolExtended(context);
  const name = acceptedRoomName(room.name);
  const { rooms } = await serverOf(app.pool, caller.identity);
  await createPersonalRoom(app.pool, caller.identity, name, rooms.folderView);
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

/**
 * MKCOL r/:room/:name, and deeper: a folder of a files room. Throws conflict if there is no parent, method_not_allowed
 * if something is there, forbidden in other rooms, locked.
 */
export async function mkcolMember(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  if (hasBody(exchange.request)) throw new AppError('unsupported_media_type', 'Send MKCOL without a body.');
  const name = `${withoutSlash(exchange.params.name!)}/`;
  await inTurn(context, name, async () => {
    const { caller, room } = context;
    if (!(await exists(enteredRoom(context)))) throw noParent();
    const { entered, isFiles, member } = await locate(context, withoutSlash(name));
    if (member) throw existsAlready();
    if (!isFiles) throw new AppError('forbidden', 'This room cannot hold folders.');
    const conditions = await readIfConditions(context);
    await requireWritable(context, conditions, entered, name, []);
    await app.pool.visitRoom(caller.identity, room, (connection) =>
      requirePossiblePath(context, connection, entered, name),
    );
    await postEmpty(context, name, FOLDER_TYPE);
  });
  await sendEmpty(exchange, 201, { Location: `${roomPath(app, exchange.params.room!)}${encodedPath(name)}` });
}

/** RFC 4918 section 9.3.1 */
function existsAlready(): AppError {
  return new AppError('method_not_allowed', 'There is already something at this address.');
}

/** Whether the room exists. Throws precondition_failed: conditions come before the body (RFC 9110 section 13.2.1). */
async function isThere(context: RoomContext): Promise<boolean> {
  const { exchange } = context;
  const isRoom = await exists(enteredRoom(context));
  const isMet = exchange.header('if') !== undefined || evaluate(exchange, { exists: isRoom }) === 'proceed';
  if (isMet) return isRoom;
  throw new AppError('precondition_failed', isRoom ? 'There is something at this address.' : 'Nothing is here.');
}

/** Whether `found` resolves or is forbidden (a room with a password exists). Throws its other errors. */
export async function exists(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    if (error instanceof AppError && error.code === 'forbidden') return true;
    throw error;
  }
}

/** Answers a method whose body sets properties that cannot be set. */
type Refuse = (href: string, propstats: readonly PropStat[]) => Promise<void> | undefined;

const TYPE = propertyKey(expandedName('D:resourcetype'));
const COMPONENT_SET = 'C:supported-calendar-component-set';
const COMPONENTS = propertyKey(expandedName(COMPONENT_SET));

/** MKCALENDAR r/:room/ → 201, 403 if something is there, 207 if a property cannot be set. Throws as makeRoom. */
export async function mkcalendar(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  if (await isThere(context)) {
    await send(exchange, 403, asXml('D:error', element('D:resource-must-be-null')));
    return;
  }
  const root = await readXmlBody(exchange);
  if (root && !isElement(root, 'C:mkcalendar')) {
    throw new AppError('unsupported_media_type', 'The body is not a C:mkcalendar.');
  }
  const updates = root ? parseUpdates(root) : [];
  return makeRoom(context, updates, 'calendar', (href, propstats) =>
    sendMultistatus(exchange, [[propertiesResponse(href, propstats)]]),
  );
}

/** MKCALENDAR r/:room/:name, and deeper: a room holds no calendars. Throws conflict if the room does not exist. */
export async function refuseInnerCalendar(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  if (!(await exists(enteredRoom(context)))) throw noParent();
  await send(exchange, 403, asXml('D:error', element('C:calendar-collection-location-ok')));
}

/**
 * MKCOL with a body, where nothing is → 201, 403 with D:mkcol-response. Throws unsupported_media_type for another body
 * (RFC 4918 section 9.3.1), and as makeRoom.
 */
async function mkcolExtended(context: RoomContext): Promise<void> {
  const { exchange } = context;
  const updates = parseUpdates(await mkcolBody(exchange));
  return makeRoom(context, updates, 'plain', (_, propstats) =>
    send(exchange, 403, asXml('D:mkcol-response', ...propstatElements(propstats))),
  );
}

async function mkcolBody(exchange: Exchange): Promise<XmlElement> {
  let root: XmlElement | undefined;
  try {
    root = await readXmlBody(exchange);
  } catch (error) {
    const isXml = /\bxml\b/i.test(exchange.header('content-type') ?? '');
    if (isXml || !(error instanceof AppError && error.code === 'bad_request')) throw error;
  }
  if (!root || !isElement(root, 'D:mkcol')) throw new AppError('unsupported_media_type', 'The body is not a D:mkcol.');
  return root;
}

/**
 * `kind`: if the body does not say. Throws bad_request for an impossible room name, forbidden if the caller may not
 * make rooms.
 */
async function makeRoom(
  context: RoomContext,
  updates: readonly PropertyUpdate[],
  kind: 'calendar' | 'plain',
  refuse: Refuse,
): Promise<void> {
  const { app, caller, room } = context;
  const { identity } = caller;
  const name = acceptedRoomName(room.name);
  const { rooms } = await serverOf(app.pool, identity);
  const href = roomPath(app, name);
  const view = viewOf(updates, kind, rooms.folderView);
  const decided = new Map<string, UpdateRefusal | undefined>([
    [TYPE, view === 'no such type' ? { status: 403, error: element('D:valid-resourcetype') } : undefined],
    [
      COMPONENTS,
      view === 'no such component' ? { status: 403, error: element('C:supported-calendar-component') } : undefined,
    ],
  ]);
  const defaultView = typeof view === 'number' ? view : VIEW.calendar;
  const resource = roomResource(href, { name, flags: ROOM_FLAG.personal, defaultView, mtime: 0 });
  const checked = await paced(checkUpdates(updates, resource, decided), context.exchange.gone);
  if (checked.refused) return refuse(href, checked.refused);
  const changes = [...checked.changes.filter(({ value }) => value !== undefined), ...keptSet(updates, defaultView)];
  await createPersonalRoom(app.pool, identity, name, defaultView);
  const made = { ...context, room: { name, password: '' } };
  try {
    const isKept = changes.length === 0 || (await changeProperties(made, '', changes));
    // a calendar without name and colour is better than none
    if (!isKept && !updates.every(({ name: property }) => isLive(property))) {
      await deleteRoom(app.pool, identity, made.room);
      return refuse(href, updatesWith(403, updates));
    }
  } catch (error) {
    // all or nothing; the first error is the answer
    await deleteRoom(app.pool, identity, made.room).catch(() => {});
    throw error;
  }
  // RFC 4791 section 5.3.1: the answer must not be cached
  await sendEmpty(context.exchange, 201, { Location: href, 'Cache-Control': 'no-cache' });
}

/** The view for the types and components in the body. */
function viewOf(
  updates: readonly PropertyUpdate[],
  kind: 'calendar' | 'plain',
  folderView: number,
): number | 'no such type' | 'no such component' {
  const types = valueSet(updates, TYPE)?.children ?? (kind === 'calendar' ? undefined : []);
  const isCalendar = types === undefined || types.some((type) => isElement(type, 'C:calendar'));
  const isAddressBook = types?.some((type) => isElement(type, 'CR:addressbook')) ?? false;
  const named = (types ?? []).filter((type) => !isElement(type, 'D:collection'));
  if (named.length > 1 || (named.length === 1 && !isCalendar && !isAddressBook)) return 'no such type';
  if (kind === 'calendar' && !isCalendar) return 'no such type';
  if (isAddressBook) return VIEW.addressBook;
  if (!isCalendar) return folderView;
  const components = componentsOf(updates);
  const isKnown = components.every((name) => CALENDAR_COMPONENTS.includes(name));
  if (!isKnown) return 'no such component';
  if (components.length === 0 || components.includes('VEVENT')) return VIEW.calendar;
  return components.join() === 'VTODO' ? VIEW.tasks : 'no such component';
}

/** Those that a calendar is made for, each once; none: all. */
function componentsOf(updates: readonly PropertyUpdate[]): string[] {
  const set = valueSet(updates, COMPONENTS);
  const named = set ? childrenNamed(set, 'C:comp') : [];
  return [...new Set(named.map(({ attributes }) => attributes.get('name')?.trim().toUpperCase() ?? ''))];
}

/** Several components, which the view of the room does not tell. Without a set all are taken (RFC 4791 section 5.2.3). */
function keptSet(updates: readonly PropertyUpdate[], view: number): PropertyChange[] {
  const named = componentsOf(updates);
  const components = named.length > 0 ? named : CALENDAR_COMPONENTS;
  if (view !== VIEW.calendar || components.length < 2) return [];
  const set = element(COMPONENT_SET, ...components.map((name) => elementWith('C:comp', { name })));
  return [{ ...expandedName(COMPONENT_SET), value: standalone(set) }];
}

function valueSet(updates: readonly PropertyUpdate[], key: string): XmlElement | undefined {
  return updates.find(({ name }) => propertyKey(name) === key)?.value;
}

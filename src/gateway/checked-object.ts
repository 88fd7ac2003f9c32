// What may be stored in a room that keeps calendar objects or contacts, checked before it is sent to the room server:
// its type, and its text with what has to be mended in it (RFC 4791 section 5.3.2.1, RFC 6352 section 6.3.2.1).

import { AppError } from '../errors.ts';
import { MAX_OBJECT_BYTES } from '../limits/backend.ts';
import { MAX_CHECKED_IN_PLACE_BYTES } from '../limits/http.ts';
import { parseParameters } from '../mime/headers.ts';
import { collectionKind, componentsIn, type EnteredRoom, holdsObjects } from '../model.ts';
import { type CheckedObject, checkObject, type ObjectJob } from '../render/job.ts';
import { componentSetOf } from './collection/properties.ts';
import type { ReceivedMessage } from './message/posting.ts';
import type { RoomContext } from './room-context.ts';
import { spooledText } from './scheduling/plan.ts';

export const CALDAV = 'urn:ietf:params:xml:ns:caldav';
export const CARDDAV = 'urn:ietf:params:xml:ns:carddav';

/** types whose UID room servers read (protocol sections 17.1 and 17.2) */
const CALENDAR_TYPES: ReadonlySet<string> = new Set(['text/calendar', 'application/ics']);
const CARD_TYPES: ReadonlySet<string> = new Set(['text/vcard', 'text/x-vcard']);

/**
 * The UID of a body that may be stored in a room which keeps objects, and the text to store. Throws forbidden with the precondition of
 * RFC 4791 section 5.3.2.1 or RFC 6352 section 6.3.2.1.
 */
export async function checkedBody(
  context: RoomContext,
  entered: EnteredRoom,
  { contentType, body }: ReceivedMessage,
): Promise<Exclude<CheckedObject, { fault: object }>> {
  requireObjectType(entered, contentType);
  const kind = collectionKind(entered);
  const isBook = kind === 'addressbook';
  if (body.size > MAX_OBJECT_BYTES) throw objectRefusal(isBook, 'max-resource-size', 'it is too large');
  const charset = parseParameters(contentType).params.get('charset') ?? '';
  const check = (components: ObjectJob['components']) => checkedObject(context, body, { charset, components });
  let found = await check(isBook ? undefined : componentsIn(kind));
  if ('fault' in found && found.fault.precondition === 'supported-calendar-component') {
    found = await check(componentsIn(kind, await componentSetOf(context)));
  }
  if ('fault' in found) throw objectRefusal(isBook, found.fault.precondition, found.fault.reason);
  return found;
}

/** Checks a large one in a thread. Throws as RenderedMessages.makeOwn. */
async function checkedObject(
  context: RoomContext,
  body: ReceivedMessage['body'],
  as: Pick<ObjectJob, 'charset' | 'components'>,
): Promise<CheckedObject> {
  if (body.size <= MAX_CHECKED_IN_PLACE_BYTES) return checkObject({ source: await bytesOf(body), ...as });
  const fetch = async (): Promise<ObjectJob> => {
    return { kind: 'object', source: await bytesOf(body), isWhole: true, ...as };
  };
  const json = await context.app.rendered.makeOwn(fetch);
  return JSON.parse(json.toString()) as CheckedObject;
}

async function bytesOf(body: ReceivedMessage['body']): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(body.size);
  let at = 0;
  for await (const piece of body.open()) at += piece.copy(bytes, at);
  return bytes.subarray(0, at);
}

/** Throws as checkedBody for a type that the room does not accept under a name. */
export function requireObjectType(entered: EnteredRoom, contentType: string): void {
  const kind = collectionKind(entered);
  if (!holdsObjects(kind)) return;
  const type = parseParameters(contentType).value.toLowerCase();
  const isBook = kind === 'addressbook';
  if ((isBook ? CARD_TYPES : CALENDAR_TYPES).has(type)) return;
  throw objectRefusal(isBook, isBook ? 'supported-address-data' : 'supported-calendar-data', `not ${type}`);
}

export function objectRefusal(isBook: boolean, name: string, reason: string): AppError {
  return new AppError('forbidden', `This cannot be stored here: ${reason}.`, {
    condition: { namespace: isBook ? CARDDAV : CALDAV, name, hrefs: [], isExplained: true },
  });
}

/** What stands for a body that cannot be stored as it came. */
export function mendedBody(
  entered: EnteredRoom,
  text: string,
): Pick<ReceivedMessage, 'contentType' | 'body' | 'facts'> {
  const isBook = collectionKind(entered) === 'addressbook';
  return { contentType: `${isBook ? 'text/vcard' : 'text/calendar'}; charset=utf-8`, ...spooledText(text) };
}

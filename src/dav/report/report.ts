// REPORT (RFC 3253 section 3.6) on rooms and their members: which report a body asks for, and whether the resource has
// it. What a precondition forbids is answered 403 with its element.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { userOf } from '../../gateway/caller.ts';
import { findMembers } from '../../gateway/collection/collection.ts';
import { collectionKind } from '../../gateway/collection/member.ts';
import { messagePath, roomPath } from '../../gateway/paths.ts';
import { userInRoom } from '../../gateway/request-room.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import { memberResource } from '../member-resource.ts';
import { sendCondition } from '../multistatus.ts';
import { readXmlBody } from '../propfind-body.ts';
import { propertyKey, type Resource } from '../resource.ts';
import { roomResource } from '../room-resource.ts';
import { supportedReports } from '../supported-reports.ts';
import { viewerOf } from '../viewer.ts';
import type { XmlElement } from '../xml-read.ts';
import { expandedName } from '../xml-write.ts';
import { FailedCondition } from './condition.ts';
import { answerFreeBusy } from './free-busy.ts';
import { answerMultiget } from './multiget.ts';
import { answerCalendarQuery, answerCardQuery } from './query.ts';
import type { Question } from './question.ts';
import { answerSync } from './sync.ts';

type Answer = (question: Question) => Promise<void>;

/** by propertyKey of the root of the body */
const ANSWERS: ReadonlyMap<string, Answer> = new Map(
  Object.entries({
    'D:sync-collection': answerSync,
    'C:calendar-query': answerCalendarQuery,
    'C:calendar-multiget': answerMultiget,
    'C:free-busy-query': answerFreeBusy,
    'CR:addressbook-query': answerCardQuery,
    'CR:addressbook-multiget': answerMultiget,
  }).map(([name, answer]) => [propertyKey(expandedName(name)), answer]),
);

/** REPORT r/ */
export async function reportHome(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  await reportBody(exchange);
  return refuse(exchange, FailedCondition.dav('supported-report'));
}

/** REPORT r/:room/; throws not_found, bad_request. */
export async function reportRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return answer(context, await reportBody(exchange), undefined);
}

/** REPORT r/:room/:name; throws not_found, bad_request. */
export async function reportMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return answer(context, await reportBody(exchange), exchange.params.name!);
}

/** A report is named by the root of its body. Throws bad_request. */
async function reportBody(exchange: Exchange): Promise<XmlElement> {
  const root = await readXmlBody(exchange);
  if (!root) throw new AppError('bad_request', 'A report is named by the body.');
  return root;
}

async function answer(context: RoomContext, root: XmlElement, name: string | undefined): Promise<void> {
  const { exchange, app, caller, room } = context;
  const [{ entered }, viewer, [member]] = await Promise.all([
    app.pool.readInRoom(caller.identity, room, []),
    viewerOf(app, caller),
    name === undefined ? [] : findMembers(context, [name]),
  ]);
  if (name !== undefined && !member) throw new AppError('not_found', 'There is no such message.');
  const collection = collectionKind(entered);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const itself = { ...roomResource(roomPath(app, exchange.params.room!), entered), collection };
  const asked = member ? memberResource(member, messagePath(app, exchange.params.room!, name!), itself) : itself;
  try {
    return await answerOf(root, asked)({ context, root, room: itself, viewer, member });
  } catch (error) {
    if (error instanceof FailedCondition) return refuse(exchange, error);
    throw error;
  }
}

function answerOf(root: XmlElement, resource: Resource): Answer {
  const key = propertyKey(root);
  const report = ANSWERS.get(key);
  const isSupported = supportedReports(resource).some((one) => propertyKey(one) === key);
  if (!report || !isSupported) throw FailedCondition.dav('supported-report');
  return report;
}

async function refuse(exchange: Exchange, { element }: FailedCondition): Promise<void> {
  await sendCondition(exchange, 403, element);
}

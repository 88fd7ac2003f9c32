// PROPFIND and REPORT on the scheduling inbox and outbox of a caller (RFC 6638 sections 2.1 to 2.3).

import type { App } from '../../gateway/app.ts';
import { listMembers } from '../../gateway/collection/collection.ts';
import { type Member, memberHref } from '../../gateway/collection/member.ts';
import { openMember } from '../../gateway/collection/one-member.ts';
import { userPath } from '../../gateway/paths.ts';
import { PRIVILEGE } from '../../gateway/rights.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import { hasInbox, openInbox, ownerOfBox } from '../../gateway/scheduling/boxes.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ResourceBatch } from '../describer.ts';
import { memberResource } from '../member-resource.ts';
import { answerPropfind, readPropfind, refuseInfinity } from '../propfind-answer.ts';
import { reportIn } from '../report/report.ts';
import type { Need, Resource } from '../resource.ts';
import { openRoom, type RoomResource } from '../room-resource.ts';
import { viewerOf } from '../viewer.ts';

/** PROPFIND u/:user/inbox/ */
export async function propfindInbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  if (propfind.depth === 'infinity') return refuseInfinity(exchange);
  const viewer = await viewerOf(app, caller);
  if (!(await hasInbox(app, caller))) return answerPropfind(exchange, propfind, viewer, [box(exchange, app, 'inbox')]);
  const context = await openInbox(exchange, app);
  const inbox = await inboxResource(context, propfind.needs);
  if (propfind.depth === 0) return answerPropfind(exchange, propfind, viewer, [inbox]);
  const { members } = await listMembers(context, { isSizeWanted: propfind.needs.has('length') });
  return answerPropfind(exchange, propfind, viewer, [inbox], membersOf(inbox, members));
}

async function* membersOf(
  inbox: RoomResource,
  batches: Awaited<ReturnType<typeof listMembers>>['members'],
): AsyncGenerator<ResourceBatch> {
  for await (const batch of batches) {
    const hrefOf = (member: Member) => memberHref(inbox.href, member, inbox.collection);
    yield { resources: batch.values().map((member) => memberResource(member, hrefOf(member), inbox)) };
  }
}

/** PROPFIND u/:user/inbox/:name */
export async function propfindInboxMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await openInbox(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  const member = await openMember(context, exchange.params.name!, propfind.needs.has('length'));
  const inbox = await inboxResource(context, new Set());
  const resource = memberResource(member, exchange.rawPath, inbox);
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}

/** REPORT u/:user/inbox/; throws not_found, bad_request. */
export async function reportInbox(exchange: Exchange, app: App): Promise<void> {
  const context = await openInbox(exchange, app);
  return reportIn(context, (needs) => inboxResource(context, needs));
}

/** PROPFIND u/:user/outbox/, which is empty always */
export async function propfindOutbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  if (propfind.depth === 'infinity') return refuseInfinity(exchange);
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [box(exchange, app, 'outbox')]);
}

/** One without messages. */
function box(exchange: Exchange, app: App, kind: 'inbox' | 'outbox'): Resource {
  return {
    kind,
    href: `${userPath(app, exchange.params.user!)}${kind}/`,
    displayName: kind === 'inbox' ? 'Scheduling Inbox' : 'Scheduling Outbox',
    privileges: PRIVILEGE.read | (kind === 'inbox' ? PRIVILEGE.unbind : PRIVILEGE.bind),
    isOwn: true,
  };
}

async function inboxResource(context: RoomContext, needs: ReadonlySet<Need>): Promise<RoomResource> {
  const { app, exchange } = context;
  const href = `${userPath(app, exchange.params.user!)}inbox/`;
  const room = await openRoom(context, href, needs.difference(NOT_OF_INBOX));
  return { ...room, kind: 'inbox', privileges: PRIVILEGE.read | PRIVILEGE.unbind };
}

const NOT_OF_INBOX: ReadonlySet<Need> = new Set<Need>(['privileges', 'locks']);

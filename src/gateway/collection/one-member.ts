// One member of a collection, by the segment of a path: without a list of all.

import { AppError } from '../../errors.ts';
import { toInt } from '../../protocol/fields.ts';
import { serverOf } from '../../room-server/driver.ts';
import { openNamed } from '../message/head.ts';
import type { RoomContext } from '../room-context.ts';
import { ContentLengths } from './content-lengths.ts';
import type { Member } from './member.ts';
import { MemberNames } from './member-names.ts';
import { ownMemberAt } from './own-members.ts';
import { memberOf } from './selection.ts';

/** `segment` as for openNamed. Throws not_found. */
export async function openMember(context: RoomContext, segment: string, isSizeWanted: boolean): Promise<Member> {
  if (!(await serverOf(context.app.pool, context.caller.identity)).lacks.memberNames) {
    const member = await ownMemberAt(context, segment);
    if (!member) throw new AppError('not_found', 'There is nothing of this name.');
    return member;
  }
  const { app, msgnum, head } = await openNamed(context, segment);
  const row = { msgnum, euid: head.fields.get('exti') ?? '', time: toInt(head.fields.get('time')) };
  const traits = app.storedTraits.of(row) ?? app.storedTraits.keep(row, head.headers);
  const name = new MemberNames(head.entered).take(row, traits);
  if (!isSizeWanted) return memberOf(row, name, traits);
  const stored = new Map([[msgnum, head.headers]]);
  const complete = await new ContentLengths(context).complete(new Map([[msgnum, traits]]), stored);
  return memberOf(row, name, complete.get(msgnum)!);
}

// From the segment of a path to the number of a message: the room server is asked for UIDs and names.

import { readMembersByName } from '../../client/collection/member-pages.ts';
import { findByEuid } from '../../client/messages.ts';
import { hasMembers } from '../../client/server.ts';
import { isHidden } from '../../client/wiki.ts';
import { AppError } from '../../errors.ts';
import { collectionKind } from '../collection/member.ts';
import { euidsOf, parseMessageNumber } from '../paths.ts';
import type { RoomContext } from '../room-context.ts';
import { findNamed } from './name.ts';

/**
 * The number of the message that a path segment names: a plain number, the name it was PUT under, or in rooms with UIDs
 * its UID with or without `.ics` or `.vcf`; of a folder the slash may be left out. Throws not_found.
 */
export async function messageNumberOf(context: RoomContext, segment: string): Promise<number> {
  return parseMessageNumber(segment) ?? findMessageNumber(context, segment);
}

/** The same for what is no number. Throws not_found. */
export async function findMessageNumber({ app, caller, room }: RoomContext, segment: string): Promise<number> {
  const { identity } = caller;
  if (await hasMembers(app.pool, identity)) {
    const [member] = await readMembersByName(app.pool, identity, room, [segment]);
    if (!member) throw new AppError('not_found', 'No such message.');
    return member.msgnum;
  }
  const found = await app.pool.visitRoom(identity, room, async (connection, entered) => {
    for (const euid of euidsOf(segment)) {
      if (await isHidden(app.pool, identity, entered, euid)) continue;
      const match = await findByEuid(connection, euid);
      if (match !== undefined) return match;
    }
    const [named] = await findNamed(connection, entered, segment);
    if (named !== undefined || segment.endsWith('/') || collectionKind(entered) !== 'files') return named;
    // a folder, without its slash
    return (await findNamed(connection, entered, `${segment}/`))[0];
  });
  if (found === undefined) throw new AppError('not_found', 'No such message.');
  return found;
}

// From the segment of a path to the number of a message: the room server is asked for UIDs and names.

import { AppError } from '../../errors.ts';
import { nameFrom } from '../../mime/stored-content.ts';
import { euidsOf, isAmbiguous, parseMessageNumber } from '../../protocol/member-names.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findByEuid, storedHeadersOf } from '../../room-server/messages.ts';
import { findMembers } from '../collection/collection.ts';
import { collectionKind, holdsObjects } from '../collection/member.ts';
import { ownMemberAt } from '../collection/own-members.ts';
import type { RoomContext } from '../room-context.ts';
import { findNamed } from './named.ts';

/**
 * The number of the message that a path segment names where members have names: the one it was PUT under, or in rooms
 * with UIDs its UID with or without `.ics` or `.vcf`; of a folder the slash may be left out. Throws not_found.
 */
export async function findMessageNumber(context: RoomContext, segment: string): Promise<number> {
  const { app, caller, room } = context;
  const { identity } = caller;
  const { lacks, messages } = await serverOf(app.pool, identity);
  if (!lacks.memberNames) {
    const member = await ownMemberAt(context, segment);
    if (!member) throw new AppError('not_found', 'No such message.');
    return member.msgnum;
  }
  const found = await app.pool.visitRoom(identity, room, async (connection, entered) => {
    const isNamed = holdsObjects(collectionKind(entered));
    // a UID is only another name of an object: a number or a room resource comes before it
    for (const euid of isNamed && isAmbiguous(segment) ? [] : euidsOf(segment)) {
      if (messages.isHidden(entered, euid)) continue;
      const match = await findByEuid(connection, euid);
      if (match === undefined) continue;
      return isNamed && !(await mayBeCalled(connection, match, segment)) ? 'listed' : match;
    }
    if (isNamed) return 'listed';
    const [named] = await findNamed(context, connection, entered, segment);
    if (named !== undefined || segment.endsWith('/')) return named;
    if (collectionKind(entered) !== 'files') return parseMessageNumber(segment);
    // a folder, without its slash
    return (await findNamed(context, connection, entered, `${segment}/`))[0];
  });
  const number = found === 'listed' ? (await findMembers(context, [segment]))[0]?.msgnum : found;
  if (number === undefined) throw new AppError('not_found', 'No such message.');
  return number;
}

/** Nobody else can have this name: of what has a name of its own the UID is only an alias, which another may have. */
async function mayBeCalled(connection: Connection, msgnum: number, segment: string): Promise<boolean> {
  const [headers] = await storedHeadersOf(connection, [msgnum]);
  const name = headers && nameFrom(headers);
  return name === undefined || name === segment;
}

// A member with all that a GET of it needs, by name, in one round trip (verb MEMB read of the embedded room server,
// protocol section 21.6). Only where hasMembers says that the room server has it.

import { parseHeaders } from '../../mime/headers.ts';
import type { EnteredRoom } from '../../model.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom, Pool } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';
import type { MessagePart } from '../message-content.ts';
import { type MessageHead, seenIn, withMarks } from '../messages.ts';
import { askableFields } from './member-pages.ts';

/** A message, and its content where the room server has sent it. */
export interface MemberWithContent {
  msgnum: number;
  head: MessageHead;
  /** its only part */
  content: (MessagePart & { bytes: Buffer }) | undefined;
  /** in quotes; empty for what is no scheduling object */
  scheduleTag: string;
}

/**
 * The first of these names that is there, as readMembersByName; `isSeenAsked`: with its read mark. Throws not_found.
 */
export async function readMember(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  names: readonly string[],
  isSeenAsked = false,
): Promise<MemberWithContent> {
  const question = command('MEMB', 'read', ...askableFields(names));
  const inRoom = await pool.readInRoom(identity, room, withMarks([question], isSeenAsked));
  const { head, ...member } = parseMember(inRoom);
  return { ...member, head: { ...head, ...seenIn(inRoom, member.msgnum, isSeenAsked) } };
}

const parseMember = memoiseByAnswer(({ entered, answers }: InRoom): MemberWithContent => {
  const { text, bytes = Buffer.alloc(0) } = expectClass(answers[0]!, REPLY.binary);
  const [, msgnum, tag = '', ofLines, ofHeaders, ...ofContent] = splitFields(text);
  const headersAt = toInt(ofLines);
  const contentAt = headersAt + toInt(ofHeaders);
  if (headersAt < 0 || contentAt < headersAt || contentAt > bytes.length) throw unexpectedAnswer(text);
  return {
    msgnum: toInt(msgnum),
    head: headFrom(entered, bytes.subarray(0, headersAt), bytes.subarray(headersAt, contentAt), toInt(ofContent[3])),
    content: contentFrom(bytes.subarray(contentAt), ofContent),
    scheduleTag: tag && `"${tag}"`,
  };
});

function headFrom(entered: EnteredRoom, lines: Buffer, headers: Buffer, stored: number): MessageHead {
  return { entered, ...parseMessageFields(lines.toString().split('\n')), headers: parseHeaders(headers), stored };
}

function contentFrom(bytes: Buffer, [filename = '', contentType = '', charset = '']: readonly string[]) {
  return contentType === '' ? undefined : { length: bytes.length, filename, contentType, charset, bytes };
}

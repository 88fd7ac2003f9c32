// The contents of members of a room: of many calendar objects and cards in few round trips, and of one member with all
// that a GET of it needs, by name (verb MEMB of the embedded room server, protocol section 21.6).

import { MAX_CONTENTS_AT_ONCE } from '../../limits/backend.ts';
import { MAX_COMMAND_BYTES } from '../../limits/protocol.ts';
import { parseHeaders } from '../../mime/headers.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { MemberWithContent, ObjectMethods } from '../collections.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';
import { type MessageHead, seenIn, withMarks } from '../messages.ts';
import { askableFields } from './members.ts';

const COMMAND_START = 'MEMB contents|';

/** Those that one command line holds. */
function fitting(numbers: readonly number[]): readonly number[] {
  let left = MAX_COMMAND_BYTES - COMMAND_START.length;
  let count = 0;
  while (count < numbers.length && count < MAX_CONTENTS_AT_ONCE) {
    left -= String(numbers[count]).length + 1;
    if (left < 0) break;
    count++;
  }
  return numbers.slice(0, count);
}

/** `LENGTH|looked at|n|length|n|length…` and the bytes, one content after the other */
function parseContents({ text, bytes = Buffer.alloc(0) }: Answer): {
  looked: number;
  contents: ReadonlyMap<number, Buffer>;
} {
  const [, looked, ...fields] = splitFields(text);
  const contents = new Map<number, Buffer>();
  let at = 0;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const length = toInt(fields[i + 1]);
    if (length < 0) throw unexpectedAnswer(text);
    contents.set(toInt(fields[i]), bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.length || toInt(looked) < 1) throw unexpectedAnswer(text);
  return { looked: toInt(looked), contents };
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

export const objects: ObjectMethods = {
  async contents(pool, identity, room, numbers) {
    const asked = fitting(numbers);
    const { answers } = await pool.readInRoom(identity, room, [command('MEMB', 'contents', asked.join(','))]);
    return parseContents(expectClass(answers[0]!, REPLY.binary));
  },

  async read(pool, identity, room, names, isSeenAsked = false) {
    const question = command('MEMB', 'read', ...askableFields(names));
    const inRoom = await pool.readInRoom(identity, room, withMarks([question], isSeenAsked));
    const { head, ...member } = parseMember(inRoom);
    return { ...member, head: { ...head, ...seenIn(inRoom, member.msgnum, isSeenAsked) } };
  },
};

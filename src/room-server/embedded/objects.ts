// Contents and dead properties of members of a room: many calendar objects and cards in few round trips, one member
// with all that a GET of it needs (verb MEMB, protocol section 21.6), and properties (PROP, protocol section 21.7).

import { AppError } from '../../errors.ts';
import { MAX_CONTENTS_AT_ONCE } from '../../limits/backend.ts';
import { MAX_COMMAND_BYTES } from '../../limits/protocol.ts';
import { parseHeaders } from '../../mime/headers.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, packField, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { PropertyMethods, RoomProperties, StoredProperty } from '../collections.ts';
import type { InRoom, RoomAccess } from '../connection/pool.ts';
import { expectClass, refusalAfterBody, unexpectedAnswer } from '../connection/server-errors.ts';
import { type MessageHead, seenIn, withMarks } from '../messages.ts';
import { askableFields, requireProgress, stateToken } from './members.ts';

const COMMAND_START = 'MEMB contents|';

/** Those that fit one command line. */
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

/** `LENGTH|examined|n|length|n|length…` and the concatenated contents */
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

function memberFrom({ entered, answers }: InRoom) {
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
}

function headFrom(entered: EnteredRoom, lines: Buffer, headers: Buffer, stored: number): MessageHead {
  return { entered, ...parseMessageFields(lines.toString().split('\n')), headers: parseHeaders(headers), stored };
}

function contentFrom(bytes: Buffer, [filename = '', contentType = '', charset = '']: readonly string[]) {
  return contentType === '' ? undefined : { length: bytes.length, filename, contentType, charset, bytes };
}

export const objects = {
  /** Contents by number, and how many of the numbers were looked at: at least one. */
  async contents({ pool, identity, room }: RoomAccess, numbers: readonly number[]) {
    const asked = fitting(numbers);
    const { answers } = await pool.readInRoom(identity, room, [command('MEMB', 'contents', asked.join(','))]);
    return parseContents(expectClass(answers[0]!, REPLY.binary));
  },

  /** The first of these names that is there, with all that a GET needs. Throws not_found. */
  async read({ pool, identity, room }: RoomAccess, names: readonly string[], isSeenAsked = false) {
    const question = command('MEMB', 'read', ...askableFields(names));
    const inRoom = await pool.readInRoom(identity, room, withMarks([question], isSeenAsked));
    const { head, ...member } = memberFrom(inRoom);
    return { ...member, head: { ...head, ...seenIn(inRoom, member.msgnum, isSeenAsked) } };
  },
};

const ALL_ROOMS = command('PROP', 'rooms');

function roomsFrom(answer: Answer): Map<string, RoomProperties> {
  const rooms = new Map<string, RoomProperties>();
  let properties: StoredProperty[] = [];
  for (const line of expectClass(answer, REPLY.listing).lines) {
    const [room = '', ...fields] = splitFields(line);
    if (room === '') {
      properties.push(propertyFrom(fields));
      continue;
    }
    properties = [];
    const token = stateToken({ roomId: toInt(fields[0]), sequence: toInt(fields[1]) });
    rooms.set(room, { token, properties });
  }
  return rooms;
}

function propertyFrom([packed = '', value = '']: readonly string[]): StoredProperty {
  const full = unpackField(packed);
  const blank = full.lastIndexOf(' ');
  return { namespace: full.slice(0, blank), name: full.slice(blank + 1), value: unpackField(value) };
}

export const properties: PropertyMethods = {
  async of(pool, identity, room, member) {
    const { answers } = await pool.readInRoom(identity, room, [command('PROP', 'of', member)]);
    return expectClass(answers[0]!, REPLY.listing).lines.map((line) => propertyFrom(splitFields(line)));
  },

  async *all(pool, identity, room) {
    for (let cursor = ['', '']; ; ) {
      const { answers } = await pool.readInRoom(identity, room, [command('PROP', 'all', ...cursor)]);
      const { text, lines } = expectClass(answers[0]!, REPLY.listing);
      const found = new Map<string, StoredProperty[]>();
      for (const line of lines) {
        const [member = '', ...fields] = splitFields(line);
        found.getOrInsertComputed(member, () => []).push(propertyFrom(fields));
      }
      yield found;
      const [member = '', name = ''] = splitFields(text);
      if (name === '') return;
      requireProgress(member !== cursor[0] || name !== cursor[1], lines);
      cursor = [member, name];
    }
  },

  async ofRooms(pool, identity) {
    const [answer] = await pool.read(identity, [ALL_ROOMS]);
    return roomsFrom(answer!);
  },

  async change(connection, member, changes) {
    expectClass(await connection.start(command('PROP', 'set', member)), REPLY.sendTextThenListing);
    const lines = changes.map(({ namespace, name, value }) => {
      const field = packField(`${namespace} ${name}`);
      return value === undefined ? `${field}\n` : `${field}|${packField(value)}\n`;
    });
    const [row] = await connection.sendText([Buffer.from(lines.join(''))]);
    const outcome = toInt(row);
    if (outcome === -3) throw new AppError('bad_request', 'The name of a property cannot be stored.');
    if (outcome === -4)
      throw new AppError('insufficient_storage', 'There are too many properties, or they are too large.');
    if (outcome < 0) throw refusalAfterBody(outcome) ?? unexpectedAnswer(row);
  },
};

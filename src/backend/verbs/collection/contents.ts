// MEMB contents: the contents of many calendar objects and cards as GET sends them, in one binary answer
// (protocol section 21.6).

import { BACKEND_CONTENTS_BYTES, MAX_CONTENTS_AT_ONCE, MAX_OBJECT_BYTES } from '../../../limits/backend.ts';
import { parseHeaders } from '../../../mime/headers.ts';
import { CONTENT_FIELDS, sentForm } from '../../../mime/stored-content.ts';
import type { MimePart } from '../../../mime/walk.ts';
import { toInt } from '../../../protocol/fields.ts';
import { readableRoom } from '../../session/access.ts';
import { binaryStart, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { BodyChunks, readBlob } from '../../store/body-chunks.ts';
import { decodedPart, findPart } from '../../store/message-part.ts';
import { FORMAT } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/**
 * `contents|n,n,…` → `600 LENGTH|looked at|n|length|n|length…` and the contents one after the other. Those that are not
 * named are not there, too large or no objects; of the numbers behind the ones looked at nothing is said.
 */
export function contents(session: Session, numbers: string): Reply {
  const room = readableRoom(session);
  const asked = numbers.split(',').slice(0, MAX_CONTENTS_AT_ONCE).map(toInt);
  return { stream: answer(session.store, room.id, asked) };
}

/** In pieces of nothing at first: the structure of a message may be as long as that of some thousand parts. */
function* answer(store: Store, roomId: number, asked: readonly number[]): Generator<string | Buffer> {
  const pieces: Buffer[] = [];
  const fields: number[] = [];
  let length = 0;
  let looked = 0;
  for (const msgnum of asked) {
    yield '';
    const left = looked === 0 ? MAX_OBJECT_BYTES : BACKEND_CONTENTS_BYTES - length;
    const content = contentOf(store, roomId, msgnum, left);
    if (content === 'full') break;
    looked++;
    if (!content) continue;
    pieces.push(content);
    fields.push(msgnum, content.length);
    length += content.length;
  }
  yield binaryStart(length, looked, ...fields);
  yield Buffer.concat(pieces);
}

const ASKED = `SELECT m.blob, m.format, m.parts FROM room_message rm JOIN message m ON m.id = rm.message
  WHERE rm.room = ? AND rm.message = ?`;

/** undefined: not there, too large, or no part that is sent as it is; `full`: it does not fit into `left` bytes */
function contentOf(store: Store, roomId: number, msgnum: number, left: number): Buffer | 'full' | undefined {
  const row = store.prepare(ASKED).get(roomId, msgnum) as { blob: number; format: number; parts: string } | undefined;
  if (!row || row.format !== FORMAT.mime || row.parts === '') return undefined;
  const structure = JSON.parse(row.parts) as MimePart;
  const part = findPart(structure, '1');
  if (!part || part.decodedLength < 0 || part.decodedLength > MAX_OBJECT_BYTES) return undefined;
  const chunks = new BodyChunks(store, row.blob);
  const block = Buffer.concat([...readBlob(store, row.blob, 0, structure.start, chunks)]);
  if (sentForm(parseHeaders(block, CONTENT_FIELDS), String(row.format), true).lines) return undefined;
  if (part.decodedLength > left) return 'full';
  return Buffer.concat([...decodedPart(store, { blob: row.blob, chunks }, part)!]);
}

// The sync-token (RFC 6578 section 4) of a room on a server that counts no changes: it lists the numbers of the
// messages that were there. Signed, because names of messages are told by number from what the gateway remembers:
// nobody may make up a list.

import { nameKey } from '../../protocol/names.ts';
import type { RoomContext } from '../room-context.ts';
import { listOfToken, type TokenKind, tokenOfList } from './signed-list.ts';

const NUMBERS: TokenKind = { list: 'data:,l', digest: 'data:,d' };

/** Who asks for which room: what a token of somebody else, or of another room, is not read for. */
async function ownerOf({ app, caller }: RoomContext, room: string): Promise<string> {
  return `${await app.pool.accountOf(caller.identity)}\n${nameKey(room)}`;
}

/**
 * Of messages by number, ascending, in `room` as GOTO names it; always the same for the same. Of too many it is a
 * digest, which only says whether they are still the same.
 */
export async function tokenOfNumbers(context: RoomContext, room: string, numbers: readonly number[]): Promise<string> {
  return tokenOfList(context.app.sealer, NUMBERS, await ownerOf(context, room), deltasOf(numbers));
}

/** The numbers, ascending; undefined for what tokenOfNumbers has not made for this caller and room, or of too many. */
export async function numbersOfToken(context: RoomContext, room: string, token: string): Promise<number[] | undefined> {
  const list = listOfToken(context.app.sealer, NUMBERS, await ownerOf(context, room), token);
  return list && numbersFrom(list);
}

/** The distances between them, seven bits a byte, the last byte of each without the high bit: runs pack well. */
function deltasOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * MAX_NUMBER_BYTES);
  let end = 0;
  let last = 0;
  for (const number of numbers) {
    let left = number - last;
    for (; left >= 128; left = Math.floor(left / 128)) bytes[end++] = (left % 128) + 128;
    bytes[end++] = left;
    last = number;
  }
  return bytes.subarray(0, end);
}

/** of 53 bits */
const MAX_NUMBER_BYTES = 8;

function numbersFrom(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let last = 0;
  let delta = 0;
  let factor = 1;
  for (const byte of bytes) {
    delta += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    last += delta;
    numbers.push(last);
    delta = 0;
    factor = 1;
  }
  return numbers;
}

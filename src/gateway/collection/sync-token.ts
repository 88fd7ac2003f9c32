// The sync-token (RFC 6578 section 4) of a room on a server that counts no changes: a URI that holds the numbers of the
// messages that were there, packed and signed, so that any gateway with the same key reads it, also after a restart.
// Signed, because names of messages are told by number from what the gateway remembers: nobody may make up a list.

import { timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_SYNC_TOKEN_BYTES, MAX_SYNC_TOKEN_NUMBERS_BYTES } from '../../limits/dav.ts';
import { nameKey } from '../../protocol/names.ts';
import type { RoomContext } from '../room-context.ts';

/** `data:,` and a letter, then base64url: of the signature and the packed numbers, or of a signature only */
const LIST = 'data:,l';
const DIGEST = 'data:,d';
const SIGNATURE_BYTES = 16;

/** Who asks for which room: what a token of somebody else, or of another room, is not read for. */
async function ownerOf({ app, caller }: RoomContext, room: string): Promise<string> {
  return `${await app.pool.accountOf(caller.identity)}\n${nameKey(room)}`;
}

/**
 * Of messages by number, ascending, in `room` as GOTO names it; always the same for the same. Of too many it is a
 * digest, which only says whether they are still the same.
 */
export async function tokenOfNumbers(context: RoomContext, room: string, numbers: readonly number[]): Promise<string> {
  const plain = deltasOf(numbers);
  const packed = deflateRawSync(plain);
  const owner = await ownerOf(context, room);
  const isListed =
    packed.length + SIGNATURE_BYTES <= MAX_SYNC_TOKEN_BYTES && plain.length <= MAX_SYNC_TOKEN_NUMBERS_BYTES;
  const [start, shown] = isListed ? [LIST, packed] : [DIGEST, Buffer.alloc(0)];
  const signature = signed(context, owner, start, isListed ? packed : plain);
  return start + Buffer.concat([signature, shown]).toString('base64url');
}

/** The numbers, ascending; undefined for what tokenOfNumbers has not made for this caller and room, or of too many. */
export async function numbersOfToken(context: RoomContext, room: string, token: string): Promise<number[] | undefined> {
  if (!token.startsWith(LIST) || token.length > LIST.length + Math.ceil((MAX_SYNC_TOKEN_BYTES * 4) / 3))
    return undefined;
  const bytes = Buffer.from(token.slice(LIST.length), 'base64url');
  if (bytes.length <= SIGNATURE_BYTES) return undefined;
  const packed = bytes.subarray(SIGNATURE_BYTES);
  const signature = signed(context, await ownerOf(context, room), LIST, packed);
  if (!timingSafeEqual(signature, bytes.subarray(0, SIGNATURE_BYTES))) return undefined;
  return numbersFrom(inflateRawSync(packed, { maxOutputLength: MAX_SYNC_TOKEN_NUMBERS_BYTES }));
}

function signed({ app }: RoomContext, owner: string, form: string, content: Buffer): Buffer {
  return app.sealer.sign(Buffer.concat([Buffer.from(`${form}\n${owner}\n\n`), content])).subarray(0, SIGNATURE_BYTES);
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

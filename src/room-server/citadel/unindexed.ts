// Looks for words in the newest messages of rooms, in subject, author and text, where the index of the room server
// does not have them: that of a real one stops for good at the first quiet minute after its start (quirk Q57).

import { LOOK_MS, MAX_LOOKED_BYTES, MAX_LOOKED_MESSAGES } from '../../limits/looking.ts';
import { senderOf } from '../../mime/addresses.ts';
import { decodeHeaderText, headerValue, parseHeaders } from '../../mime/headers.ts';
import { messageText } from '../../mime/readable.ts';
import { NOBODY } from '../../mime/stored-content.ts';
import { MimeWalker } from '../../mime/walk.ts';
import type { MessageRow } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { hashMessageId } from '../../protocol/lookup3.ts';
import { WordMatcher } from '../../protocol/search-words.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { readFieldsOfMany } from '../messages.ts';
import { type LookBounds, type LookedRoom, lookThrough, newestIn, type Place } from './looking.ts';

export const SEARCH_BOUNDS: LookBounds = { messages: MAX_LOOKED_MESSAGES, bytes: MAX_LOOKED_BYTES, ms: LOOK_MS };
/** what MSG2 writes where there is none */
const NO_SUBJECT = '(no subject)';

export interface LookedFor {
  /** that hold all the words, newest first */
  hits: Place[];
  /**
   * messages from this number on were looked through, not those below it; undefined: all were that are above `above`
   */
  from: number | undefined;
}

/** Messages above `above`, newest first, as far as the bounds allow. */
export async function lookForWords(
  pool: Pool,
  identity: Identity,
  rooms: readonly LookedRoom[],
  above: number,
  words: string,
  bounds = SEARCH_BOUNDS,
): Promise<LookedFor> {
  const matcher = new WordMatcher(words);
  const hits: Place[] = [];
  if (matcher.isEmpty) return { hits, from: undefined };
  const { places, isAll } = await newestIn(pool, identity, rooms, above, bounds.messages);
  const through = await lookThrough(pool, identity, places, bounds, (place, source) => {
    if (matcher.isIn(textsOf(source))) hits.push(place);
  });
  if (isAll && through === places.length) return { hits, from: undefined };
  return { hits, from: through > 0 ? places[through - 1]!.msgnum : (places[0]?.msgnum ?? 0) + 1 };
}

/** Subject, author and text of a message as MSG2 prints it. */
function textsOf(source: Buffer): string[] {
  const walker = new MimeWalker();
  walker.push(source);
  const root = walker.end();
  const fields = parseHeaders(source.subarray(0, root.start));
  const subject = decodeHeaderText(headerValue(fields, 'Subject') ?? '');
  const author = senderOf(headerValue(fields, 'From') ?? '');
  return [
    subject === NO_SUBJECT ? '' : subject,
    author.address === NOBODY ? '' : author.name,
    messageText(source, root),
  ];
}

/** Rows of lists for messages, one for each room that they are in; without those that are gone. */
export async function messageRowsOf<R>(
  pool: Pool,
  identity: Identity,
  places: readonly Place[],
  make: (row: MessageRow, room: RoomRef) => R,
): Promise<R[]> {
  const rows = await Promise.all(
    [...Map.groupBy(places, ({ rooms }) => rooms[0]!)].map(async ([room, group]) => {
      const numbers = group.map(({ msgnum }) => msgnum);
      const read = await readFieldsOfMany(pool, identity, room, numbers);
      return group.flatMap(({ msgnum, rooms }) => {
        const fields = read.get(msgnum);
        return fields ? rooms.map((each) => make(rowOf(msgnum, fields), each)) : [];
      });
    }),
  );
  return rows.flat();
}

/** As MSGS tells it in mode 9, from what MSG0 tells. */
function rowOf(msgnum: number, fields: ReadonlyMap<string, string>): MessageRow {
  return {
    msgnum,
    time: toInt(fields.get('time')),
    from: fields.get('from') ?? '',
    node: '',
    address: fields.get('rfca') ?? '',
    subject: fields.get('subj') ?? '',
    idHash: hashMessageId(fields.get('msgn') ?? ''),
    referenceHashes: [],
  };
}

// Lengths of contents that are not stored in a header: of messages that were not PUT under a name. Clients take a
// missing length for 0, so it is found once, from the list of parts or by reading the content as GET would, and kept:
// two round trips for as many messages as are listed at once.

import { MAX_MEASURED_BYTES } from '../../limits/dav.ts';
import { type HeaderField, headerValue } from '../../mime/headers.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { lengthsOf, type Measured } from '../../room-server/message-content.ts';
import { type MessageHead, readHeads } from '../../room-server/messages.ts';
import { contentForm } from '../message/content.ts';
import type { StoredTraits } from '../message/stored-traits.ts';
import { type BodyLines, BodyText } from '../message/text.ts';
import type { RoomContext } from '../room-context.ts';

/** by message number */
export type TraitsByNumber = ReadonlyMap<number, StoredTraits>;
export type HeadersByNumber = ReadonlyMap<number, readonly HeaderField[]>;

const NONE_READ: HeadersByNumber = new Map();

/** Of one request, which reads a bounded number of bytes for them. */
export class ContentLengths {
  readonly #context: RoomContext;
  #leftBytes: number;

  constructor(context: RoomContext, maxBytes = MAX_MEASURED_BYTES) {
    this.#context = context;
    this.#leftBytes = maxBytes;
  }

  /**
   * The same with the sizes that were missing, until `maxBytes` have been read. What another request learns is not read
   * again. `stored`: header fields that this one has read. Throws as pool.readInRoom.
   */
  async complete(messages: TraitsByNumber, stored: HeadersByNumber = NONE_READ): Promise<TraitsByNumber> {
    if (numbersWithoutSize(messages).length === 0) return messages;
    const { app, caller, room } = this.#context;
    const turn = `length/${accountName(caller.identity.user)}/${nameKey(room.name)}`;
    return app.serialQueue.run(turn, async () => {
      const complete = new Map(messages);
      for (const [msgnum, traits] of messages) {
        complete.set(msgnum, app.storedTraits.of({ msgnum, euid: traits.euid, time: traits.time }) ?? traits);
      }
      for (const [msgnum, size] of await this.#read(numbersWithoutSize(complete), stored)) {
        complete.set(msgnum, app.storedTraits.keepSize(msgnum, complete.get(msgnum)!, size));
      }
      return complete;
    });
  }

  /** Those that can be found. */
  async #read(numbers: readonly number[], stored: HeadersByNumber): Promise<Map<number, number>> {
    const sizes = new Map<number, number>();
    if (numbers.length === 0 || this.#leftBytes <= 0) return sizes;
    const { app, caller, room } = this.#context;
    const heads = await readHeads(app.pool, caller.identity, room, numbers, stored);
    const unread: Measured[] = [];
    for (const [i, msgnum] of numbers.entries()) {
      const head = heads[i];
      if (!head) continue;
      const { lines } = contentForm(head);
      const size = lines ? lines.length : lengthFromParts(head);
      if (size === undefined) unread.push({ msgnum, ...counted(lines) });
      else sizes.set(msgnum, size);
    }
    if (unread.length === 0) return sizes;
    const { lengths, left } = await lengthsOf(app.pool, caller.identity, room, unread, this.#leftBytes);
    this.#leftBytes = left;
    for (const [i, { msgnum }] of unread.entries()) if (lengths[i] !== undefined) sizes.set(msgnum, lengths[i]);
    return sizes;
  }
}

function numbersWithoutSize(messages: TraitsByNumber): number[] {
  return [...messages].flatMap(([msgnum, { size }]) => (size === undefined ? msgnum : []));
}

/** Which bytes of a content count: those that GET sends, so both take them from gateway/message/text.ts. */
function counted(lines: BodyLines | undefined): Pick<Measured, 'form' | 'counter'> {
  if (!lines) return { form: 'part', counter: () => (piece) => piece.length };
  return {
    form: 'text',
    counter() {
      const body = new BodyText(lines.ending);
      return (piece) => body.push(piece).length; // a listing ends in LF: no CR is held behind it
    },
  };
}

/** The list of parts has the encoded length, which is the true one where nothing is encoded. */
function lengthFromParts(head: Pick<MessageHead, 'parts' | 'headers'>): number | undefined {
  const encoding = headerValue(head.headers, 'content-transfer-encoding')?.trim() || '7bit';
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) return undefined;
  return head.parts.find((part) => part.partnum === '1')?.length;
}

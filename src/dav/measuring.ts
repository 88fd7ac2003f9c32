// Lengths of messages that nobody wrote down: those that were not PUT under a name. Clients take a missing length for 0,
// so it is learnt once, from the list of parts or by reading the content as GET would, and kept.

import type { RoomRef } from '../client/goto.ts';
import type { Identity } from '../client/identity.ts';
import type { MessageHead } from '../client/messages.ts';
import type { App } from '../gateway/app.ts';
import { contentForm, withContent } from '../gateway/message-content.ts';
import { headOf, unlessGone } from '../gateway/message-head.ts';
import type { StoredFacts } from '../gateway/stored-facts.ts';
import { MAX_MEASURED_BYTES, MEASURED_AT_ONCE } from '../limits/dav.ts';
import { headerValue } from '../mime/headers.ts';
import { accountName, nameKey } from '../protocol/names.ts';

export class Measuring {
  readonly #app: App;
  readonly #identity: Identity;
  readonly #room: RoomRef;
  #left: number;

  constructor(app: App, identity: Identity, room: RoomRef, maxBytes = MAX_MEASURED_BYTES) {
    this.#app = app;
    this.#identity = identity;
    this.#room = room;
    this.#left = maxBytes;
  }

  /** Puts in the sizes that are missing, until `maxBytes` have been read. What another request learns is not read again. */
  async complete(facts: ReadonlyMap<number, StoredFacts>): Promise<void> {
    const turn = `length/${accountName(this.#identity.user)}/${nameKey(this.#room.name)}`;
    const isMissing = ([, { size }]: [number, StoredFacts]) => size === undefined;
    const missing = [...facts].filter(isMissing);
    for (let at = 0; at < missing.length && this.#left > 0; at += MEASURED_AT_ONCE) {
      const batch = missing.slice(at, at + MEASURED_AT_ONCE);
      await this.#app.turns.take(turn, () => this.#measure(batch.filter(isMissing)));
    }
  }

  async #measure(batch: readonly [number, StoredFacts][]): Promise<void> {
    const heads = await Promise.all(
      batch.map(([msgnum]) => unlessGone(headOf(this.#app, this.#identity, this.#room, msgnum))),
    );
    for (const [i, [msgnum, known]] of batch.entries()) {
      const head = heads[i];
      if (head) known.size = lengthFromParts(head) ?? (await unlessGone(this.#count(msgnum, head)));
    }
  }

  async #count(msgnum: number, head: MessageHead): Promise<number | undefined> {
    if (this.#left <= 0) return undefined;
    return withContent(this.#app, this.#identity, this.#room, msgnum, contentForm(head), async (bytes) => {
      let size = 0;
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > this.#left) {
          this.#left = 0;
          return undefined;
        }
      }
      this.#left -= size;
      return size;
    });
  }
}

/** The list of parts tells the encoded length, which is the true one where nothing is encoded. */
function lengthFromParts(head: MessageHead): number | undefined {
  if (contentForm(head).lines) return undefined;
  const encoding = headerValue(head.headers, 'content-transfer-encoding')?.trim() || '7bit';
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) return undefined;
  return head.parts.find((part) => part.partnum === '1')?.length;
}

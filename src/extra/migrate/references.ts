// What a copied message answers to, on an ordinary room server, where each has got a new id: a thread stays one only
// with the new ids, and who may only reply in a room (blogs, protocol section 9) has to name a message that is there.

import { MAX_REFERENCES_BYTES } from '../../limits/backend.ts';
import { command } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { Listed } from './model.ts';

export interface References {
  /** A message that a copy has brought; `msgid`: the id it had before. */
  note(room: string, message: Pick<Listed, 'msgnum' | 'msgid'>): void;
  /** As ENT0 takes them. `wefw`: ids of before, bars between them; `connection` has entered the room. */
  translated(connection: Connection, room: string, wefw: string): Promise<string>;
}

export function openReferences(): References {
  /** by name of the room: number by id of before */
  const copies = new Map<string, Map<string, number>>();

  const idHere = async (connection: Connection, room: string, id: string): Promise<string> => {
    const msgnum = copies.get(room)?.get(id);
    if (msgnum === undefined) return id;
    const { code, lines } = await connection.ask(command('MSG0', msgnum, 3));
    return (code === STATUS.listing && parseMessageFields(lines).fields.get('msgn')) || id;
  };

  return {
    note(room, { msgid, msgnum }) {
      copies.getOrInsertComputed(room, () => new Map<string, number>()).set(msgid, msgnum);
    },
    async translated(connection, room, wefw) {
      const ids: string[] = [];
      // the last are the nearest, as in the References of mail (RFC 5322 section 3.6.4)
      let bytes = 0;
      for (const id of wefw.split('|').reverse()) {
        const here = (await idHere(connection, room, id)).replace(/[!|\r\n\0]/g, '');
        bytes += Buffer.byteLength(here) + 1;
        if (bytes > MAX_REFERENCES_BYTES) break;
        ids.unshift(here);
      }
      return ids.join('!');
    },
  };
}

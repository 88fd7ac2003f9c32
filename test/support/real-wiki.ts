// What a real server does in a wiki (protocol section 17.4, quirk Q15, 50-wiki): the first save of a page makes a
// message with its history in the same room, whose header is lost and which is never written again. So each page has
// one version for ever, what is fetched is the present text, and nothing can be brought back. For real-server.ts.

import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { messageByEuid, revisionsOf } from '../../src/backend/store/references.ts';
import type { Store } from '../../src/backend/store/store.ts';
import { MAX_LISTED_REVISIONS } from '../../src/limits/backend.ts';
import { VIEW } from '../../src/model.ts';
import { splitFields } from '../../src/protocol/fields.ts';

const HISTORY = '_HISTORY_';
const BOUNDARY = '--Citadel--Multipart--253a--6b00e81f';

/** Before the page itself is stored, so that its history has the lower number. `command` is ENT0. */
export function keepHistory(store: Store, room: StoredRoom | undefined, user: string, command: string): void {
  const fields = splitFields(command);
  const [format, page = ''] = [fields[3], fields[9]];
  if (room?.view !== VIEW.wiki || format !== '4' || page === '') return;
  const euid = page + HISTORY;
  if (messageByEuid(store, room.id, euid) !== undefined) return;
  const time = Math.floor(Date.now() / 1000);
  const entry = Buffer.from(`7e08227a-fe90-4f71-9beb-a0af8946ff57|${time}|${user}|vm`).toString('base64');
  const text =
    `${BOUNDARY}\nContent-type: text/plain\nContent-Disposition: inline; filename="${entry}\n"\n` +
    `Content-Transfer-Encoding: 8bit\n\n\n${BOUNDARY}--\n`;
  store.transaction(() =>
    saveMessage(store, {
      ...{ format: 4, author: 'Citadel', path: 'Citadel', address: '', room: room.name, recipients: room.name },
      ...{ euid, subject: euid, msgid: `6B00E81F-${time.toString(16)}@vm/${euid}` },
      body: finishedBody(store, 4, Buffer.from(text)),
      rooms: [room.id],
    }),
  );
}

/** It refuses a page that it has had last under this name, word for word, be it deleted or moved away. */
export class RealPages {
  /** by room and name */
  readonly #last = new Map<string, string>();

  /** `command` is ENT0, `text` what came with it. */
  refuses(room: StoredRoom, command: string, text: string): boolean {
    const key = `${room.id} ${splitFields(command)[9]}`;
    if (this.#last.get(key) === text) return true;
    this.#last.set(key, text);
    return false;
  }
}

/** The command for the server behind, which keeps every version: that of the page as it is now is the one to fetch. */
export function wikiCommand(store: Store, room: StoredRoom | undefined, command: string): string {
  const [verb, page = '', uuid, operation] = splitFields(command);
  if (!room || !/^WIKI rev$/i.test(verb ?? '') || operation !== 'fetch') return command;
  const revisions = revisionsOf(store, room.id, page, MAX_LISTED_REVISIONS);
  return revisions.at(-1)?.uuid === uuid ? `WIKI rev|${page}|${revisions[0]!.uuid}|fetch` : command;
}

/** The answer of the server behind, as a real one gives it. */
export function wikiReply(command: string, reply: string): string {
  if (!/^WIKI /i.test(command)) return reply;
  const [, page = '', , operation] = splitFields(command);
  // to a real server it is no page
  if (page.endsWith(HISTORY)) return `575 Revision history for '${page}' was not found.\n`;
  if (operation === 'revert' && /^[25][01]0/.test(reply)) return '510 Error -3 has occurred.\n';
  const rows = reply.split('\n');
  return reply.startsWith('1') && rows.length > 4 ? [rows[0], ...rows.slice(-3)].join('\n') : reply;
}

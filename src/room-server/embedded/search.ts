// Searches of the embedded room server, whose index holds every message (verbs HITS and FIND, protocol section 21.2,
// and MSGS SEARCH).

import { MAX_SEARCH_HITS, MAX_SEARCH_RESULTS } from '../../limits/backend.ts';
import { command, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { messageNumbers, parseMessageRow } from '../../protocol/message-fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import { expectClass, type KnownRefusals } from '../connection/refusal.ts';
import type { Found, Hit, SearchMethods } from '../server.ts';

const NO_SUCH_ROOM: KnownRefusals = { [STATUS.noSuchRoom]: ['not_found', 'There is no such room.'] };
const FIELDS_OF_ROW = 8;

/** `'0,3,8,11'` → `[[0, 3], [8, 11]]` */
function pairsIn(text = ''): [number, number][] {
  const numbers = text.split(',').filter((each) => each !== '');
  return numbers.flatMap((one, i): [number, number][] => (i % 2 === 0 ? [[toInt(one), toInt(numbers[i + 1])]] : []));
}

function parseHit(line: string): Hit[] {
  const row = parseMessageRow(line);
  if (!row) return [];
  const [room, , , seen, files, places, excerpt] = splitFields(line).slice(FIELDS_OF_ROW);
  const details = {
    seen: seen === '1',
    files: toInt(files),
    excerpt: unpackField(excerpt ?? ''),
    marks: pairsIn(places),
  };
  return [{ ...row, room: room ?? '', details }];
}

export const search: SearchMethods = {
  async page(pool, identity, question, offset, limit) {
    const { room, author, since, until, hasFiles, isLastBegun, views, words } = question;
    const flags = [hasFiles, isLastBegun].map(Number);
    const line = command('HITS', offset, limit, room, author, since, until, ...flags, views.join(','), words);
    const [answer] = await pool.read(identity, [line]);
    const { text, lines } = expectClass(answer!, REPLY.listing, NO_SUCH_ROOM);
    const [total, counts] = splitFields(text);
    const byView = new Map(pairsIn(counts));
    const isCut = toInt(total) >= MAX_SEARCH_HITS;
    return { hits: lines.slice(0, limit).flatMap(parseHit), total: toInt(total), isCut, byView };
  },

  async everywhere(pool, identity, words) {
    const [answer] = await pool.read(identity, [command('FIND', MAX_SEARCH_RESULTS, words)]);
    const lines = expectClass(answer!, REPLY.listing).lines.slice(0, MAX_SEARCH_RESULTS);
    const found = lines.flatMap((line): Found[] => {
      const row = parseMessageRow(line);
      return row ? [{ ...row, room: splitFields(line)[FIELDS_OF_ROW] ?? '' }] : [];
    });
    return { found, from: undefined };
  },

  async inRoom(pool, identity, room, words) {
    const { answers } = await pool.readInRoom(identity, room, [command('MSGS', 'SEARCH', words)]);
    return { numbers: messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), from: undefined };
  },
};

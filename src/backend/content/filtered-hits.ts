// The hits of a search that must be more than hits: of somebody, of some time, with files. HITS asks for them.

import { MAX_SEARCH_HITS } from '../../limits/backend.ts';
import type { Steps } from '../../system/steps.ts';
import { HIGHEST_NUMBER, structureIn } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { indexQuestion } from '../store/search-index.ts';
import type { Store } from '../store/store.ts';
import { attachedFiles } from './first-words.ts';

/** What else the messages of a search must be. */
export interface SearchFilter {
  /** in the author's name or address, in any ASCII case; '' for anybody. Anonymous messages have none */
  author: string;
  /** Unix seconds; 0: no bound */
  since: number;
  until: number;
  hasFiles: boolean;
  /** the last word may be the beginning of one */
  isLastBegun: boolean;
}

export interface FilteredHit {
  room: number;
  message: number;
}

interface FilteredRow extends FilteredHit {
  blob: number;
  /** where files are asked for */
  parts: string | null;
}

/** hits of the index in one statement: to ask it for the next ones takes some milliseconds where rooms are many */
const INDEX_PAGE = 2000;
/** of them, how many are looked at in a step, about two milliseconds */
const STEP_HITS = 500;
/** the structure of a message that says whether it has files may be as long as that of some thousand parts */
const STEP_STRUCTURES = 5;

const SELECT_PAGE = `SELECT t.rowid AS id FROM message_text t WHERE message_text MATCH ? AND t.rowid < ?
  ORDER BY t.rowid DESC LIMIT ?`;
const SELECT_FILTERED = `SELECT rm.room, rm.message, m.blob, iif(?7, m.parts, NULL) AS parts FROM json_each(?1) t
  CROSS JOIN room_message rm ON rm.message = t.value CROSS JOIN message m ON m.id = t.value
  WHERE +rm.room IN (SELECT value FROM json_each(?2))
  AND (?3 = '%%' OR m.anonymous = 'no' AND (m.author LIKE ?3 ESCAPE '!' OR m.address LIKE ?3 ESCAPE '!'))
  AND m.time >= ?4 AND (?5 = 0 OR m.time < ?5) LIMIT ?6`;

/**
 * Where, in these rooms, such messages are, the latest messages first; at most MAX_SEARCH_HITS of them. The index may
 * have any number of hits that are not such: none comes that is stored after the first step.
 */
export function* filteredHits(
  store: Store,
  rooms: readonly StoredRoom[],
  words: string,
  { author, since, until, hasFiles, isLastBegun }: SearchFilter,
): Steps<FilteredHit[]> {
  const { text } = indexQuestion(store, rooms, words, isLastBegun);
  if (text === '') return [];
  const like = `%${author.replaceAll(/[!%_]/g, '!$&')}%`;
  const ids = JSON.stringify(rooms.map(({ id }) => id));
  const size = hasFiles ? STEP_STRUCTURES : STEP_HITS;
  const found: FilteredHit[] = [];
  for (let below = HIGHEST_NUMBER; ; ) {
    const page = store.rows<{ id: number }>(SELECT_PAGE, text, below, INDEX_PAGE).map(({ id }) => id);
    for (let at = 0; at < page.length; at += size) {
      yield;
      const some = JSON.stringify(page.slice(at, at + size));
      const left = MAX_SEARCH_HITS - found.length;
      const rows = store.rows<FilteredRow>(
        ...[SELECT_FILTERED, some, ids, like, since, until],
        ...(hasFiles ? [-1, 1] : [left, 0]),
      );
      const those = hasFiles ? rows.filter((row) => attachedFiles(store, row, structureIn(row)) > 0) : rows;
      found.push(...those.slice(0, left).map(({ room, message }) => ({ room, message })));
      if (found.length === MAX_SEARCH_HITS) return found;
    }
    if (page.length < INDEX_PAGE) return found;
    below = page.at(-1)!;
  }
}

// Answers of our own room server in this process, kept for as long as nothing has changed that they depend on: it
// counts its changes in memory that both sides share, so that to look takes no round trip. Another one is always asked.

import { MAX_KEPT_ANSWER_BYTES, MAX_KEPT_ANSWERS_BYTES } from '../../limits/protocol.ts';
import type { Answer } from '../../protocol/answer.ts';
import { nameKey } from '../../protocol/names.ts';
import { REPLY, replyClass } from '../../protocol/status.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { type ChangeCounts, placesOf } from '../../system/change-counts.ts';
import { parseEnteredRoom } from './goto.ts';

/** Verbs that answer from what is stored, as these sessions ask: nothing else of a session shows in them. */
const OF_ONE_ROOM = new Set(['MSGS', 'ROWS', 'MSG0', 'MSG2', 'DLAT', 'GTSN', 'RINF', 'GETA', 'EUID', 'STAT']);
const OF_THE_STORE = OF_ONE_ROOM.union(new Set(['GOTO', 'LKRA', 'LFLR', 'LZRM']));
const VERB_LENGTH = 4;
/** of the name of somebody's room as others see it: the number of its owner (protocol section 8) */
const OWNER = /^(\d{10})\./;
/** what an answer and each of its lines take beside their characters */
const OVERHEAD_BYTES = 100;

interface Kept {
  answers: readonly Answer[];
  /** of what they depend on; undefined: of everything */
  places: readonly number[] | undefined;
  /** of the changes there, when they were asked for */
  count: number;
  size: number;
}

export class KeptAnswers {
  readonly #changes: ChangeCounts;
  readonly #kept = new BoundedMap<string, Kept>(MAX_KEPT_ANSWERS_BYTES, ({ size }) => size);

  constructor(changes: ChangeCounts) {
    this.#changes = changes;
  }

  /** What was answered to them, while it still holds. `asker`: stands for one identity. */
  get(asker: number, commands: string): readonly Answer[] | undefined {
    const kept = this.#kept.get(keyOf(asker, commands));
    return kept && this.#countAt(kept.places) === kept.count ? kept.answers : undefined;
  }

  /** What `ask` is answered, and keeps it where it can. `userOf`: its number, 0 for guests; known after the answer. */
  async asked(
    asker: number,
    commands: readonly string[],
    ask: () => Promise<readonly Answer[]>,
    userOf: () => number,
  ): Promise<readonly Answer[]> {
    if (!commands.every((line) => OF_THE_STORE.has(verbOf(line)))) return ask();
    const before = this.#changes.any;
    const answers = await ask();
    const size = sizeOf(answers);
    if (size > MAX_KEPT_ANSWER_BYTES || replyClass(answers[0]!.code) === REPLY.refused) return answers;
    const places = placesFor(commands, answers, userOf());
    const count = this.#countAt(places);
    // only then it is known that the answers are of this state, and not of one before it
    if (this.#changes.any === before) {
      this.#kept.set(keyOf(asker, commands.join('')), { answers, places, count, size });
    }
    return answers;
  }

  #countAt(places: readonly number[] | undefined): number {
    return places ? this.#changes.at(places) : this.#changes.any;
  }
}

function verbOf(line: string): string {
  return line.slice(0, VERB_LENGTH);
}

function keyOf(asker: number, commands: string): string {
  return `${asker} ${commands}`;
}

/** Of the only room that they are about, and of who asks; undefined where they are about others, too. */
function placesFor(
  [first, ...others]: readonly string[],
  [answer]: readonly Answer[],
  user: number,
): readonly number[] | undefined {
  const isAboutOne = verbOf(first!) === 'GOTO' && others.every((line) => OF_ONE_ROOM.has(verbOf(line)));
  if (!isAboutOne) return undefined;
  const { name, isPersonal } = parseEnteredRoom(answer!);
  if (!isPersonal) return placesOf({ rooms: [nameKey(name)], users: [user] });
  const owner = OWNER.exec(name);
  return placesOf({ users: owner ? [user, Number(owner[1])] : [user] });
}

function sizeOf(answers: readonly Answer[]): number {
  let size = 0;
  for (const { text, lines, bytes } of answers) {
    size += OVERHEAD_BYTES + text.length + (bytes?.length ?? 0);
    for (const line of lines) size += OVERHEAD_BYTES + line.length;
  }
  return size;
}

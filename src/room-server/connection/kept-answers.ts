// Answers of our own room server, kept for as long as nothing has changed that they depend on: it counts its changes
// where we see them (system/change-counts.ts), so that to look takes no round trip. Another one is always asked.

import { MAX_KEPT_ANSWER_BYTES, MAX_KEPT_ANSWERS_BYTES } from '../../limits/protocol.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { nameKey } from '../../protocol/names.ts';
import { personalName } from '../../protocol/room-facts.ts';
import { REPLY, replyClass } from '../../protocol/status.ts';
import { type Counts, placesOf } from '../../system/change-counts.ts';
import { KeptWhileUnchanged } from '../../system/kept-while-unchanged.ts';
import { parseEnteredRoom } from './goto.ts';

/** Verbs that answer from what is stored, as these sessions ask: nothing else of a session shows in them. */
const OF_ONE_ROOM = new Set(['MSGS', 'ROWS', 'MSG0', 'MSG2', 'DLAT', 'GTSN', 'RINF', 'GETA', 'EUID', 'STAT']);
const OF_THE_STORE = OF_ONE_ROOM.union(new Set(['GOTO', 'LKRA', 'LFLR', 'LZRM']));
const VERB_LENGTH = 4;
/** what an answer and each of its lines take beside their characters */
const OVERHEAD_BYTES = 100;

export class KeptAnswers {
  readonly #kept: KeptWhileUnchanged<readonly Answer[]>;

  constructor(changes: Counts) {
    this.#kept = new KeptWhileUnchanged(changes, MAX_KEPT_ANSWERS_BYTES);
  }

  /** What was answered to them, while it still holds. `asker`: stands for one identity. */
  get(asker: number, commands: string): readonly Answer[] | undefined {
    return this.#kept.get(keyOf(asker, commands));
  }

  /** What `ask` is answered, and keeps it where it can. `userOf`: the asker's number then, 0 for guests. */
  async asked(
    asker: number,
    commands: readonly string[],
    ask: () => Promise<readonly Answer[]>,
    userOf: () => number | undefined,
  ): Promise<readonly Answer[]> {
    if (!commands.every((line) => OF_THE_STORE.has(verbOf(line)))) return ask();
    const since = this.#kept.moment;
    const answers = await ask();
    const size = sizeOf(answers);
    if (size > MAX_KEPT_ANSWER_BYTES || replyClass(answers[0]!.code) === REPLY.refused) return answers;
    const user = userOf();
    if (user === undefined) return answers;
    const places = placesFor(commands, answers, user);
    this.#kept.set(keyOf(asker, commands.join('')), answers, { places, size, since });
    return answers;
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
  return isAboutOne ? placesOfRoom(parseEnteredRoom(answer!), user) : undefined;
}

/** Where changes are counted that show in what a user is told of a room; `user`: its number, 0 for guests. */
export function placesOfRoom({ name, isPersonal }: Pick<EnteredRoom, 'name' | 'isPersonal'>, user: number): number[] {
  if (!isPersonal) return placesOf({ rooms: [nameKey(name)], users: [user] });
  const { owner } = personalName(name);
  return placesOf({ users: owner === undefined ? [user] : [user, owner] });
}

function sizeOf(answers: readonly Answer[]): number {
  let size = 0;
  for (const { text, lines, bytes } of answers) {
    size += OVERHEAD_BYTES + text.length + (bytes?.length ?? 0);
    for (const line of lines) size += OVERHEAD_BYTES + line.length;
  }
  return size;
}

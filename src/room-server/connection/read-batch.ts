// Short reads that wait for the end of this turn of the event loop: then all go out in one write, equal ones once,
// which share their answers.

import type { Answer } from '../../protocol/answer.ts';
import { runningClock } from '../../system/wait-clock.ts';
import type { Connection } from './connection.ts';
import { isLost } from './connection-fault.ts';

interface Read {
  commands: string;
  count: number;
  isRetry: boolean;
  resolve(answers: readonly Answer[]): void;
  reject(error: unknown): void;
}

export interface ReadBatchHost {
  /** The turn has ended, and reads wait: to be answered by `write` or `fail`. */
  flush(): void;
  /** The connection was lost that reads were written to; whether they may be sent once more. */
  lost(): boolean;
}

export class ReadBatch {
  readonly #host: ReadBatchHost;
  #reads: Read[] = [];

  constructor(host: ReadBatchHost) {
    this.#host = host;
  }

  /** reads that wait */
  get length(): number {
    return this.#reads.length;
  }

  /** Answers to `commands`, in order. Sent once more when the connection is lost. Throws what `fail` is given. */
  add(commands: readonly string[]): Promise<readonly Answer[]> {
    // the reads of a turn are written for whoever came first; each waits for itself
    const clock = runningClock();
    const answers = new Promise<readonly Answer[]>((resolve, reject) => {
      this.#enqueue({ commands: commands.join(''), count: commands.length, isRetry: false, resolve, reject });
    });
    if (!clock) return answers;
    clock.begin();
    return answers.finally(() => clock.end());
  }

  #enqueue(read: Read): void {
    this.#reads.push(read);
    if (this.#reads.length === 1) setImmediate(() => this.#host.flush());
  }

  /** Writes all that wait in one go. */
  write(connection: Connection): void {
    const groups = Map.groupBy(this.#reads, ({ commands }) => commands);
    this.#reads = [];
    const answers = connection.askEach(
      [...groups.keys()].join(''),
      Array.from(groups.values(), (group) => group[0]!.count),
    );
    let i = 0;
    for (const group of groups.values()) this.#settle(group, answers[i++]!);
  }

  /** All that wait. */
  fail(error: unknown): void {
    for (const read of this.#reads.splice(0)) read.reject(error);
  }

  async #settle(group: Read[], pending: Promise<Answer[]>): Promise<void> {
    try {
      const answers = await pending;
      for (const read of group) read.resolve(answers);
    } catch (error) {
      const maySendAgain = isLost(error) && this.#host.lost();
      for (const read of group) {
        if (maySendAgain && !read.isRetry) this.#enqueue({ ...read, isRetry: true });
        else read.reject(error);
      }
    }
  }
}

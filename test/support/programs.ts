// Programs of Debian packages that tests run as users do: in a home folder of their own, with what they say kept.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ending } from './gateway.ts';

export interface ProgramEnd {
  code: number | null;
  /** both outputs, as they came */
  out: string;
}

export interface Home {
  folder: string;
  /** Runs a program in the folder, which is its home, and gives it `input`. */
  run(program: string, words: readonly string[], input?: string, env?: Record<string, string>): Promise<ProgramEnd>;
  /** The same; fails unless it ends with 0. Answers what it said. */
  must(program: string, words: readonly string[], input?: string, env?: Record<string, string>): Promise<string>;
}

/** Fails with what to install where one of these cannot be run. `probes`: words that make each end at once. */
export function needPrograms(
  probes: readonly (readonly [program: string, ...words: string[]])[],
  packages: string,
): void {
  for (const [program, ...words] of probes) {
    const { error, status } = spawnSync(program, words, { stdio: 'ignore' });
    const isThere = error === undefined && status === 0;
    assert.ok(isThere, `${program} is missing: apt-get install --no-install-recommends ${packages}`);
  }
}

/** An empty home, gone when the tests end. */
export async function newHome(t: Ending): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-home-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  const run: Home['run'] = async (program, words, input = '', env = {}) => {
    const child = spawn(program, words, { cwd: folder, env: { ...process.env, HOME: folder, ...env } });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (out += text));
    }
    child.stdin.on('error', () => {}).end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out };
  };
  const must: Home['must'] = async (...what) => {
    const { code, out } = await run(...what);
    assert.equal(code, 0, out);
    return out;
  };
  return { folder, run, must };
}

/** What the user of a program is shown after this step; fails with what the program said. */
export type Shown = (step: string, ...words: unknown[]) => Promise<unknown>;

/** For a program that reads steps, a JSON list a line, and answers each with a line of JSON: `shown` or `error`. */
export function stepsOf(t: Ending, child: ChildProcess): Shown {
  const ended = once(child, 'exit');
  t.after(async () => {
    child.stdin!.end();
    await ended;
  });
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async (...step) => {
    child.stdin!.write(`${JSON.stringify(step)}\n`);
    const { value, done } = await answers.next();
    assert.ok(!done, 'the program has ended');
    const answer = JSON.parse(value) as { shown?: unknown; error?: string };
    assert.equal(answer.error, undefined);
    return answer.shown;
  };
}

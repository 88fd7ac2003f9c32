// Plays every recorded session of a real server to the embedded one and compares the replies, exchange by exchange.
// What differs on purpose stands in replay-differences.ts. Recordings 9x show accidents of a real server and are no
// measure.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { BEGINNINGS } from '../support/replay-beginnings.ts';
import { type Outcome, replay } from '../support/replay-run.ts';
import { DIFFERENCES } from './replay-differences.ts';

const FOLDER = new URL('../fixtures/transcripts/', import.meta.url);

/** line → code of the answer here */
function explainedIn(recording: string): Map<number, string> {
  const pairs = DIFFERENCES.flatMap(({ at }) => (at[recording] ?? '').split(' ').filter((one) => one !== ''));
  return new Map(pairs.map((pair) => [Number(pair.split(':')[0]), pair.split(':')[1] ?? '']));
}

function shown({ line, command, recorded, actual }: Outcome): string {
  return `line ${line}: ${command.slice(0, 200)}\nrecorded: ${recorded.slice(0, 2000)}\nhere: ${actual.slice(0, 2000)}`;
}

describe('the recorded sessions of a real server', () => {
  const recordings = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.slice(0, -'.txt'.length))
    .sort();
  const rows: [string, number, number][] = [];

  for (const recording of recordings) {
    it(`${recording} goes as recorded, but for what is explained`, async (t) => {
      const text = await readFile(new URL(`${recording}.txt`, FOLDER), 'utf8');
      const explained = explainedIn(recording);
      const openAt = new Set([...explained.keys()].filter((line) => explained.get(line) === '(op'));
      const outcomes = await replay(t, text, BEGINNINGS[recording], openAt);
      for (const outcome of outcomes) {
        const code = explained.get(outcome.line);
        explained.delete(outcome.line);
        if (code === undefined) assert.ok(outcome.isSame, `unexplained difference, ${shown(outcome)}`);
        else assert.ok(!outcome.isSame, `explained, but no difference, ${shown(outcome)}`);
        if (code) assert.equal(outcome.actual.slice(0, 3).trim(), code, shown(outcome));
      }
      assert.deepEqual([...explained.keys()], [], 'lines of replay-differences.ts that are no commands');
      rows.push([recording, outcomes.filter(({ isSame }) => isSame).length, outcomes.length]);
    });
  }

  it('are all there, and none is explained that is not', () => {
    assert.ok(recordings.length >= 37);
    const named = new Set(DIFFERENCES.flatMap(({ at }) => Object.keys(at)));
    assert.deepEqual(
      [...named].filter((name) => !recordings.includes(name)),
      [],
    );
    const places = DIFFERENCES.flatMap(({ at }) =>
      Object.entries(at).flatMap(([name, list]) => list.split(' ').map((one) => `${name} ${one}`)),
    );
    assert.equal(new Set(places).size, places.length, 'explained twice');
  });

  after(() => {
    const share = (same: number, all: number) => `${((100 * same) / all).toFixed(1)} %`.padStart(8);
    for (const [name, same, all] of rows) console.log(`${name.padEnd(24)} ${same}/${all}`.padEnd(36), share(same, all));
    const [same, all] = [1, 2].map((n) => rows.reduce((sum, row) => sum + (row[n] as number), 0)) as [number, number];
    console.log(`exchanges as recorded: ${same} of ${all},${share(same, all)}; explained: ${all - same}`);
  });
});

// The options of serve as a whole: what they are without a word, what is shown of them, what does not go together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { complaint, DEFAULTS, serve } from '../support/command-line.ts';

function shown(argv: readonly string[]): string {
  const read = parseCommandLine(['config', ...argv], {});
  assert.ok('text' in read);
  return /^backend {2,}(.*)$/m.exec(read.text)![1]!.replaceAll(/ {2,}/g, ' ');
}

describe('the options of serve', () => {
  it('have defaults', () => assert.deepEqual(serve([]), DEFAULTS));

  it('are shown as they were given, or with the default in words', () => {
    assert.equal(shown([]), 'embedded default');
    assert.equal(shown(['--backend', 'unix:/run/a']), 'unix:/run/a --backend');
  });

  it('are refused where they do not go together', () => {
    assert.match(complaint(['--backend', 'unix:/run/a', '--demo']), /^--demo is for the embedded room server/);
    assert.match(complaint(['--workers', '2', '--host', 'unix:/run/v']), /^--workers requires a TCP port/);
  });

  it('bound what clients take in the units in which they are counted', () => {
    const { maxBodyBytes, maxConnections } = serve(['--max-body', '2', '--max-connections', '3']);
    assert.deepEqual([maxBodyBytes, maxConnections], [2 * 1024 * 1024, 3]);
  });
});

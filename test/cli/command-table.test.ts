// The table of commands says what the program takes, and all of it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COMMAND_WORDS, COMMANDS } from '../../src/cli/command-table.ts';
import { UsageError } from '../../src/cli/option-values.ts';
import { parseCommandLine } from '../../src/cli/options.ts';

it('each command of the table is one, and its usage begins with its words', () => {
  for (const { name, usage } of COMMANDS) {
    assert.ok(usage.startsWith(name) || usage.startsWith(`[${name}]`), usage);
    try {
      parseCommandLine(name.split(' '), {});
    } catch (error) {
      assert.ok(error instanceof UsageError);
      assert.doesNotMatch(error.message, /is not a command|takes one of: add/, name);
    }
  }
});

it('who types another word is told the first words, each once', () => {
  assert.equal(new Set(COMMAND_WORDS).size, COMMAND_WORDS.length);
  assert.throws(() => parseCommandLine(['usr'], {}), {
    message: new RegExp(`the commands are ${COMMAND_WORDS.join(', ')}$`),
  });
});

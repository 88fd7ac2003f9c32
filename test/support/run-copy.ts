// `vestibule copy` as the program runs it, without the time that a process takes to start.

import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { runCopyCommand } from '../../src/extra/migrate/command.ts';
import type { Ended } from './gateway.ts';

export async function runCopy(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const line = parseCommandLine(['copy', ...words], env);
  assert.ok(line.command === 'copy');
  const ended: Ended = { code: null, out: '', err: '' };
  const printing = [
    mock.method(console, 'log', (text: string) => (ended.out += `${text}\n`)),
    mock.method(process.stderr, 'write', (text: string) => (ended.err += text) !== ''),
  ];
  try {
    ended.code = await runCopyCommand(line, () => {});
  } finally {
    for (const { mock: printed } of printing) printed.restore();
  }
  return ended;
}

// A program in a real terminal, for tests that look at the screen as a person would: tmux runs it, takes keys and
// tells what is to be seen. Debian's package tmux.

import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Ending } from './gateway.ts';

const COLUMNS = 80;
const ROWS = 50;
const POLL_MS = 50;
/** as long as a busy machine may take */
const WAIT_MS = 90_000;

const run = promisify(execFile);

export interface Terminal {
  /** Keys by tmux's names: `'n'`, `'Enter'`, `'C-c'`. */
  press(...keys: string[]): Promise<void>;
  /** Text as it is, and Enter. */
  enter(text: string): Promise<void>;
  /** Waits until what has come since the last match holds `pattern`; the match. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * Shows how a program ended: tmux itself now and then misses that. Ctrl-C, which the shell hears too, is for the
 * program.
 */
const SHOW_END = 'trap : INT; "$@"; echo "ended with $?"; exec sleep 1000';

/**
 * Starts the program with its words in a terminal of 80 by 50; behind its last words stands `ended with 0`. `socket`: a
 * path for tmux to talk through; whatever runs there is ended with the test.
 */
export async function openTerminal(t: Ending, socket: string, words: string[]): Promise<Terminal> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const tmux = async (...args: string[]) =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env })).stdout;
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
  await tmux('new-session', '-d', '-s', 'test', ...size, 'sh', '-c', SHOW_END, 'sh', ...words);
  t.after(() => tmux('kill-server').then(() => {}));
  // the last line may still be written to, so it is looked at again
  let line = 0;
  return {
    press: async (...keys) => void (await tmux('send-keys', '-t', 'test', ...keys)),
    enter: async (text) => {
      await tmux('send-keys', '-t', 'test', '-l', text);
      await tmux('send-keys', '-t', 'test', 'Enter');
    },
    async until(pattern) {
      let shown = '';
      for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(POLL_MS)) {
        const lines = (await tmux('capture-pane', '-p', '-S', '-', '-t', 'test')).trimEnd().split('\n');
        shown = lines.slice(line).join('\n');
        const match = pattern.exec(shown);
        if (!match) continue;
        line += shown.slice(0, match.index + match[0].length).split('\n').length - 1;
        return match;
      }
      throw new Error(`${pattern} is not to be seen:\n${shown}`);
    },
  };
}

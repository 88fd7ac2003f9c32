// How much a verb does before others have their turn, counted in statements and rows: a clock that runs ahead ends each
// turn with the piece that began it.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Session, Verb } from '../../src/backend/session/session.ts';
import { passQuickly } from './quick-clock.ts';

/** The most statements and lines of one piece of a verb's answer, and all of it. */
export function longestPiece(
  t: TestContext,
  session: Session,
  verb: Verb,
  args: string,
): { statements: number; lines: number; text: string } {
  const { store } = session;
  let statements = 0;
  const spies = (['prepare', 'rows'] as const).map((name) => {
    const run = store[name].bind(store) as (...values: never[]) => unknown;
    return t.mock.method(store, name, (...values: never[]) => {
      statements++;
      return run(...values);
    }).mock;
  });
  const clock = passQuickly(t);
  try {
    const reply = verb(session, args);
    assert.ok(typeof reply === 'object' && 'stream' in reply, 'the answer comes in pieces');
    const most = { statements, lines: 0, text: '' };
    statements = 0;
    for (const piece of reply.stream) {
      most.statements = Math.max(most.statements, statements);
      most.lines = Math.max(most.lines, String(piece).split('\n').length - 1);
      most.text += piece;
      statements = 0;
    }
    return most;
  } finally {
    for (const mock of [...spies, clock]) mock.restore();
  }
}

// What is kept of the answers of our own room server, and for how long. That all of it holds is seen in
// test/e2e/room-server/connection/kept-answers.test.ts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_KEPT_ANSWER_BYTES } from '../../../src/limits/protocol.ts';
import type { Answer } from '../../../src/protocol/answer.ts';
import { command } from '../../../src/protocol/fields.ts';
import { KeptAnswers } from '../../../src/room-server/connection/kept-answers.ts';
import { ChangeCounts } from '../../../src/system/change-counts.ts';

const GOTO = command('GOTO', 'Lobby', '', 1);
const LISTED = command('MSGS', 'ALL');
const answer = (code: number, text: string, lines: string[] = []): Answer => ({
  code,
  text,
  lines,
  bytes: undefined,
  hasInstantMessages: false,
});
const entered = (name: string, isPersonal: 0 | 1) => answer(200, `${name}|0|0|0|2|0|0|${isPersonal}|0|0|0|0|0|0|0|0|`);
const IN_LOBBY = [entered('Lobby', 0), answer(100, '', ['1', '2'])];

/** Whether they are kept once they have been asked; `meanwhile` happens while they are. */
async function isKept(
  answers: readonly Answer[],
  commands: readonly string[] = [GOTO, LISTED],
  { after = () => {}, meanwhile = () => {} }: Record<string, (counts: ChangeCounts) => void> = {},
): Promise<boolean> {
  const counts = new ChangeCounts();
  const kept = new KeptAnswers(counts);
  const ask = async () => {
    meanwhile(counts);
    return answers;
  };
  assert.equal(await kept.asked(1, commands, ask, () => 2), answers);
  after(counts);
  assert.equal(kept.get(2, commands.join('')), undefined, 'of somebody else');
  return kept.get(1, commands.join('')) === answers;
}

it('an answer is not kept while its asker has to log in anew: nobody knows whose changes it depends on', async () => {
  const kept = new KeptAnswers(new ChangeCounts());
  const ask = async () => IN_LOBBY;
  await kept.asked(1, [GOTO, LISTED], ask, () => undefined);
  assert.equal(kept.get(1, GOTO + LISTED), undefined);
  await kept.asked(1, [GOTO, LISTED], ask, () => 2);
  assert.equal(kept.get(1, GOTO + LISTED), IN_LOBBY);
});

describe('an answer is kept', () => {
  it('until its room changes, or what its user has read', async () => {
    assert.ok(await isKept(IN_LOBBY));
    const when = (after: (counts: ChangeCounts) => void) => isKept(IN_LOBBY, [GOTO, LISTED], { after });
    assert.ok(await when((counts) => counts.count({ rooms: ['another'], users: [3] })));
    assert.ok(!(await when((counts) => counts.count({ rooms: ['lobby'] }))));
    assert.ok(!(await when((counts) => counts.count({ users: [2] }))));
    assert.ok(!(await when((counts) => counts.count(undefined))));
  });

  it('of somebody’s room until that user’s rooms change', async () => {
    const mail = [entered('0000000007.Mail', 1), IN_LOBBY[1]!];
    const when = (users: number[]) => isKept(mail, [GOTO, LISTED], { after: (counts) => counts.count({ users }) });
    assert.ok(await when([3]));
    assert.ok(!(await when([7])), 'its owner’s');
    assert.ok(!(await when([2])), 'the reader’s');
  });

  it('of all rooms until anything changes', async () => {
    const after = (counts: ChangeCounts) => counts.count({ rooms: ['another'] });
    assert.ok(await isKept([answer(100, '', ['Lobby|0'])], [command('LKRA')]));
    assert.ok(!(await isKept([answer(100, '', ['Lobby|0'])], [command('LKRA')], { after })));
  });
});

describe('an answer is not kept', () => {
  it('where something changed while it was asked', async () => {
    const meanwhile = (counts: ChangeCounts) => counts.count({ rooms: ['another'] });
    assert.ok(!(await isKept(IN_LOBBY, [GOTO, LISTED], { meanwhile })));
  });

  it('where the room was not entered: guesses are counted', async () => {
    assert.ok(!(await isKept([answer(540, 'wrong'), IN_LOBBY[1]!])));
  });

  it('of a verb that tells more than what is stored', async () => {
    assert.ok(!(await isKept([answer(100, '', ['1|ann|Lobby'])], [command('RWHO')])));
    assert.ok(!(await isKept([answer(200, '')], [command('NOOP')])));
  });

  it('that is too long', async () => {
    const ofLength = (length: number) => [entered('Lobby', 0), answer(100, '', ['x'.repeat(length)])];
    const rest = 300 + entered('Lobby', 0).text.length; // of three texts
    assert.ok(await isKept(ofLength(MAX_KEPT_ANSWER_BYTES - rest)));
    assert.ok(!(await isKept(ofLength(MAX_KEPT_ANSWER_BYTES - rest + 1))));
  });
});

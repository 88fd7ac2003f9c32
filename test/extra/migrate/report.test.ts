// What a copy tells while it runs and when it ends.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openReport } from '../../../src/extra/migrate/report.ts';

function run(isTerminal: boolean) {
  const said: string[] = [];
  const report = openReport((text) => said.push(text), isTerminal);
  const lobby = report.room('Lobby');
  const square = report.room('Town\x1b[2J Square');
  report.room('empty');
  for (let i = 0; i < 20; i++) lobby.found();
  square.found();
  for (let i = 0; i < 10; i++) lobby.copied();
  for (let i = 0; i < 9; i++) lobby.wasThere();
  lobby.skip('too large');
  square.copied();
  square.lose('this');
  square.lose('this');
  return { said, ...report.close() };
}

describe('the report of a copy', () => {
  it('has a line for each room with messages, and the sums', () => {
    const { lines, isComplete } = run(false);
    assert.deepEqual(lines, [
      '0 accounts created',
      'source\tcopied\tpresent\tskipped\troom',
      '20\t10\t9\t1\tLobby',
      '\ttoo large',
      '1\t1\t0\t0\tTown?[2J Square',
      '\t2 times: lost: this',
      '21\t11\t9\t1\ttotal',
    ]);
    assert.equal(isComplete, false);
  });

  it('counts as complete what loses only details', () => {
    const report = openReport(() => {}, false);
    report.room('Lobby').lose('a detail');
    assert.equal(report.close().isComplete, true);
  });

  it('tells every tenth, where there is no terminal', () => {
    const { said } = run(false);
    assert.equal(said.length, 10);
    assert.equal(said.at(-1), '100 %: 21 of 21 messages\n');
  });

  it('fills a line at a terminal, and wipes it at the end', () => {
    const { said } = run(true);
    assert.match(said[0]!, /^\r\[#{1}\.{29}\] 1 of 21 {2}Lobby\x1b\[K$/);
    assert.match(said.at(-2)!, /^\r\[#{30}\] 21 of 21 {2}Town\?\[2J Square\x1b\[K$/);
    assert.equal(said.at(-1), '\r\x1b[K');
  });

  it('comes to show what was done, also when it is held up', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    const said: string[] = [];
    const report = openReport((text) => said.push(text), true);
    const room = report.room('Lobby');
    for (let i = 0; i < 10; i++) room.found();
    for (let i = 0; i < 5; i++) room.copied();
    assert.equal(said.length, 1);
    t.mock.timers.tick(1000);
    assert.equal(said.length, 2);
    assert.match(said[1]!, /^\r\[#{15}\.{15}\] 5 of 10 {2}Lobby/);
    room.copied();
    room.copied();
    report.wipe();
    t.mock.timers.tick(1000);
    assert.equal(said.at(-1), '\r\x1b[K', 'nothing comes behind it');
  });

  it('does not run over when a whole room is skipped', () => {
    const said: string[] = [];
    const report = openReport((text) => said.push(text), true);
    const room = report.room('Lobby');
    room.found();
    room.copied();
    room.skip('a reason of the room');
    assert.match(said.at(-1)!, /^\r\[#{30}\] /);
  });
});

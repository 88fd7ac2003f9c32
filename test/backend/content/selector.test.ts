import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USER_FLAG, updateUser } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { world } from '../../support/five-messages.ts';
import { run } from '../../support/message-session.ts';

describe('MSGS selectors', () => {
  const selections: [string, string][] = [
    ['', '12345'],
    ['ALL', '12345'],
    ['all', '12345'],
    ['BOGUS', '12345'],
    ['EQ|2', '12345'],
    ['LAST|2', '45'],
    ['LAST|99', '12345'],
    ['LAST|0', ''],
    ['LAST', ''],
    ['FIRST|2', '12'],
    ['FIRST|99', '12345'],
    ['FIRST', ''],
    ['GT|2', '345'],
    ['GT|0', '12345'],
    ['LT|2', '1'],
    ['LT', ''],
    ['NEW', '12345'],
    ['OLD', ''],
    ['SEARCH|fruit', '12'],
    ['SEARCH|FRUIT green', '2'],
    ['SEARCH', ''],
  ];
  it('mean what the protocol says', (t) => {
    const { list, rows } = world(t);
    assert.equal(list('LAST|1'), '100  \n5\n000\n');
    for (const [args, numbers] of selections) assert.equal(rows(`MSGS ${args}`.slice(5)).join(''), numbers, args);
  });

  it('NEW and OLD follow the read set; NEW begins with the last old message if the user wants that', (t) => {
    const { w, ann, rows, seen } = world(t);
    const withLastOld: [string, string, string][] = [
      ['*:2', '2345', '12'],
      ['*:5', '', '12345'],
      ['*:0,2,4', '135', '24'],
      ['*:1,3', '1245', '13'],
      ['2:3', '145', '23'],
      ['*:99', '', '12345'],
      ['*:*', '', '12345'],
    ];
    for (const [set, fresh, old] of withLastOld) {
      seen(set);
      assert.equal(rows('NEW').join(''), fresh, set);
      assert.equal(rows('OLD').join(''), old, set);
    }
    updateUser(w.store, ann, { flags: ann.flags & ~USER_FLAG.lastOld });
    seen('*:2');
    assert.equal(rows('NEW').join(''), '345');
  });

  it('list nothing for an empty room, and everything as new for a guest', (t) => {
    const { w, box } = world(t);
    assert.equal(run(w.session(undefined, w.room('Empty')), msgs, 'ALL|||9'), '100  \n000\n');
    assert.equal(run(w.session(undefined, box), msgs, 'NEW'), '100  \n1\n2\n3\n4\n5\n000\n');
  });
});

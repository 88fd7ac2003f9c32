import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { USER_FLAG, updateUser } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { SequenceSet } from '../../../src/protocol/sequence-set.ts';
import { messageWorld, run } from '../../support/message-session.ts';

const FRUIT: [string, string, string][] = [
  ['4|Apples', '', 'red fruit'],
  ['4|Pears', '', 'green fruit'],
  ['0|', '', ''],
  ['4|Re: Apples', 'first-ref@x!second-ref@y', 'reply'],
  ['4|Apples', '', 'again'],
];

/** A room with five messages, numbers 1 to 5. */
function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const box = w.room('Box');
  const session = w.session(ann, box);
  for (const [fields, references, text] of FRUIT) {
    const body = fields.startsWith('4') ? `Content-type: text/plain; charset=utf-8\n\n${text}\n` : 'format 0\n';
    run(session, ent0, `1|||${fields}||1|||||${references}`, body);
  }
  const list = (args: string, body?: string) => run(session, msgs, args, body);
  /** rows without status line and end */
  const rows = (args: string, body?: string) => list(args, body).split('\n').slice(1, -2);
  const seen = (set: string) =>
    updateVisit(w.store, visitOf(w.store, ann.id, box.id), { seen: SequenceSet.parse(set) });
  return { w, ann, box, session, list, rows, seen };
}

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

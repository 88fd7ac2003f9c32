// What DAV lists of a message: name, kind, extent and the line `time|type|size|component|starts|ends|title`.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  factsOf,
  NO_BOUND,
  SEVERAL,
  storedFacts,
  storeFacts,
  type TextOf,
} from '../../../src/backend/store/message-facts.ts';
import { BACKEND_MEASURED_BYTES } from '../../../src/limits/backend.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { type SavedFields, saveIn } from '../../support/saved-message.ts';

const TIME = 1_700_000_000;
const start = Date.UTC(2024, 4, 1, 10) / 1000;

function facts(t: TestContext, fields: SavedFields, read?: TextOf) {
  const w = messageWorld(t);
  const msgnum = saveIn(w, w.room('Box'), { time: TIME, ...fields });
  return factsOf(w.store, msgnum, read)!;
}

const calendar = (text: string): SavedFields => ({ type: 'text/calendar', text });

describe('the facts of a message', () => {
  it('are its name, kind, extent, and a line for lists', (t) => {
    const text = event('u', '20240501T100000Z');
    assert.deepEqual(facts(t, { ...calendar(text), name: 'a b.ics', subject: 'x|100%' }), {
      name: 'a b.ics',
      component: 'VEVENT',
      starts: start,
      ends: start + 3600,
      line: `${TIME}|text/calendar|${text.length}|VEVENT|${start}|${start + 3600}|x%7C100%25`,
    });
  });

  it('are none of an object where there is none, or half of one', (t) => {
    for (const text of ['', 'BEGIN:VCALENDAR', 'BEGIN:VNOTE\r\nEND:VNOTE\r\n', 'text']) {
      const { component, starts, ends } = facts(t, calendar(text));
      assert.deepEqual([component, starts, ends], ['', null, null], text);
    }
    assert.equal(facts(t, { text: event('u') }).component, '', 'of another type');
  });

  it('name one kind for what holds several, and no bound for what never ends', (t) => {
    const two = event('u').replace('END:VCALENDAR', 'BEGIN:VTODO\r\nUID:u\r\nEND:VTODO\r\nEND:VCALENDAR');
    assert.equal(facts(t, calendar(two)).component, SEVERAL);
    const forever = facts(t, calendar(event('u', '20240501T100000Z', 'RRULE:FREQ=DAILY')));
    assert.deepEqual([forever.starts, forever.ends], [start, NO_BOUND]);
    assert.equal(facts(t, { type: 'text/vcard', text: 'BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n' }).component, 'VCARD');
  });

  it('have no line where only the whole content tells its size, until that may be read', (t) => {
    const plain = { format: 1, text: 'one\ntwo' };
    assert.equal(facts(t, plain).line, null);
    const read: TextOf = () => [Buffer.from('one\n'), Buffer.alloc(0), Buffer.from('two')];
    assert.equal(facts(t, plain, read).line?.split('|')[2], '8', 'with the end of the last line');
  });

  it('do not tell the size of what is too large to be read for it', (t) => {
    const w = messageWorld(t);
    const msgnum = saveIn(w, w.room('Box'), { format: 1 });
    const sizes = [BACKEND_MEASURED_BYTES, BACKEND_MEASURED_BYTES + 1].map((size) => {
      w.store.db.exec(`UPDATE blob SET size = ${size}`);
      return factsOf(w.store, msgnum, () => [Buffer.from('x\n')])!.line?.split('|')[2];
    });
    assert.deepEqual(sizes, ['2', '']);
  });
});

describe('facts that are kept', () => {
  it('are those that were given, of this message', (t) => {
    const w = messageWorld(t);
    const [one, other] = [saveIn(w, w.room('Box')), saveIn(w, w.room('Box'))];
    const before = storedFacts(w.store, other);
    const given = { name: 'n', component: 'VTODO', starts: -NO_BOUND, ends: NO_BOUND, line: null };
    w.store.db.exec(`DELETE FROM message_fact WHERE message = ${one}`);
    storeFacts(w.store, one, given);
    assert.deepEqual({ ...storedFacts(w.store, one) }, given);
    assert.deepEqual(storedFacts(w.store, other), before);
  });

  it('are nobody’s where there is no message', (t) => {
    const { store } = messageWorld(t);
    assert.deepEqual([storedFacts(store, 9), factsOf(store, 9)], [undefined, undefined]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { BACKEND_LIST_PAGE_ROWS, MAX_LIST_FIELDS, MAX_LIST_TEXT_BYTES } from '../../../src/limits/backend.ts';
import { world } from '../../support/five-messages.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { messageWorld, run } from '../../support/message-session.ts';

describe('MSGS modes', () => {
  it('1 and 9 give header rows, 9 with hashes', (t) => {
    const { rows } = world(t);
    const untimed = (args: string) => rows(args).map((row) => row.replace(/\|\d{9,}\|/, '|T|'));
    assert.deepEqual(untimed('ALL|||1'), [
      '1|T|ann|vm|ann@vm|Apples',
      '2|T|ann|vm|ann@vm|Pears',
      '3|T|ann|vm|ann@vm|',
      '4|T|ann|vm|ann@vm|Re: Apples',
      '5|T|ann|vm|ann@vm|Apples',
    ]);
    assert.match(untimed('ALL|||9')[0]!, /^1\|T\|ann\|vm\|ann@vm\|Apples\|-?\d+\|\|$/);
    assert.match(untimed('ALL|||9')[3]!, /\|Re: Apples\|-?\d+\|-1889379161,1311078934\|$/);
  });

  it('4 gives euid and time, others the number', (t) => {
    const { rows } = world(t);
    assert.match(rows('LAST|1||4')[0]!, /^5\|\|\d+$/);
    for (const mode of [0, 2, 7, 10]) assert.deepEqual(rows(`LAST|1||${mode}`), ['5']);
  });

  it('8 gives the columns the client names, and none for unknown names', (t) => {
    const { list, rows } = world(t);
    assert.equal(list('LAST|1||8', ''), '800 Send list of headers\n5\n000\n');
    assert.deepEqual(rows('FIRST|1||8', 'from\nSUBJ\nsubject\nbogus\nhnod\n'), ['1|ann|Apples|Apples|']);
    assert.match(rows('GT|3||8', 'wefw\nmsgn\n')[0]!, /^4\|first-ref@x\|second-ref@y\|[0-9A-F]{8}-00000004@vm$/);
    assert.equal(list('ALL|0|2', ''), '800 Send list of headers\n1\n2\n3\n4\n5\n000\n');
  });

  it('8 sends no line 000 from a body', (t) => {
    const { w, box, rows } = world(t);
    const body = finishedBody(w.store, 1, Buffer.from('a\n000\n000\r\nb\n'));
    saveMessage(w.store, {
      format: 1,
      author: 'x',
      path: 'x',
      address: '',
      room: 'Box',
      subject: '',
      body,
      rooms: [box.id],
    });
    assert.deepEqual(rows('LAST|1||8', 'text\n'), ['6|a', ' 000', ' 000\r', 'b', '']);
  });

  it('keep bars of subjects and ids out of the fields', (t) => {
    const { w, box, rows } = world(t);
    const body = finishedBody(w.store, 1, Buffer.from('x\n'));
    saveMessage(w.store, {
      format: 1,
      author: 'x',
      path: 'x',
      address: '',
      room: 'Box',
      subject: 'a|b',
      euid: 'c|d',
      body,
      rooms: [box.id],
    });
    assert.match(rows('LAST|1||1')[0]!, /\|a-b$/);
    assert.match(rows('LAST|1||4')[0]!, /^6\|c-d\|\d+$/);
  });
});

describe('MSGS with names of fields', () => {
  it('looks at MAX_LIST_FIELDS of them', (t) => {
    const { rows } = world(t);
    const columns = (count: number) => rows('LAST|1||8', 'subj\n'.repeat(count))[0]!.split('|').slice(1);
    for (const count of [MAX_LIST_FIELDS, MAX_LIST_FIELDS + 1]) {
      assert.deepEqual(columns(count), new Array(MAX_LIST_FIELDS).fill('Apples'), String(count));
    }
  });

  it('tells MAX_LIST_TEXT_BYTES of a text', (t) => {
    const { rows, session } = world(t);
    for (const count of [MAX_LIST_TEXT_BYTES, MAX_LIST_TEXT_BYTES + 1]) {
      run(session, ent0, '1|||0', `${'x'.repeat(count)}\n`);
      assert.equal(rows('LAST|1||8', 'text\n')[0]!.replace(/^\d+\|/, '').length, MAX_LIST_TEXT_BYTES, String(count));
    }
  });
});

describe('MSGS templates', () => {
  const templates: [string, string, string][] = [
    ['ALL|0|1', 'subj|apples\n', '15'],
    ['ALL|0|1', 'from|ann\nsubj|Apples\n', '15'],
    ['ALL|0|1', 'subj|Nothing\n', ''],
    ['ALL|0|1', '\n', '12345'],
    ['LAST|1|1', 'subj|Apples\n', '5'],
    ['LAST|1|1', 'subj|Pears\n', ''],
    ['GT|1|1', 'subj|Apples\n', '5'],
    ['FIRST|2|1', 'subj|Pears\n', '2'],
    ['FIRST|2|1', 'subj|Re: Apples\n', ''],
    ['ALL|0|1', 'subj|Pear\n', ''],
    ['ALL|0|1', 'bogus|x\n', '12345'],
    ['ALL|0|1', 'exti|\n', '12345'],
  ];
  it('list the messages that equal them', (t) => {
    const { list, rows } = world(t);
    assert.match(list('ALL|0|1', ''), /^800 Send template then receive message list\n/);
    for (const [args, template, numbers] of templates) assert.equal(rows(args, template).join(''), numbers, template);
    assert.match(rows('ALL|0|1|1', 'subj|Pears\n')[0]!, /^2\|\d+\|ann\|vm\|ann@vm\|Pears$/);
  });

  it('find a subject at the same cost in a room of any size', (t) => {
    const { w, session, box, rows } = world(t);
    const other = w.room('Other');
    session.room = other;
    run(session, ent0, '1|||4|Pears||1', 'Content-type: text/plain\n\nx\n');
    assert.deepEqual(rows('ALL|0|1', 'subj|Pears\n'), ['6']);
    session.room = box;
    // so that the numbers of the room reach behind the other message
    run(session, ent0, '1|||4|Plum||1', 'Content-type: text/plain\n\nx\n');
    const used = new Set<{ stat(counter: 'vmStep'): number }>();
    const prepare = w.store.prepare.bind(w.store);
    t.mock.method(w.store, 'prepare', (sql: string) => {
      const statement = prepare(sql);
      used.add(statement as unknown as { stat(counter: 'vmStep'): number });
      return statement;
    });
    const steps = () => [...used].reduce((sum, statement) => sum + statement.stat('vmStep'), 0);
    /** what SQLite does to find it */
    const cost = () => {
      const before = steps();
      assert.deepEqual(rows('ALL|0|1', 'subj|pears\n'), ['2']);
      return steps() - before;
    };
    cost();
    const small = cost();
    assert.ok(small > 0);
    for (let i = 0; i < 50; i++) run(session, ent0, `1|||4|Plum ${i}||1`, 'Content-type: text/plain\n\nx\n');
    assert.equal(cost(), small);
  });
});

describe('MSGS', () => {
  it('leaves others their turn, however many ranges of a read set are empty', (t) => {
    const { w, session, list, rows, seen } = world(t);
    w.store.db.exec("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'message'");
    run(session, ent0, '1|||4|Plum||1', 'Content-type: text/plain\n\nx\n');
    const odd = Array.from({ length: 2000 }, (_, i) => 2 * i + 101);
    seen(`1:5,${odd.join(',')}`);
    assert.deepEqual(rows('NEW'), ['5', '5001'], 'the last old one, and the new one');
    for (const selector of ['NEW', 'OLD']) {
      for (const mode of [0, 1, 4, 9]) {
        const { statements, text } = longestPiece(t, session, msgs, `${selector}|||${mode}`);
        assert.ok(statements <= 60, `${selector} ${mode}: ${statements}`);
        assert.equal(text, list(`${selector}|||${mode}`));
      }
    }
  });

  it('leaves others their turn among rows with many references', (t) => {
    const { w, session, list } = world(t);
    for (let i = 0; i < 30; i++)
      run(session, ent0, `1|||4|s||1|||||${'a!'.repeat(1000)}`, 'Content-type: text/plain\n\nx\n');
    const { lines, text } = longestPiece(t, session, msgs, 'ALL|||9');
    assert.ok(lines <= 11, String(lines));
    assert.equal(text, list('ALL|||9'));
    assert.deepEqual(w.faults, []);
  });

  it('reads a text once, however often it is named', (t) => {
    const { w, rows } = world(t);
    const read = t.mock.method(w.store, 'prepare').mock;
    const cost = (columns: number) => {
      const before = read.callCount();
      rows('LAST|1||8', 'text\n'.repeat(columns));
      return read.callCount() - before;
    };
    assert.equal(cost(MAX_LIST_FIELDS), cost(1));
  });
});

describe('a large room', () => {
  it('is listed in full, page by page, also while messages are deleted', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box');
    const count = 2 * BACKEND_LIST_PAGE_ROWS + 1;
    w.store.transaction(() => {
      for (let i = 1; i <= count; i++) {
        const body = finishedBody(w.store, 1, Buffer.from('x\n'));
        saveMessage(w.store, {
          format: 1,
          author: 'x',
          path: 'x',
          address: '',
          room: 'Box',
          subject: `${'s'.repeat(150)}${i}`,
          body,
          rooms: [box.id],
        });
      }
    });
    const session = w.session(undefined, box);
    const numbers = (reply: string) =>
      reply
        .split('\n')
        .slice(1, -2)
        .map((row) => Number(row.split('|')[0]));
    const all = Array.from({ length: count }, (_, i) => i + 1);
    for (const mode of [0, 9]) assert.deepEqual(numbers(run(session, msgs, `ALL|||${mode}`)), all);
    for (const limit of [BACKEND_LIST_PAGE_ROWS, BACKEND_LIST_PAGE_ROWS + 1]) {
      assert.deepEqual(numbers(run(session, msgs, `FIRST|${limit}`)), all.slice(0, limit));
    }
    const reply = msgs(session, 'ALL|||9');
    assert.ok(typeof reply === 'object' && 'stream' in reply);
    const pieces = reply.stream[Symbol.iterator]();
    let text = String(pieces.next().value);
    removeFromRoom(w.store, box.id, [count]);
    for (let next = pieces.next(); !next.done; next = pieces.next()) text += next.value;
    assert.deepEqual(numbers(text), all.slice(0, -1));
  });
});

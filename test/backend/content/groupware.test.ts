import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { dlat } from '../../../src/backend/verbs/reading.ts';
import { euid } from '../../../src/backend/verbs/search.ts';
import { BACKEND_INLINE_BYTES, MAX_EUID_BYTES } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

function world(t: TestContext, view: number) {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Room', view));
  /** number and euid of the confirmation */
  const post = (body: string, { subject = 'sent', format = 4, name = '' } = {}) => {
    const reply = run(session, ent0, `1|||${format}|${subject}||1|||${name}`, body).split('\n');
    return { number: Number(reply[1]), euid: reply[3] };
  };
  const rows = (mode: number) => run(session, msgs, `ALL|||${mode}`).split('\n').slice(1, -2);
  return { session, post, rows };
}

function calendar(...lines: string[]): string {
  return `Content-type: text/calendar; charset=utf-8\n\nBEGIN:VCALENDAR\n${lines.join('\n')}\nEND:VCALENDAR\n`;
}

describe('calendar and task rooms', () => {
  it('take id, subject and time from the event and keep the text as it is', (t) => {
    const { session, post, rows } = world(t, VIEW.calendar);
    const body = calendar(
      'BEGIN:VEVENT',
      'UID:event-1@x',
      'DTSTART:20261201T090000Z',
      'SUMMARY:Gr\u00f6\u00dfe\\, with comma',
      'END:VEVENT',
    );
    assert.deepEqual(post(body), { number: 1, euid: 'event-1@x' });
    assert.deepEqual(rows(4), ['1|event-1@x|1796115600']);
    assert.match(rows(1)[0]!, /\|=\?UTF-8\?B\?R3LDtsOfZSwgd2l0aCBjb21tYQ==\?=$/);
    assert.equal(run(session, euid, 'event-1@x'), '200 1\n');
    for (const id of ['EVENT-1@x', '', 'no']) assert.equal(run(session, euid, id), '575 not found\n');
    assert.equal(run(session, dlat, '1|1').split('\n').slice(1).join('\n'), body.slice(body.indexOf('\n\n') + 2));
  });

  it('replace the event with the same id', (t) => {
    const { post, rows } = world(t, VIEW.calendar);
    for (const start of ['20261201T090000', '20261202'])
      post(calendar('BEGIN:VEVENT', 'UID:a', `DTSTART:${start}`, 'END:VEVENT'));
    assert.deepEqual(rows(4), ['2|a|1796169600']);
  });

  it('prefer an event to a task, and skip what is inside of it', (t) => {
    const { post } = world(t, VIEW.tasks);
    const alarm = ['BEGIN:VALARM', 'UID:alarm', 'END:VALARM'];
    assert.equal(post(calendar('BEGIN:VTODO', ...alarm, 'UID:todo', 'END:VTODO')).euid, 'todo');
    assert.equal(post(calendar('BEGIN:VTODO', 'UID:t', 'END:VTODO', 'BEGIN:VEVENT', 'UID:e', 'END:VEVENT')).euid, 'e');
  });

  it('look into multiparts and encodings, and make an id where there is none', (t) => {
    const { post } = world(t, VIEW.calendar);
    const inner = Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:deep\nEND:VEVENT\nEND:VCALENDAR\n').toString(
      'base64',
    );
    const part = `Content-type: application/ics\nContent-transfer-encoding: base64\n\n${inner}\n`;
    const body = `Content-type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n${part}--b--\n`;
    assert.equal(post(body).euid, 'deep');
    assert.match(post(calendar('BEGIN:VEVENT', 'SUMMARY:x', 'END:VEVENT')).euid!, /^[0-9a-f-]{36}$/);
  });

  it('refuse other formats, take other types as messages, and refuse ids over the bound', (t) => {
    const { post } = world(t, VIEW.calendar);
    assert.equal(post('x\n', { format: 0 }).number, -3);
    assert.deepEqual(post('Content-type: text/plain\n\nx\n'), { number: 1, euid: '' });
    const withId = (length: number) => post(calendar('BEGIN:VEVENT', `UID:${'i'.repeat(length)}`, 'END:VEVENT')).number;
    assert.equal(withId(MAX_EUID_BYTES), 2);
    assert.equal(withId(MAX_EUID_BYTES + 1), -3);
  });

  it('cannot get a second line into a header from a summary', (t) => {
    const { post, rows } = world(t, VIEW.calendar);
    post(calendar('BEGIN:VEVENT', 'UID:a', 'SUMMARY:one\\ntwo', 'END:VEVENT'));
    assert.match(rows(1)[0]!, /\|one two$/);
  });
});

describe('address books', () => {
  const card = (...lines: string[]) =>
    `Content-type: text/vcard\n\nBEGIN:VCARD\nVERSION:3.0\n${lines.join('\n')}\nEND:VCARD\n`;

  it('take id and name from the card and do not rewrite it', (t) => {
    const { session, post, rows } = world(t, VIEW.addressBook);
    const body = card('UID:card-1@x', 'FN:Jane Roe', 'NOTE:first', '  folded');
    assert.deepEqual(post(body), { number: 1, euid: 'card-1@x' });
    assert.match(rows(1)[0]!, /\|Jane Roe$/);
    assert.equal(run(session, dlat, '1|1').split('\n').slice(1).join('\n'), body.slice(body.indexOf('\n\n') + 2));
    assert.equal(post(card('UID:card-1@x', 'FN:Jane Doe')).number, 2);
    assert.deepEqual(rows(0), ['2']);
  });

  it('make an id where there is none, and name by N where there is no FN', (t) => {
    const { post, rows } = world(t, VIEW.addressBook);
    assert.match(post(card('N:Roe;Jane;;;')).euid!, /^[0-9a-f-]{36}$/);
    assert.match(rows(1)[0]!, /\|Roe;Jane;;;$/);
  });
});

describe('notes', () => {
  const note = (...lines: string[]) =>
    `Content-type: text/vnote\n\nBEGIN:vnote\nVERSION:1.1\n${lines.join('\n')}\nEND:vnote\n`;

  it('take the id of the note, else that of the command, else none', (t) => {
    const { post, rows } = world(t, VIEW.notes);
    assert.equal(post(note('UID:note-1', 'SUMMARY:Buy milk')).euid, 'note-1');
    assert.equal(post(note('BODY:x'), { name: 'given' }).euid, 'given');
    assert.equal(post(note('BODY:x')).euid, '');
    assert.equal(post(note('UID:note-1', 'SUMMARY:Buy bread')).number, 4);
    assert.deepEqual(
      rows(4).map((row) => row.split('|').slice(0, 2).join()),
      ['2,given', '3,', '4,note-1'],
    );
    assert.deepEqual(
      rows(1).map((row) => row.split('|').at(-1)),
      ['sent', 'sent', 'Buy bread'],
    );
  });

  it('shorten a long summary', (t) => {
    const { post, rows } = world(t, VIEW.notes);
    post(note(`SUMMARY:${'a'.repeat(72)}`));
    post(note(`SUMMARY:${'a'.repeat(73)}`));
    assert.deepEqual(
      rows(1).map((row) => row.split('|').at(-1)),
      ['a'.repeat(72), `${'a'.repeat(68)}...`],
    );
  });
});

describe('wiki rooms', () => {
  const page = (text: string) => `Content-type: text/html\n\n${text}\n`;

  it('name pages by the euid and replace them', (t) => {
    const { session, post, rows } = world(t, VIEW.wiki);
    assert.deepEqual(post(page('first'), { name: '\u00dcber uns/a b' }), { number: 1, euid: '\u00dcber uns/a b' });
    assert.equal(post(page('other'), { name: 'Home' }).number, 2);
    assert.equal(post(page('lower'), { name: 'home' }).number, 3);
    assert.equal(post(page('second'), { name: 'Home' }).number, 4);
    assert.deepEqual(rows(0), ['1', '3', '4']);
    assert.equal(run(session, euid, '\u00dcber uns/a b'), '200 1\n');
    assert.match(rows(1)[2]!, /\|Home$/);
  });

  it('refuse a page without name and one that has not changed', (t) => {
    const { post, rows } = world(t, VIEW.wiki);
    assert.deepEqual(post(page('x')), { number: -3, euid: '' });
    const name = 'home';
    assert.equal(post(page('same'), { name }).number, 1);
    assert.deepEqual(post(page('same'), { name }), { number: -3, euid: 'home' });
    assert.equal(post(page('diff'), { name }).number, 2);
    assert.equal(post('text\n', { format: 0 }).number, 3);
    assert.deepEqual(rows(0), ['2', '3']);
  });
});

describe('a page that is refused', () => {
  it('leaves nothing behind, however large it is', (t) => {
    const { session, post } = world(t, VIEW.wiki);
    const count = () => Number(session.store.db.prepare('SELECT count(*) AS n FROM chunk').get()!.n);
    const page = `Content-type: text/html\n\n${'long line of a page\n'.repeat(BACKEND_INLINE_BYTES / 10)}`;
    assert.equal(post(page, { name: 'home' }).number, 1);
    const before = count();
    assert.equal(post(page, { name: 'home' }).number, -3);
    assert.equal(count(), before);
  });
});

describe('boards', () => {
  it('do not replace: the euid of the command counts for notes and pages only', (t) => {
    const { post, rows } = world(t, VIEW.board);
    for (const number of [1, 2]) assert.deepEqual(post('x\n', { format: 1, name: 'my-euid' }), { number, euid: '' });
    assert.deepEqual(rows(0), ['1', '2']);
  });
});

// MEMB read: a member with all that a GET of it needs.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setScheduleTag } from '../../../../src/backend/content/scheduling.ts';
import type { StoredRoom } from '../../../../src/backend/store/records.ts';
import { memb } from '../../../../src/backend/verbs/collection/members.ts';
import { ent0 } from '../../../../src/backend/verbs/posting.ts';
import { msg0, msg2 } from '../../../../src/backend/verbs/reading.ts';
import { MAX_CONTENT_WITH_MEMBER_BYTES } from '../../../../src/limits/backend.ts';
import { event, memberWorld } from '../../../support/member-world.ts';
import { run, runBytes } from '../../../support/message-session.ts';

function world(t: TestContext) {
  const members = memberWorld(t);
  const { inRoom } = members;
  const read = (room: StoredRoom, ...names: string[]) => {
    const bytes = runBytes(inRoom(room), memb, `read|${names.join('|')}`);
    const end = bytes.indexOf(10);
    const status = bytes.toString('utf8', 0, end);
    const [length, number, tag, ofLines, ofHeaders, ...part] = status.slice(4).split('|');
    if (!status.startsWith('600')) return { status };
    assert.equal(bytes.length - end - 1, Number(length));
    const [headersAt, contentAt] = [end + 1 + Number(ofLines), end + 1 + Number(ofLines) + Number(ofHeaders)];
    return {
      number: Number(number),
      tag,
      lines: bytes.toString('utf8', end + 1, headersAt),
      headers: bytes.toString('utf8', headersAt, contentAt),
      content: bytes.toString('utf8', contentAt),
      part,
    };
  };
  /** what a listing holds */
  const told = (room: StoredRoom, verb: typeof msg0, args: string) =>
    run(inRoom(room), verb, args)
      .replace(/^.*\n/, '')
      .replace(/000\n$/, '');
  return { ...members, read, told };
}

describe('MEMB read', () => {
  it('tells of a member what MSG0, MSG2 and DLAT tell, by any of its names', (t) => {
    const { put, read, told, calendar } = world(t);
    const number = put(calendar, { name: 'ü.ics', body: event('one') });
    const wanted = {
      number,
      tag: '',
      lines: told(calendar, msg0, `${number}|1`),
      headers: told(calendar, msg2, `${number}|1`),
      content: event('one'),
      part: ['', 'text/calendar', 'utf-8'],
    };
    for (const name of ['ü.ics', 'one', 'one.ics', String(number)]) assert.deepEqual(read(calendar, name), wanted);
    assert.deepEqual(read(calendar, 'nothing', 'one'), wanted);
  });

  it('tells the Schedule-Tag', (t) => {
    const { w, put, read, calendar } = world(t);
    const number = Number(put(calendar, { name: 'a', body: event('one') }));
    w.store.transaction(() => setScheduleTag(w.store, number, 7));
    assert.equal(read(calendar, 'a').tag, '7');
  });

  it('brings a content up to its bound, and no larger one', (t) => {
    const { put, read, files } = world(t);
    const [fits, larger] = [0, 1].map((more) => 'x'.repeat(MAX_CONTENT_WITH_MEMBER_BYTES + more));
    put(files, { name: 'fits', body: fits! });
    put(files, { name: 'larger', body: larger! });
    assert.deepEqual([read(files, 'fits').content, read(files, 'fits').part], [fits, ['', 'text/plain', '']]);
    assert.deepEqual([read(files, 'larger').content, read(files, 'larger').part], ['', ['', '', '']]);
  });

  it('brings no content of a message with several parts', (t) => {
    const { read, inRoom, calendar } = world(t);
    const multipart = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n';
    const number = run(inRoom(calendar), ent0, '1|||4|s||1', multipart).split('\n')[1]!;
    assert.deepEqual([read(calendar, number).content, read(calendar, number).part], ['', ['', '', '']]);
  });

  it('refuses what is not there, and what is in another room', (t) => {
    const { put, read, calendar, files } = world(t);
    const number = put(files, { name: 'a.txt', body: 'a' });
    for (const name of ['a.txt', String(number), '', '0']) {
      assert.match(read(calendar, name).status!, /^575 /);
    }
  });
});

// Messages as they are saved and found again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isAnyInRoom,
  messageByNumber,
  messageInRoom,
  messagesInRoom,
  nextNumber,
  numberFromEnd,
  numbersInRoom,
  postNotice,
  structureOf,
} from '../../../src/backend/store/messages.ts';
import { numberBefore, removeFromRoom } from '../../../src/backend/store/references.ts';
import { MAX_HEADER_TEXT_BYTES } from '../../../src/limits/backend.ts';
import { MAX_PART_FIELD_CHARACTERS } from '../../../src/limits/mime.ts';
import { decodeWords } from '../../../src/mime/coding/encoded-words.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

const EVERYTHING = { low: 1, high: Number.POSITIVE_INFINITY };

describe('a message that is saved', () => {
  it('has a number that no other ever had, and an id of this server', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box');
    const first = saveIn(w, box);
    assert.equal(nextNumber(w.store), first + 1);
    removeFromRoom(w.store, box.id, [first]);
    const second = saveIn(w, box);
    assert.equal(second, first + 1);
    const { msgid, time } = messageByNumber(w.store, second)!;
    assert.match(msgid, /^[0-9A-F]{8}-0000000\d@vm$/);
    assert.equal(Number.parseInt(msgid, 16), time);
  });

  it('keeps the id and the time that it had elsewhere', (t) => {
    const w = messageWorld(t);
    const { msgid, time } = messageByNumber(w.store, saveIn(w, w.room('Box'), { msgid: 'old@there', time: 5 }))!;
    assert.deepEqual([msgid, time], ['old@there', 5]);
  });

  it('has header fields of one line each, whatever was given', (t) => {
    const w = messageWorld(t);
    const odd = 'a\r\nBcc: x\0y';
    const id = saveIn(w, w.room('Box'), { author: odd, address: odd, subject: odd, recipients: odd, msgid: odd });
    const row = messageByNumber(w.store, id)!;
    for (const text of [row.author, row.address, row.subject, row.recipients, row.msgid]) {
      assert.equal(text, 'a Bcc: x y');
    }
  });

  it('has a subject of MAX_HEADER_TEXT_BYTES, and a longer one cut between letters', (t) => {
    const w = messageWorld(t);
    const kept = (subject: string) => messageByNumber(w.store, saveIn(w, w.room('Box'), { subject }))!.subject;
    const whole = 'x'.repeat(MAX_HEADER_TEXT_BYTES);
    assert.equal(kept(whole), whole);
    assert.equal(kept(`${whole}x`), 'x'.repeat(MAX_HEADER_TEXT_BYTES / 4));
    const letters = '𝄞'.repeat(MAX_HEADER_TEXT_BYTES / 4 + 1);
    assert.equal(decodeWords(kept(letters)), letters.slice(2));
  });

  it('is in each of its rooms once, and hides the author where one of them does', (t) => {
    const w = messageWorld(t);
    const [box, masked, ann] = [w.room('Box'), w.room('M', 0, { flags: ROOM_FLAG.anonymousOnly }), w.user('ann')];
    const id = saveIn(w, [box, masked, box], { authorUser: ann.id });
    assert.equal(messageInRoom(w.store, box.id, id)!.anonymous, 'only');
    assert.deepEqual([box.total, masked.total], [1, 1]);
    assert.equal(messageInRoom(w.store, w.room('Lobby').id, id), undefined);
    assert.equal(messageByNumber(w.store, saveIn(w, box, { authorUser: ann.id }))!.anonymous, 'no');
    assert.equal(messageByNumber(w.store, saveIn(w, masked))!.anonymous, 'no', 'what no user wrote hides nobody');
  });

  it('has the structure of its parts, without what its author could make long', (t) => {
    const w = messageWorld(t);
    const name = 'n'.repeat(MAX_PART_FIELD_CHARACTERS + 1);
    const part = structureOf(w.store, saveIn(w, w.room('Box'), { type: `text/plain; name="${name}"; x="y"` }))!;
    assert.deepEqual([part.name, part.params], [name.slice(1), {}]);
    assert.equal(structureOf(w.store, saveIn(w, w.room('Box'), { format: 1 })), undefined);
    assert.equal(structureOf(w.store, 99), undefined);
  });
});

describe('messages of a room', () => {
  it('are found by ranges of numbers, ascending, up to so many', (t) => {
    const w = messageWorld(t);
    const [box, other] = [w.room('Box'), w.room('Other')];
    for (const room of [box, other, box, box, other]) saveIn(w, room);
    const numbers = (low: number, high: number, limit: number) =>
      numbersInRoom(w.store, box.id, { low, high }, limit).map(({ id }) => id);
    assert.deepEqual(numbers(1, 9, 9), [1, 3, 4]);
    assert.deepEqual(numbers(2, Number.POSITIVE_INFINITY, 1), [3]);
    assert.deepEqual(numbers(3, 3, 9), [3]);
    assert.deepEqual(
      messagesInRoom(w.store, box.id, EVERYTHING, 9).map(({ id }) => id),
      [1, 3, 4],
    );
    assert.deepEqual(
      [5, 4, 3, 1].map((msgnum) => numberBefore(w.store, box.id, msgnum)),
      [4, 3, 1, undefined],
    );
    assert.deepEqual(
      [1, 3, 4].map((count) => numberFromEnd(w.store, box.id, count)),
      [4, 1, undefined],
    );
  });

  it('are known by their message ids, in this room', (t) => {
    const w = messageWorld(t);
    const [box, other] = [w.room('Box'), w.room('Other')];
    saveIn(w, box, { msgid: 'a@x' });
    assert.equal(isAnyInRoom(w.store, box.id, ['none', 'a@x']), true);
    assert.equal(isAnyInRoom(w.store, box.id, ['A@x', '']), false);
    assert.equal(isAnyInRoom(w.store, other.id, ['a@x']), false);
    assert.equal(isAnyInRoom(w.store, box.id, []), false);
  });
});

it('a notice of the server is a text by nobody who could be answered', (t) => {
  const w = messageWorld(t);
  const row = messageByNumber(w.store, postNotice(w.store, w.room('Box').id, 'Grüße', 'text\n\n'))!;
  assert.deepEqual([row.author, row.address, row.author_user, row.room], ['Vestibule', '', null, 'Box']);
  assert.equal(decodeWords(row.subject), 'Grüße');
});

// Each thing that may be wrong in a database is told, alone: what is damaged here is taken back before the next.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { FileWriter } from '../../../src/backend/store/room-files.ts';
import { messageWorld } from '../../support/message-session.ts';

it('a check tells each fault of a database, and none of one that is sound', (t) => {
  const { store, room } = messageWorld(t);
  const [box, other] = [room('Box'), room('Other')];
  const post = (text: string, rooms: number[]) => {
    const body = finishedBody(store, 1, Buffer.from(text));
    const message = { format: 1, author: 'ann', path: 'ann', address: '', room: 'Box', subject: 'words of it' };
    return saveMessage(store, { ...message, body, rooms });
  };
  const [one, two] = [post('first\n', [box.id]), post('second\n', [box.id, other.id])];
  const file = new FileWriter(store, { room: box.id, name: 'a', type: 'text/plain', comment: '' });
  file.append(Buffer.from('file'));
  store.transaction(() => file.finish());
  const bodyOf = (id: number) => Number(store.db.prepare('SELECT blob FROM message WHERE id = ?').get(id)!.blob);
  const [body, last] = [bodyOf(one), bodyOf(two)];
  // messages on their way to a room, see staging.ts
  store.db.exec(`INSERT INTO room (name, key, flags, floor, sort_order, view, created, changed, dropped)
    VALUES ('stage', 'stage', 0, 0, 0, 0, 0, 0, 2)`);
  assert.deepEqual([...findFaults(store)], []);

  const indexAgain = (id: number, rooms: string) =>
    `DELETE FROM message_text WHERE rowid = ${id};
     INSERT INTO message_text (rowid, subject, author, body, rooms)
     VALUES (${id}, 'words of it', 'ann', 'second', '${rooms}')`;
  const damages: [string, RegExp[]][] = [
    [`UPDATE room SET total = 3 WHERE id = ${box.id}`, [/^a room counts its messages wrongly: room \d+, total 3, /]],
    [`UPDATE room SET highest = ${one} WHERE id = ${box.id}`, [/^a room counts its messages wrongly: .*highest 1, /]],
    [
      `UPDATE room SET password = 'sesame' WHERE id = ${box.id}`,
      [/^a room keeps a password that can be read: room \d+$/],
    ],
    [
      `UPDATE room SET look_key = 'bax' WHERE id = ${box.id}`,
      [/^a name is not found by what it looks like: room \d+$/],
    ],
    [`UPDATE room_file SET size = 5`, [/^a file of a room is not of its size: file \d+, size 5, bytes 4$/]],
    [`UPDATE room_file_chunk SET seq = 1`, [/^a file of a room is not of its size: /]],
    [
      `UPDATE chunk SET seq = 1 WHERE blob = ${body}`,
      [/^a body is not of its size: /, /^the text of message 1 cannot/],
    ],
    [`UPDATE blob SET size = 3 WHERE id = ${body}`, [/^a body is not of its size: /, /^a body is not what it was/]],
    [
      `UPDATE chunk SET data = CAST('First' || x'0A' AS BLOB) WHERE blob = ${body}`,
      [/^a body is not what it was: body/],
    ],
    [`UPDATE blob SET complete = 0 WHERE id = ${body}`, [/^a message has a body that is not complete: message 1, /]],
    [`UPDATE message SET blob = ${last} WHERE id = ${one}`, [/^no message has this body: body \d+$/]],
    [`DELETE FROM message_text WHERE rowid = ${one}`, [/^a message is not in the index: message 1$/, /in room/]],
    [
      `DELETE FROM room_message WHERE message = ${one}; UPDATE room SET total = 1 WHERE id = ${box.id}`,
      [/^a message is in no room and in no history: message 1$/, /^the index has a message that is in no room/],
    ],
    [indexAgain(two, `r${box.id}`), [/^the index does not know that message 2 is in room \d+$/]],
    [indexAgain(two, ''), [/^the index does not know that message 2/, /^the index does not know that message 2/]],
    [`UPDATE message SET subject = 'words' WHERE id = ${one}`, [/^the index has other words than message 1$/]],
    [`UPDATE message SET author = 'ann b' WHERE id = ${one}`, [/^the index has other words than message 1$/]],
    [
      `INSERT INTO visit (user, room, state) VALUES (98, ${box.id}, 'known')`,
      [/^a row refers to what is not there: table visit, /],
    ],
    [
      `INSERT INTO session_key (hash, user, used) VALUES ('x', 98, 1)`,
      [/^a row refers to what is not there: table session_key, /],
    ],
    [
      `PRAGMA ignore_check_constraints = ON; UPDATE message SET anonymous = 'x' WHERE id = ${one};
       PRAGMA ignore_check_constraints = OFF`,
      [/^the database is damaged: CHECK constraint failed in message$/, /^the index has other words than message 1$/],
    ],
  ];
  for (const [sql, expected] of damages) {
    store.db.exec(`BEGIN; PRAGMA defer_foreign_keys = ON; ${sql}`);
    const faults = [...findFaults(store)];
    store.db.exec('ROLLBACK');
    const told = JSON.stringify(faults);
    for (const fault of expected)
      assert.ok(
        faults.some((line) => fault.test(line)),
        `${sql}\n${fault}\n${told}`,
      );
    for (const line of faults)
      assert.ok(
        expected.some((fault) => fault.test(line)),
        `${sql}\n${told}`,
      );
  }
  assert.deepEqual([...findFaults(store)], []);
});

// Names that a room can be given through HTTP.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { acceptedRoomName } from '../../src/gateway/paths.ts';
import { MAX_ROOM_NAME_BYTES } from '../../src/limits/backend.ts';

const isRefused = { code: 'bad_request' };

it('a name is sent folded: blanks around it and between its words count once', () => {
  for (const name of ['Box', 'a/b', 'Größe ☕', '日本語', '12', '_x_y_', '...'])
    assert.equal(acceptedRoomName(name), name);
  assert.equal(acceptedRoomName('  A   b '), 'A b');
  assert.equal(acceptedRoomName('e\u0301'), 'é');
});

it('it is as long as room servers keep it', () => {
  const longest = 'x'.repeat(MAX_ROOM_NAME_BYTES);
  assert.equal(acceptedRoomName(longest), longest);
  assert.throws(() => acceptedRoomName(`${longest}x`), isRefused);
  assert.throws(() => acceptedRoomName('é'.repeat(MAX_ROOM_NAME_BYTES / 2 + 1)), isRefused);
});

it('it is nothing that means something else in an address or to the room server', () => {
  const names = ['', ' ', '.', '..', '_MAIL_', '_sent_', '_BASEROOM_', '0000000002.Mail', 'a|b', 'a\nb', 'a\0'];
  for (const name of names) assert.throws(() => acceptedRoomName(name), isRefused, JSON.stringify(name));
});

it('it is nothing that people cannot tell from another name', () => {
  for (const name of ['Lob\u200Bby', 'Lobby\u202E', 'Lоbby']) {
    assert.throws(() => acceptedRoomName(name), isRefused, JSON.stringify(name));
  }
});

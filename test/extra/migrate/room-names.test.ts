// Names and passwords of rooms that cannot be made on the target as they are.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Room } from '../../../src/extra/migrate/model.ts';
import { openNameBook, withKnownPassword } from '../../../src/extra/migrate/room-names.ts';
import { ROOM_FLAG } from '../../../src/model.ts';

function room(name: string, more: Partial<Room> = {}): Room {
  return { name, flags: 0, floor: 0, order: 0, flags2: 0, view: 0, password: '', directory: '', admin: '', ...more };
}

const book = () =>
  openNameBook([room('Garden'), room('Vault', { flags: ROOM_FLAG.private }), room('0000000002.Attic')]);

describe('a room that is copied', () => {
  it('is made under a name that looks like no public one', () => {
    const names = book();
    for (const name of ['Cellar', 'Gardens', 'L0bby', '0000000003.Garden']) names.requireFree(room(name));
    for (const name of ['GARDEN', 'Gаrdеn', 'Garden\u200B']) {
      assert.throws(() => names.requireFree(room(name)), { code: 'conflict' }, name);
    }
  });

  it('is told which room its name looks like', () => {
    assert.throws(() => book().requireFree(room('Garden\u200B')), {
      code: 'conflict',
      message: /^A name cannot contain invisible characters.* Rename it, and copy again\.$/,
    });
    const names = openNameBook([room('Lobby')]);
    assert.throws(() => names.requireFree(room('L0bby')), {
      code: 'conflict',
      message: 'The name looks like that of the room Lobby. Rename it, and copy again.',
    });
  });

  it('may look like a private room or a personal one: whoever is told would learn of it', () => {
    book().requireFree(room('V4ult'));
    book().requireFree(room('Att1c'));
    book().requireFree(room('OOOOOOOOO2.Attic'));
  });

  it('counts from when it is there', () => {
    const names = book();
    names.requireFree(room('Cellar'));
    names.add(room('Cellar'));
    assert.throws(() => names.requireFree(room('Ce11ar')), { code: 'conflict' });
    names.requireFree(room('0000000002.Ce11ar'));
  });

  it('has single blanks only, in a personal name behind the number, too', () => {
    for (const name of ['a  b', ' a', '0000000002.a  b']) {
      assert.throws(() => book().requireFree(room(name)), { message: /^A name has single spaces/ }, name);
    }
  });
});

describe('a room with a password', () => {
  const locked = ROOM_FLAG.permanent | ROOM_FLAG.private | ROOM_FLAG.password;

  it('is by invitation where its password is neither known nor kept', () => {
    const hashed = room('A', { flags: locked, passwordHash: 'scrypt$x' });
    const { room: made, lost } = withKnownPassword(hashed, false);
    assert.equal(made.flags, ROOM_FLAG.permanent | ROOM_FLAG.private);
    assert.equal(lost, 'its password, which cannot be read: it is invitation only now');
    assert.equal(hashed.flags, locked, 'what was read stays as it is');
    assert.equal(withKnownPassword(room('A', { flags: locked }), true).lost, lost);
  });

  it('keeps it where it is known, or the hash of it where the target takes hashes', () => {
    for (const [given, canKeepHash] of [
      [room('A', { flags: locked, password: 'sesame' }), false],
      [room('A', { flags: locked, passwordHash: 'scrypt$x' }), true],
      [room('A', { flags: ROOM_FLAG.private }), false],
    ] as const) {
      assert.deepEqual(withKnownPassword(given, canKeepHash), { room: given, lost: '' });
    }
  });
});

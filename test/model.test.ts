// Nouns that all layers share: what follows from the numbers of the protocol.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCESS, EUID_VIEWS, holdsFiles, LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../src/model.ts';

describe('a room of files', () => {
  it('is one by its view, or an ordinary one with a directory', () => {
    assert.equal(holdsFiles({ defaultView: VIEW.files, flags: 0 }), true);
    assert.equal(holdsFiles({ defaultView: VIEW.board, flags: ROOM_FLAG.directory }), true);
    assert.equal(holdsFiles({ defaultView: VIEW.board, flags: ROOM_FLAG.upload | ROOM_FLAG.download }), false);
  });

  it('is none whose members are named by UID, directory or not', () => {
    for (const defaultView of EUID_VIEWS) assert.equal(holdsFiles({ defaultView, flags: ROOM_FLAG.directory }), false);
  });
});

it('flags are single bits, each of its own', () => {
  for (const flags of [ROOM_FLAG, ROOM_FLAG2, ACCESS]) {
    const values = Object.values(flags);
    for (const value of values) assert.equal(value & (value - 1), 0, String(value));
    assert.equal(new Set(values).size, values.length);
  }
});

it('levels and views count up from 0', () => {
  for (const numbers of [LEVEL, VIEW]) assert.deepEqual(Object.values(numbers), [...Object.keys(numbers).keys()]);
});

// Rooms as resources.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { roomResource } from '../../src/dav/room-resource.ts';
import { ROOM_FLAG, VIEW } from '../../src/model.ts';

const room = (defaultView: number, flags = 0, mtime = 0) =>
  roomResource('/svc/r/A/', { name: 'A', flags, defaultView, mtime });

it('A room is a collection of the kind that its view says', () => {
  assert.deepEqual(
    [VIEW.calendar, VIEW.tasks, VIEW.addressBook, VIEW.files, VIEW.board].map((view) => room(view).collection),
    ['calendar', 'tasks', 'addressbook', 'files', 'messages'],
  );
  assert.equal(room(VIEW.board, ROOM_FLAG.directory).collection, 'files', 'elsewhere a directory says so');
});

it('A personal room is the caller’s own', () => {
  assert.deepEqual([room(VIEW.board).isOwn, room(VIEW.board, ROOM_FLAG.personal).isOwn], [false, true]);
});

it('What is not known of it is not told', () => {
  const { modified, token, dead, privileges } = room(VIEW.calendar);
  assert.deepEqual([modified, token, dead, privileges], [undefined, undefined, undefined, undefined]);
  assert.equal(room(VIEW.calendar, 0, 7).modified, 7);
  const asked = roomResource('/x/', { name: 'A', flags: 0, defaultView: VIEW.board, mtime: 0 }, { token: 'data:,1' });
  assert.deepEqual([asked.token, asked.href, asked.displayName], ['data:,1', '/x/', 'A']);
});

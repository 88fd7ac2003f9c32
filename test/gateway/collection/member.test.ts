// What kind of collection a room is, and the addresses of its members.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memberHref } from '../../../src/gateway/paths.ts';
import { collectionKind, componentsIn, holdsObjects, isFolder, ROOM_FLAG, VIEW } from '../../../src/model.ts';

it('a room is what its default view says; one with a directory is a folder, unless it knows UIDs', () => {
  const kinds = Object.entries(VIEW).map(([name, defaultView]) => [name, collectionKind({ defaultView, flags: 0 })]);
  assert.deepEqual(Object.fromEntries(kinds.filter(([, kind]) => kind !== 'messages')), {
    ...{ addressBook: 'addressbook', calendar: 'calendar', tasks: 'tasks', notes: 'notes', wiki: 'wiki' },
    files: 'files',
  });
  assert.equal(collectionKind({ defaultView: VIEW.board, flags: ROOM_FLAG.directory }), 'files');
  assert.equal(collectionKind({ defaultView: VIEW.calendar, flags: ROOM_FLAG.directory }), 'calendar');
  assert.equal(collectionKind({ defaultView: 999, flags: 0 }), 'messages');
});

it('calendars, task lists and address books hold objects, of which a calendar takes one kind', () => {
  const kinds = ['calendar', 'tasks', 'addressbook', 'notes', 'wiki', 'files', 'messages'] as const;
  assert.deepEqual(kinds.filter(holdsObjects), ['calendar', 'tasks', 'addressbook']);
  assert.deepEqual(
    kinds.map((kind) => componentsIn(kind).join()),
    ['VEVENT', 'VTODO', '', '', '', '', ''],
  );
});

it('the address of a member is its name, encoded; a slash leads into a folder in a files room only', () => {
  const href = (name: string, kind: 'files' | 'messages') => memberHref('/r/Box/', { name }, kind);
  assert.equal(href('a.ics', 'messages'), '/r/Box/a.ics');
  assert.equal(href('a b@c', 'messages'), '/r/Box/a%20b%40c');
  assert.equal(href('a/ü', 'messages'), '/r/Box/a%2F%C3%BC');
  assert.equal(href('a/ü', 'files'), '/r/Box/a/%C3%BC');
  assert.equal(href('a/b/', 'files'), '/r/Box/a/b/');
  assert.equal(href('a b/ü@%.txt', 'files'), '/r/Box/a%20b/%C3%BC%40%25.txt');
  assert.equal(memberHref('/svc/r/F/', { name: 'a/b' }, 'calendar'), '/svc/r/F/a%2Fb');
  assert.deepEqual([isFolder({ name: 'a/' }), isFolder({ name: 'a/b' })], [true, false]);
});

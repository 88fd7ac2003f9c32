// Addresses of files, and the order of a folder.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addressOf, parseFileRoute, wayTo } from '../../../../static/kinds/files/routes.js';
import { fileIcon, lookOf, sorted } from '../../../../static/kinds/files/types.js';

const segments = (address: string) => address.split('/').slice(3).map(decodeURIComponent);

it('a path comes back from its address, whatever it is made of', () => {
  for (const path of ['', 'Minutes/', 'a b/ä#?%/', 'x/May 50%.odt', 'file']) {
    const page = path === '' || path.endsWith('/') ? 'folder' : 'file';
    assert.deepEqual(parseFileRoute(segments(addressOf('R/1', path))), { page, path });
  }
  assert.deepEqual(parseFileRoute(['12']), { page: 'message', msgnum: 12 });
  assert.equal(parseFileRoute(['file']), undefined);
  assert.equal(parseFileRoute(['what', 'x']), undefined);
});

it('the way to a folder leads through those above it', () => {
  assert.deepEqual(wayTo('R', 'a/b c/'), [
    { label: 'R', href: '#/r/R' },
    { label: 'a', href: '#/r/R/folder/a' },
    { label: 'b c', href: '#/r/R/folder/a/b%20c' },
  ]);
});

it('folders come first, names in the order in which people count', () => {
  const make = (name: string, isFolder: boolean, size: number, time: number) => ({ name, isFolder, size, time });
  const files = [make('10.txt', false, 1, 3), make('z', true, 0, 1), make('2.txt', false, 5, 2), make('a', true, 0, 2)];
  const names = (key: 'name' | 'size' | 'time', isDown: boolean) => sorted(files, key, isDown).map(({ name }) => name);
  assert.deepEqual(names('name', false), ['a', 'z', '2.txt', '10.txt']);
  assert.deepEqual(names('name', true), ['z', 'a', '10.txt', '2.txt']);
  assert.deepEqual(names('size', true), ['z', 'a', '2.txt', '10.txt']);
  assert.deepEqual(names('time', true), ['a', 'z', '10.txt', '2.txt']);
});

it('the name says what a file is before its sender does', () => {
  assert.equal(lookOf({ name: 'a.png', type: 'application/octet-stream' }), 'image');
  assert.equal(lookOf({ name: 'a.pdf', type: 'text/plain' }), 'other');
  assert.equal(lookOf({ name: 'README', type: 'text/plain; charset=utf-8' }), 'text');
  assert.equal(lookOf({ name: 'x.constructor', type: 'application/x' }), 'other');
  assert.equal(fileIcon({ name: 'a.png', type: '', isFolder: true }), 'folder');
});

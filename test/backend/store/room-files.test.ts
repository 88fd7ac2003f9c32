// Files of directory rooms: seen when they are whole, read at any offset.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import {
  bytesOfFiles,
  countFiles,
  dropUnfinishedFiles,
  FileWriter,
  fileNamed,
  filesOf,
  moveFile,
  readFile,
  removeFile,
} from '../../../src/backend/store/room-files.ts';
import { BACKEND_CHUNK_BYTES, BACKEND_SWEEP_BYTES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';

function world(t: TestContext) {
  const { store, room } = messageWorld(t);
  const [box, other] = [room('Box').id, room('Other').id];
  const begin = (name: string, where = box) =>
    new FileWriter(store, { room: where, name, type: 'text/plain', comment: 'c' });
  const put = (name: string, bytes: Buffer) => {
    const writer = begin(name);
    for (let at = 0; at < bytes.length; at += 50_000) writer.append(bytes.subarray(at, at + 50_000));
    store.transaction(() => writer.finish());
    return writer.id;
  };
  const chunks = () => Number(store.prepare('SELECT count(*) AS n FROM room_file_chunk').get()!.n);
  return { store, box, other, begin, put, chunks };
}

function bytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
}

describe('a file of a room', () => {
  it('is there when it is whole, by its exact name', (t) => {
    const { store, box, other, begin } = world(t);
    const writer = begin('a.txt');
    writer.append(Buffer.from('text'));
    assert.deepEqual([fileNamed(store, box, 'a.txt'), filesOf(store, box), countFiles(store, box)], [undefined, [], 1]);
    store.transaction(() => writer.finish());
    const { size, type, comment } = fileNamed(store, box, 'a.txt')!;
    assert.deepEqual([size, type, comment, writer.size], [4, 'text/plain', 'c', 4]);
    assert.deepEqual([fileNamed(store, box, 'A.txt'), fileNamed(store, other, 'a.txt')], [undefined, undefined]);
  });

  it('is read at any offset, over the ends of chunks', (t) => {
    const { store, put } = world(t);
    const content = bytes(2 * BACKEND_CHUNK_BYTES + 10);
    const id = put('a', content);
    for (const [offset, count] of [
      [0, content.length],
      [0, 1],
      [BACKEND_CHUNK_BYTES - 1, 2],
      [BACKEND_CHUNK_BYTES, BACKEND_CHUNK_BYTES],
      [content.length - 3, 100],
      [content.length, 5],
    ] as const) {
      const part = readFile(store, id, offset, count);
      assert.ok(part.equals(content.subarray(offset, offset + count)), `${count} from ${offset}`);
    }
  });

  it('may be empty', (t) => {
    const { store, box, put } = world(t);
    const id = put('empty', Buffer.alloc(0));
    assert.equal(fileNamed(store, box, 'empty')!.size, 0);
    assert.equal(readFile(store, id, 0, 10).length, 0);
  });

  it('moves to another room', (t) => {
    const { store, box, other, put } = world(t);
    const id = put('a', bytes(10));
    moveFile(store, id, other);
    assert.deepEqual([filesOf(store, box).length, filesOf(store, other).map(({ name }) => name)], [0, ['a']]);
    assert.equal(readFile(store, id, 0, 10).length, 10);
  });

  it('goes at once while it is small, and in pieces where it is large', (t) => {
    const { store, box, put, chunks } = world(t);
    put('b', bytes(1));
    const large = put('a', Buffer.alloc(BACKEND_CHUNK_BYTES));
    let garbage = 0;
    store.onGarbage = () => garbage++;
    removeFile(store, large, BACKEND_SWEEP_BYTES);
    assert.deepEqual([garbage, chunks(), filesOf(store, box).map(({ name }) => name)], [0, 1, ['b']]);
    const larger = put('a', Buffer.alloc(BACKEND_CHUNK_BYTES));
    removeFile(store, larger, BACKEND_SWEEP_BYTES + 1);
    assert.deepEqual([garbage, chunks(), countFiles(store, box)], [1, 2, 1]);
    while (sweepSome(store));
    assert.equal(chunks(), 1);
  });
});

describe('files', () => {
  it('are listed by name, and their bytes counted over all rooms', (t) => {
    const { store, box, other, begin, put } = world(t);
    put('b', bytes(3));
    put('a', bytes(4));
    const elsewhere = begin('c', other);
    elsewhere.append(bytes(5));
    store.transaction(() => elsewhere.finish());
    assert.deepEqual(
      filesOf(store, box).map(({ name }) => name),
      ['a', 'b'],
    );
    assert.equal(bytesOfFiles(store), 12);
  });

  it('whose upload did not end go at the next start, and no others', (t) => {
    const { store, box, begin, put, chunks } = world(t);
    put('whole', bytes(3));
    begin('half').append(Buffer.alloc(BACKEND_CHUNK_BYTES));
    let garbage = 0;
    store.onGarbage = () => garbage++;
    dropUnfinishedFiles(store);
    assert.equal(countFiles(store, box), 1);
    while (sweepSome(store));
    assert.deepEqual([chunks(), garbage], [1, 1]);
    dropUnfinishedFiles(store);
    assert.equal(garbage, 1, 'nothing is left to be removed');
  });

  it('that are given up leave nothing', (t) => {
    const { box, store, begin, chunks } = world(t);
    const writer = begin('a');
    writer.append(Buffer.alloc(BACKEND_CHUNK_BYTES * 2));
    writer.abort();
    assert.deepEqual([countFiles(store, box), chunks()], [0, 0]);
  });
});

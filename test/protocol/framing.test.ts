// Replies as a room server sends them, whole, byte by byte and cut at random places.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { MAX_LINE_BYTES, MAX_LISTING_BYTES, MAX_LISTING_LINES } from '../../src/limits/protocol.ts';
import { binaryLength, ListingReader, ListingStream, readStatus } from '../../src/protocol/framing.ts';
import { ByteQueue } from '../../src/protocol/lines.ts';
import { newSeed, waysToCut } from '../support/random.ts';

const SEED = newSeed();
const cuttings = (bytes: Buffer) => waysToCut(bytes, SEED);

function readListing(pieces: Buffer[]): { lines: string[] | undefined; rest: string } {
  const queue = new ByteQueue();
  const reader = new ListingReader();
  let lines: string[] | undefined;
  for (const piece of pieces) {
    queue.push(piece);
    lines ??= reader.read(queue);
  }
  return { lines, rest: queue.view().toString() };
}

function streamListing(pieces: Buffer[]): { text: string; isEnded: boolean; rest: string } {
  const queue = new ByteQueue();
  const stream = new ListingStream();
  let text = '';
  let isEnded = false;
  for (const piece of pieces) {
    queue.push(piece);
    while (!isEnded) {
      const next = stream.read(queue);
      if (next === undefined) break;
      if (next === 'end') isEnded = true;
      else text += next.toString('latin1');
    }
  }
  return { text, isEnded, rest: queue.view().toString() };
}

const LISTINGS: [name: string, content: string, lines: string[]][] = [
  ['ends at a line that is exactly 000', 'one\ntwo\n', ['one', 'two']],
  ['may be empty', '', []],
  ['keeps empty lines', '\n\na\n\n', ['', '', 'a', '']],
  ['is not ended by lines that resemble 000', '000 \n 000\n0000\n00\nx000\n', ['000 ', ' 000', '0000', '00', 'x000']],
  ['is not ended by 000 with a CR', '000\r\nafter\r\n', ['000\r', 'after\r']],
];

describe(`a listing (seed ${SEED})`, () => {
  for (const [name, content, lines] of LISTINGS) {
    it(name, () => {
      for (const pieces of cuttings(Buffer.from(`${content}000\nnext reply\n`))) {
        assert.deepEqual(readListing(pieces), { lines, rest: 'next reply\n' });
        assert.deepEqual(streamListing(pieces), { text: content, isEnded: true, rest: 'next reply\n' });
      }
    });
  }

  it('is not complete before its end has come', () => {
    assert.equal(readListing([Buffer.from('one\n00')]).lines, undefined);
    assert.equal(readListing([Buffer.from('one\n000')]).lines, undefined);
    assert.equal(streamListing([Buffer.from('000')]).isEnded, false);
  });

  it('keeps characters whole that arrive in two pieces', () => {
    const bytes = Buffer.from('Grüße 日本語\n000\n');
    for (const pieces of cuttings(bytes)) assert.deepEqual(readListing(pieces).lines, ['Grüße 日本語']);
  });

  it('passes bytes on that are no text', () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128, 10]);
    for (const pieces of cuttings(Buffer.concat([bytes, Buffer.from('000\n')]))) {
      assert.equal(streamListing(pieces).text, bytes.toString('latin1'));
    }
  });

  it('may have a line of MAX_LINE_BYTES, and no longer one', () => {
    const read = (length: number) => {
      const queue = new ByteQueue();
      const reader = new ListingReader();
      queue.push(Buffer.alloc(length, 'x'));
      return reader.read(queue);
    };
    assert.equal(read(MAX_LINE_BYTES), undefined);
    assert.throws(() => read(MAX_LINE_BYTES + 1), isViolation);
  });

  it('may have MAX_LISTING_LINES when it is collected, and no more', () => {
    const read = (count: number) => readListing([Buffer.from(`${'\n'.repeat(count)}000\n`)]).lines?.length;
    assert.equal(read(MAX_LISTING_LINES), MAX_LISTING_LINES);
    assert.throws(() => read(MAX_LISTING_LINES + 1), isViolation);
  });

  it('may have MAX_LISTING_BYTES when it is collected, and no more', () => {
    const line = Buffer.from(`${'x'.repeat(MAX_LINE_BYTES - 1)}\n`);
    const whole = new Array<Buffer>(MAX_LISTING_BYTES / line.length).fill(line);
    assert.equal(readListing([...whole, Buffer.from('000\n')]).lines?.length, whole.length);
    assert.throws(() => readListing([...whole, Buffer.from('\n')]), isViolation);
  });

  it('streams lines of any length', () => {
    const line = `${'x'.repeat(3 * MAX_LINE_BYTES)}\n`;
    assert.equal(streamListing(cut(Buffer.from(`${line}000\n`), 1000)).text, line);
  });
});

describe('a status line', () => {
  const read = (text: string) => {
    const queue = new ByteQueue();
    queue.push(Buffer.from(text));
    return readStatus(queue);
  };

  it('has a code, a flag and a text', () => {
    assert.deepEqual(read('200*Lobby|1\n'), { code: 200, hasInstantMessages: true, text: 'Lobby|1' });
    assert.deepEqual(read('200 ok\r\n'), { code: 200, hasInstantMessages: false, text: 'ok' });
    assert.deepEqual(read('100\n'), { code: 100, hasInstantMessages: false, text: '' });
  });

  it('waits for its end', () => assert.equal(read('200 o'), undefined));

  it('is not an asynchronous message: those are skipped', () => {
    assert.equal(read('902 instant msg\n200 ok\n')?.text, 'ok');
    const notices: string[] = [];
    const queue = new ByteQueue();
    queue.push(Buffer.from('902 instant msg\n903 Lobby|7|8|\n20'));
    assert.equal(
      readStatus(queue, ({ code, text }) => notices.push(`${code} ${text}`)),
      undefined,
    );
    assert.deepEqual(notices, ['902 instant msg', '903 Lobby|7|8|']);
  });

  it('breaks the connection when it is none', () => {
    for (const text of ['hello\n', '\n', '20 ok\n', '000\n', '099 x\n']) assert.throws(() => read(text), isViolation);
  });

  it('breaks the connection when it never ends', () => {
    assert.equal(read('2'.repeat(MAX_LINE_BYTES)), undefined);
    assert.throws(() => read('2'.repeat(MAX_LINE_BYTES + 1)), isViolation);
  });

  it('announces the number of bytes that follow', () => {
    assert.equal(binaryLength(read('600 70|-1|a.png|image/png|\n')!), 70);
    assert.equal(binaryLength(read('600 0\n')!), 0);
    for (const text of ['600 -1|x\n', '600 \n', '600 abc\n', '600 99999999999999999\n']) {
      assert.throws(() => binaryLength(read(text)!), isViolation);
    }
  });
});

function cut(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

function isViolation(error: unknown): boolean {
  return error instanceof AppError && error.code === 'backend_protocol';
}

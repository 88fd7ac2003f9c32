// A text costs by its bytes, however many lines they make: what takes a text off the wire, looks at it, stores it and
// shows it again. In steps (test/support/steps.ts), beside ordinary text of as many bytes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSteps } from '../../support/steps.ts';

const { guardListing } = await import('../../../src/backend/content/message-text.ts');
const { TextReader } = await import('../../../src/backend/wire/incoming.ts');
const { parseHeaders } = await import('../../../src/mime/headers.ts');
const { quotedPrintableDecoder } = await import('../../../src/mime/coding/transfer.ts');
const { MimeWalker } = await import('../../../src/mime/walk.ts');
const { ByteQueue } = await import('../../../src/protocol/lines.ts');

const CHUNK_BYTES = 4096;
const SMALL = 5 * CHUNK_BYTES;
const GROWTH = 4;
/** a line may cost so many times what an ordinary one of as many bytes does: a few steps a byte, not a hundred */
const MOST_TIMES_ORDINARY = 6;
const ORDINARY = 'The quick brown fox jumps over the lazy dog, and then it has a rest.\n';

const UNITS = [
  '\n',
  '\r\n',
  '\r',
  '.\n',
  '000\n',
  '00\n',
  '--\n',
  '--b\n',
  '--bx\n',
  '--b  x\n',
  '=\n',
  '= ',
  'QUJD\n',
  'a:b\n',
  ' ',
  '--b\n\n',
];

function bytesOf(unit: string, length: number): Buffer {
  return Buffer.from(unit.repeat(Math.ceil(length / unit.length))).subarray(0, length);
}

function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

function feed(target: { push(chunk: Buffer): unknown; end(): unknown }, bytes: Buffer): void {
  for (const chunk of chunksOf(bytes)) target.push(chunk);
  target.end();
}

function drain(pieces: Iterable<Buffer>): void {
  for (const piece of pieces) assert.ok(piece);
}

const HEADER = Buffer.from('Content-Type: multipart/mixed; boundary=b\n\n');

const WORK: Record<string, (bytes: Buffer) => void> = {
  'TextReader, of a text transfer': (bytes) => {
    const reader = new TextReader({ write() {}, end: () => '', abort() {} });
    const queue = new ByteQueue();
    for (const chunk of chunksOf(bytes)) {
      queue.push(chunk);
      if (reader.read(queue)) return;
    }
  },
  'MimeWalker, in a multipart': (bytes) => feed(new MimeWalker(), Buffer.concat([HEADER, bytes])),
  'MimeWalker, in a part of quoted-printable': (bytes) => {
    const part = Buffer.from('--b\nContent-Transfer-Encoding: quoted-printable\n\n');
    feed(new MimeWalker(), Buffer.concat([HEADER, part, bytes]));
  },
  // in one chunk, as they are stored: a header is no longer than that
  'MimeWalker, in a header': (bytes) => {
    const walker = new MimeWalker();
    walker.push(Buffer.concat([Buffer.from('A: b\n'), bytes]));
    walker.end();
  },
  'parseHeaders, of two fields': (bytes) => {
    for (let at = 0; at < bytes.length; at += 32_768) parseHeaders(bytes.subarray(at, at + 32_768), new Set(['b']));
  },
  quotedPrintableDecoder: (bytes) => feed(quotedPrintableDecoder(), bytes),
  guardListing: (bytes) => drain(guardListing(chunksOf(bytes))),
};

describe('a text of short lines takes about as many steps as any other', () => {
  for (const [name, work] of Object.entries(WORK)) {
    it(name, async () => {
      const ordinary = await countSteps(() => work(bytesOf(ORDINARY, GROWTH * SMALL)));
      for (const unit of UNITS) {
        const [few, many] = [
          await countSteps(() => work(bytesOf(unit, SMALL))),
          await countSteps(() => work(bytesOf(unit, GROWTH * SMALL))),
        ];
        const what = `${JSON.stringify(unit)}: ${few} steps, ${many} for four times as much, ordinary text ${ordinary}`;
        assert.ok(many <= few * (GROWTH + 1), what);
        assert.ok(many <= ordinary * MOST_TIMES_ORDINARY, what);
      }
    });
  }
});

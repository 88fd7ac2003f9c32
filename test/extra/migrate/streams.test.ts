// The bytes of messages between two room servers, cut in every way.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { afterLines, asText, firstLines, takeBody } from '../../../src/extra/migrate/streams.ts';
import { MAX_TRANSFER_TEXT_BYTES } from '../../../src/limits/backend.ts';
import { withoutCr } from '../../../src/mime/coding/transfer.ts';
import { newSeed, randomFrom } from '../../support/random.ts';

const seed = newSeed();
const random = randomFrom(seed);

async function* pieces(text: string, cuts: 'whole' | 'bytes' | 'random'): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; ) {
    const length = cuts === 'whole' ? bytes.length : cuts === 'bytes' ? 1 : 1 + random(5);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function text(source: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of source) all.push(Buffer.from(piece));
  return Buffer.concat(all).toString('latin1');
}

/** small enough for memory: nothing is written */
const whole = (body: AsyncIterable<Buffer>) => takeBody(body, tmpdir());

for (const cuts of ['whole', 'bytes', 'random'] as const) {
  describe(`with ${cuts} cut (seed ${seed})`, () => {
    it('leaves out the first lines', async () => {
      for (const [input, count, rest] of [
        ['a\nb\nc\n', 2, 'c\n'],
        ['a\nb\nc\n', 0, 'a\nb\nc\n'],
        ['\n\nx', 2, 'x'],
        ['a', 1, ''],
        ['a\n', 5, ''],
      ] as const) {
        assert.equal(await text(afterLines(pieces(input, cuts), count)), rest, `${JSON.stringify(input)} ${count}`);
      }
    });

    it('makes CR LF an LF and leaves any other CR', async () => {
      assert.equal(await text(withoutCr(pieces('a\r\nb\r\r\nc\rd\n\r', cuts))), 'a\nb\r\nc\rd\n\r');
    });

    it('takes the first lines that are wanted, and the rest as it is', async () => {
      const { lines, rest } = await firstLines(pieces('X-1\nX-2\nno\nX-3\n', cuts), (line) => line.startsWith('X'));
      assert.deepEqual(lines, ['X-1', 'X-2']);
      assert.equal(await text(rest), 'no\nX-3\n');
      const all = await firstLines(pieces('X-1\nX', cuts), () => true);
      assert.deepEqual(all.lines, ['X-1']);
      assert.equal(await text(all.rest), 'X');
    });

    it('sends a text whose last line is ended', async () => {
      assert.equal(await text(asText('h\n', pieces('a\n0000\n000 \n00\nb', cuts))), 'h\na\n0000\n000 \n00\nb\n');
      assert.equal(await text(asText('', pieces('a\n', cuts))), 'a\n');
      assert.equal(await text(asText('', Readable.from([Buffer.from('a\n'), Buffer.alloc(0)]))), 'a\n');
    });

    it('tells whether a line is 000, wherever it is', async () => {
      for (const body of ['000\n', 'a\n000\nQUIT\n', 'a\n000', 'a\n000\r', 'a\n000\r\nb\n']) {
        assert.equal((await whole(pieces(body, cuts))).hasEndLine, true, JSON.stringify(body));
      }
      for (const body of ['', '0000\n', ' 000\n', '00\n0\n', '000 \n']) {
        assert.equal((await whole(pieces(body, cuts))).hasEndLine, false, JSON.stringify(body));
      }
    });

    it('keeps a whole body, tells of a NUL in it, and counts what a real server shows of it', async () => {
      const body = await whole(pieces('a\rb\r\nc\r', cuts));
      assert.equal(await text(body.open()), 'a\rb\r\nc\r');
      assert.deepEqual([body.size, body.shownBytes, body.hasNul], [7, 4, false]);
      assert.equal((await whole(pieces('a\0b', cuts))).hasNul, true);
    });
  });
}

it('reads a head of at most MAX_TRANSFER_TEXT_BYTES', async () => {
  const head = (length: number) => pieces(`${'x'.repeat(length - 1)}\nend\n`, 'whole');
  assert.equal((await firstLines(head(1000), (line) => line !== 'end')).lines.length, 1);
  const endless = async function* () {
    for (;;) yield Buffer.alloc(MAX_TRANSFER_TEXT_BYTES / 4, 'x');
  };
  await assert.rejects(
    firstLines(endless(), () => true),
    { code: 'backend_protocol' },
  );
});

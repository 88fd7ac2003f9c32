import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextReader } from '../../../src/backend/wire/incoming.ts';
import { ByteQueue } from '../../../src/protocol/lines.ts';

/** Feeds `chunks`; what the sink got as text with LF, and what is left behind the end. */
function read(chunks: Buffer[]): { text: string; ended: boolean; rest: string } {
  const parts: Buffer[] = [];
  const reader = new TextReader({
    write: (bytes) => void parts.push(Buffer.from(bytes)),
    end: () => '',
    abort() {},
  });
  const queue = new ByteQueue();
  let ended = false;
  for (const chunk of chunks) {
    queue.push(chunk);
    ended ||= reader.read(queue);
  }
  return { text: Buffer.concat(parts).toString('latin1'), ended, rest: queue.take(queue.length).toString('latin1') };
}

function bytewise(text: string): Buffer[] {
  return [...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte]));
}

const CASES: [string, string, string][] = [
  ['ends at the line 000', 'a\nb\n000\nNOOP\n', 'a\nb\n'],
  ['ends at 000 with CR LF and drops one CR of each line', 'a\r\nb\r\r\n000\r\nNOOP\n', 'a\nb\r\n'],
  [
    'takes 0000, blanks around 000 and 00 for text',
    '0000\n 000\n000 \n00\n0\n000\r\r\n000\nNOOP\n',
    '0000\n 000\n000 \n00\n0\n000\r\n',
  ],
  ['keeps NUL, 8-bit bytes and a bare CR', 'a\0b\xff\n\rc\rd\n000\nNOOP\n', 'a\0b\xff\n\rc\rd\n'],
  ['takes an empty text', '000\nNOOP\n', ''],
  ['keeps empty lines', '\n\r\n\n000\nNOOP\n', '\n\n\n'],
];

describe('TextReader', () => {
  for (const [name, input, expected] of CASES) {
    it(name, () => {
      const whole = { text: expected, ended: true, rest: 'NOOP\n' };
      assert.deepEqual(read([Buffer.from(input, 'latin1')]), whole);
      assert.deepEqual(read(bytewise(input)), whole, 'byte by byte');
    });
  }

  it('reads the same at random splits', () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    let state = seed;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    const input = `${'x'.repeat(5000)}\r\n0\r\n00\r\n000x\n\r\n${'y\rz'.repeat(50)}\n000\r\nNOOP\n`;
    const whole = read([Buffer.from(input)]);
    for (let round = 0; round < 200; round++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < input.length; ) {
        const end = Math.min(input.length, at + 1 + random(round < 100 ? 5 : 400));
        chunks.push(Buffer.from(input.slice(at, end)));
        at = end;
      }
      assert.deepEqual(read(chunks), whole, `seed ${seed}, round ${round}`);
    }
  });

  it('hands on what has come in one piece, however many lines it is', () => {
    for (const line of ['\n', '\r\n', '00\n']) {
      let pieces = 0;
      const reader = new TextReader({ write: () => void pieces++, end: () => '', abort() {} });
      const queue = new ByteQueue();
      queue.push(Buffer.from(line.repeat(10_000)));
      assert.equal(reader.read(queue), false);
      assert.equal(pieces, 1);
    }
  });

  it('hands on a long line without waiting for its end', () => {
    const { text, ended } = read([Buffer.from('x'.repeat(70_000))]);
    assert.equal(text.length, 70_000);
    assert.equal(ended, false);
  });
});

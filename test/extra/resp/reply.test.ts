import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeCommand, ReplyError, ReplyReader, replyItems, replyText } from '../../../src/extra/resp/reply.ts';
import {
  MAX_BULK_BYTES,
  MAX_REPLY_BYTES,
  MAX_REPLY_DEPTH,
  MAX_REPLY_ELEMENTS,
  MAX_REPLY_LINE_BYTES,
} from '../../../src/limits/processes.ts';

const read = (text: string) => new ReplyReader().read(Buffer.from(text, 'latin1'));

describe('replies of a store', () => {
  const ALL =
    '+OK\r\n-MOVED 1 a:2\r\n:-12\r\n$-1\r\n*-1\r\n$5\r\na\r\nb\n\r\n*3\r\n:1\r\n*0\r\n*1\r\n$0\r\n\r\n+end\r\n';
  const PARTS = [
    'OK',
    new ReplyError('MOVED 1 a:2'),
    -12,
    null,
    null,
    Buffer.from('a\r\nb\n'),
    [1, [], [Buffer.alloc(0)]],
    'end',
  ];

  it('are read, each kind of them', () => {
    assert.deepEqual(read(ALL), PARTS);
    assert.equal((read('-NOSCRIPT No such.\r\n')[0] as ReplyError).word, 'NOSCRIPT');
  });

  it('are the same wherever they are cut', () => {
    const bytes = Buffer.from(ALL);
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new ReplyReader();
      assert.deepEqual([...reader.read(bytes.subarray(0, at)), ...reader.read(bytes.subarray(at))], PARTS);
    }
    const reader = new ReplyReader();
    assert.deepEqual(
      [...bytes].flatMap((byte) => reader.read(Buffer.of(byte))),
      PARTS,
    );
  });

  it('are refused where they are none', () => {
    for (const text of [
      'x\r\n',
      '\r\n',
      '\n',
      '+a\n',
      ':x\r\n',
      ':\r\n',
      '$-2\r\n',
      '$1x\r\n',
      '*-2\r\n',
      '$1\r\nabc',
      '%1\r\n',
    ]) {
      assert.throws(() => read(text), Error, JSON.stringify(text));
    }
  });

  it('are bounded in lines, bulk strings, elements, depth and bytes', () => {
    const line = (bytes: number) => `+${'a'.repeat(bytes - 3)}\r\n`;
    assert.equal(read(line(MAX_REPLY_LINE_BYTES)).length, 1);
    assert.throws(() => read(line(MAX_REPLY_LINE_BYTES + 1)), /line too long/);
    assert.throws(() => read('+'.padEnd(MAX_REPLY_LINE_BYTES + 1, 'a')), /line too long/);
    const bulk = (bytes: number) => `$${bytes}\r\n${'a'.repeat(bytes)}\r\n`;
    assert.equal(read(bulk(MAX_BULK_BYTES)).length, 1);
    assert.throws(() => read(`$${MAX_BULK_BYTES + 1}\r\n`), /bulk string too long/);
    const list = (count: number) => `*${count}\r\n${':1\r\n'.repeat(count)}`;
    assert.equal(replyItems(read(list(MAX_REPLY_ELEMENTS))[0]).length, MAX_REPLY_ELEMENTS);
    assert.throws(() => read(`*${MAX_REPLY_ELEMENTS + 1}\r\n`), /too many elements/);
    assert.throws(() => read(`*2\r\n*0\r\n*${MAX_REPLY_ELEMENTS - 1}\r\n`), /too many elements/);
    assert.equal(read(`${'*1\r\n'.repeat(MAX_REPLY_DEPTH)}:1\r\n`).length, 1);
    assert.throws(() => read(`${'*1\r\n'.repeat(MAX_REPLY_DEPTH + 1)}:1\r\n`), /too deeply/);
    const reader = new ReplyReader();
    const piece = Buffer.from(bulk(MAX_BULK_BYTES));
    const most = Math.floor((MAX_REPLY_BYTES - 5) / piece.length);
    reader.read(Buffer.from('*99\r\n'));
    for (let i = 0; i < most; i++) reader.read(piece);
    assert.throws(() => reader.read(piece), /reply too long/);
  });

  it('are bounded one by one, not all together', () => {
    const reader = new ReplyReader();
    const piece = Buffer.from(`$${MAX_BULK_BYTES}\r\n${'a'.repeat(MAX_BULK_BYTES)}\r\n`);
    for (let i = 0; i * MAX_BULK_BYTES <= MAX_REPLY_BYTES; i++) assert.equal(reader.read(piece).length, 1);
  });
});

it('a command is an array of bulk strings, whatever its words hold', () => {
  const bytes = encodeCommand(['SET', 'é\r\n', 5, Buffer.of(0, 255)]);
  assert.deepEqual(
    bytes,
    Buffer.concat([
      Buffer.from('*4\r\n$3\r\nSET\r\n$4\r\né\r\n\r\n$1\r\n5\r\n$2\r\n'),
      Buffer.of(0, 255),
      Buffer.from('\r\n'),
    ]),
  );
  const [words] = new ReplyReader().read(bytes);
  assert.deepEqual(replyItems(words).slice(0, 3).map(replyText), ['SET', 'é\r\n', '5']);
});

it('what is no text, or no array, is nothing', () => {
  assert.deepEqual(
    [replyText(1), replyText(null), replyText(undefined), replyItems('a')],
    [undefined, undefined, undefined, []],
  );
});

// Binary transfers taken off the bytes that arrive.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BinaryReader } from '../../../src/backend/wire/incoming.ts';
import { ByteQueue } from '../../../src/protocol/lines.ts';

function reading(length: number) {
  const heard: string[] = [];
  const reader = new BinaryReader({
    reply: `700 ${length}\n`,
    length,
    bytes: {
      write: (bytes) => void heard.push(bytes.toString()),
      end: () => '200 all of it\n',
      abort: () => void heard.push('aborted'),
    },
  });
  return { heard, reader, queue: new ByteQueue() };
}

describe('a binary transfer', () => {
  it('takes as many bytes as were announced, and leaves the next command', () => {
    const { heard, reader, queue } = reading(5);
    queue.push(Buffer.from('ab'));
    assert.equal(reader.read(queue), false);
    assert.equal(reader.read(queue), false, 'nothing more has come');
    queue.push(Buffer.from('c\n000\nNOOP\n'));
    assert.equal(reader.read(queue), true);
    assert.equal(heard.join(''), 'abc\n0');
    assert.equal(heard.length, 2, 'no empty pieces');
    assert.equal(String(queue.line()), '00');
    assert.equal(reader.end(), '200 all of it\n');
  });

  it('of no bytes is over at once', () => {
    const { heard, reader, queue } = reading(0);
    assert.equal(reader.read(queue), true);
    assert.deepEqual(heard, []);
  });

  it('is given up with its connection', () => {
    const { heard, reader } = reading(5);
    reader.abort();
    assert.deepEqual(heard, ['aborted']);
  });
});

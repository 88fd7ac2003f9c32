// Answers that are collected as a whole: what their length may be.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_COLLECTED_BYTES } from '../../src/limits/protocol.ts';
import { AnswerReader } from '../../src/protocol/answer.ts';
import { ByteQueue } from '../../src/protocol/lines.ts';

it('collects a binary answer of MAX_COLLECTED_BYTES, and refuses a longer one before its bytes have come', () => {
  const begin = (length: number) => {
    const queue = new ByteQueue();
    const reader = new AnswerReader();
    queue.push(Buffer.from(`600 ${length}|-1||image/png|\n`));
    return { queue, reader, answer: reader.read(queue) };
  };
  const { queue, reader, answer } = begin(MAX_COLLECTED_BYTES);
  assert.equal(answer, undefined);
  queue.push(Buffer.alloc(MAX_COLLECTED_BYTES));
  assert.equal(reader.read(queue)?.bytes?.length, MAX_COLLECTED_BYTES);
  assert.throws(() => begin(MAX_COLLECTED_BYTES + 1), { code: 'backend_protocol' });
});

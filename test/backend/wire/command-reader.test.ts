import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CommandReader } from '../../../src/backend/wire/incoming.ts';
import { MAX_COMMAND_BYTES } from '../../../src/limits/protocol.ts';
import { ByteQueue } from '../../../src/protocol/lines.ts';

/** The lines that come out when `text` arrives in chunks of this size. */
function linesOf(text: string, chunkBytes: number): string[] {
  const queue = new ByteQueue();
  const reader = new CommandReader(queue);
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += chunkBytes) {
    queue.push(Buffer.from(text.slice(at, at + chunkBytes)));
    for (let line = reader.next(); line; line = reader.next()) lines.push(line.toString());
  }
  return lines;
}

it('cuts a line at MAX_COMMAND_BYTES and keeps shorter ones whole, however they arrive', () => {
  for (const length of [0, 1, MAX_COMMAND_BYTES - 1, MAX_COMMAND_BYTES, MAX_COMMAND_BYTES + 1, 3 * MAX_COMMAND_BYTES]) {
    for (const end of ['\n', '\r\n']) {
      const sent = 'x'.repeat(length);
      const expected = [sent.slice(0, MAX_COMMAND_BYTES), 'next'];
      for (const chunkBytes of [1, 7, MAX_COMMAND_BYTES, MAX_COMMAND_BYTES + 1, 1e6]) {
        assert.deepEqual(linesOf(`${sent}${end}next\n`, chunkBytes), expected, `${length} bytes by ${chunkBytes}`);
      }
    }
  }
});

it('drops one CR before the LF, no other', () => {
  assert.deepEqual(linesOf('a\r\nb\r\r\n\rc\n', 1), ['a', 'b\r', '\rc']);
});

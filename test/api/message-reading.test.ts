// How much of a message is looked at, and under which names its parts are linked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstBytes } from '../../src/api/message-reading.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../../src/limits/mime.ts';
import { numberParts } from '../../src/mime/part-list.ts';
import { contentIds, walk } from '../../src/render/message.ts';

async function* pieces(size: number, pieceSize: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= pieceSize) yield Buffer.alloc(Math.min(left, pieceSize), 'x');
}

describe('firstBytes', () => {
  it('takes as much as the bound and says whether that was all', async () => {
    for (const pieceSize of [65_536, 1_000_003]) {
      for (const [size, taken, isWhole] of [
        [MAX_RENDERED_SOURCE_BYTES, MAX_RENDERED_SOURCE_BYTES, true],
        [MAX_RENDERED_SOURCE_BYTES + 1, MAX_RENDERED_SOURCE_BYTES, false],
        [0, 0, true],
      ] as const) {
        const source = await firstBytes(pieces(size, pieceSize));
        assert.deepEqual([source.bytes.length, source.isWhole], [taken, isWhole], `${size} by ${pieceSize}`);
      }
    }
  });
});

describe('contentIds', () => {
  const named = (...ids: string[]): Map<string, string> => {
    const parts = ids.map((id) => `--b\nContent-Type: image/png\nContent-ID: <${id}>\n\ncontent\n`);
    const bytes = Buffer.from(`Content-Type: multipart/related; boundary=b\n\n${parts.join('')}--b--\n`);
    return contentIds(numberParts(walk(bytes), []));
  };

  it('are the name of the part, in any case', () => {
    assert.deepEqual(
      [...named('One@X', 'two')],
      [
        ['one@x', 'One@X'],
        ['two', 'two'],
      ],
    );
  });

  it('give way to the number where they would lead elsewhere', () => {
    assert.deepEqual(
      [...named('twin', 'TWIN', '1', '2.1', 'json', 'a|b')],
      [
        ['twin', '1'],
        ['1', '3'],
        ['2.1', '4'],
        ['json', '5'],
        ['a|b', '6'],
      ],
    );
  });

  it('of messages inside the message are not its own', () => {
    const inner = 'Content-Type: image/png\nContent-ID: <a@x>\n\ncontent';
    const bytes = Buffer.from(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n${inner}\n--b\n${inner}\n` +
        '--b--\n',
    );
    assert.deepEqual([...contentIds(numberParts(walk(bytes), []))], [['a@x', '2']], 'nor lead they to one of both');
    const alone = Buffer.from(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n${inner}\n--b--\n`,
    );
    assert.deepEqual([...contentIds(numberParts(walk(alone), []))], []);
  });
});

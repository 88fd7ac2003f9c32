// Replies of a store. However the network cuts them, they are the same, and what they hold is bounded.

import assert from 'node:assert/strict';
import { ReplyError, ReplyReader, type RespReply } from '../../../src/extra/resp/reply.ts';
import { redirectOf, slotRanges } from '../../../src/extra/resp/store-client.ts';
import { cutUp, randomFrom } from '../../support/random.ts';
import type { Target } from '../engine.ts';

const ASKED = { host: '127.0.0.1', port: 6379 };

function read(pieces: readonly Buffer[]): { replies: RespReply[]; end: string } {
  const reader = new ReplyReader();
  const replies: RespReply[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at++) {
      try {
        replies.push(...reader.read(piece.subarray(at, at + 1)));
      } catch (error) {
        return { replies, end: (error as Error).message };
      }
    }
  }
  return { replies, end: '' };
}

/** In one go; of bytes that are refused the replies before them are lost. */
function readAll(pieces: readonly Buffer[]): RespReply[] | undefined {
  const reader = new ReplyReader();
  try {
    return pieces.flatMap((piece) => reader.read(piece));
  } catch {
    return undefined;
  }
}

export const resp: Target = {
  name: 'resp',
  seeds: [
    '+OK\r\n:1\r\n$3\r\nabc\r\n$-1\r\n*-1\r\n*2\r\n:1\r\n*1\r\n$0\r\n\r\n-MOVED 1 127.0.0.1:7000\r\n',
    '*2\r\n*3\r\n:0\r\n:5460\r\n*2\r\n$1\r\na\r\n:30001\r\n*3\r\n:5461\r\n:16383\r\n*2\r\n$0\r\n\r\n:30002\r\n',
    '*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$5\r\nhello\r\n-ASK 5 :7000\r\n-ERR x\r\n',
  ].map((text) => Buffer.from(text)),
  words: [
    '\r\n',
    '+',
    '-',
    ':',
    '$',
    '*',
    '$-1\r\n',
    '*1\r\n',
    '$1\r\na\r\n',
    ':16383\r\n',
    '-MOVED 1 a:1\r\n',
    '9999999999',
  ],
  run(input) {
    const { replies, end } = read([input]);
    const random = randomFrom(input.length + 1);
    for (const longest of [1, 7, input.length + 1]) {
      const cut = readAll(cutUp(input, random, longest));
      assert.equal(cut === undefined, end !== '');
      if (cut) assert.deepEqual(cut, replies);
    }
    const kinds = new Set<string>();
    for (const reply of replies) {
      if (reply instanceof ReplyError && redirectOf(reply.message, ASKED)) kinds.add('redirect');
      if (slotRanges(reply, ASKED).length > 0) kinds.add('slots');
      kinds.add(reply === null ? 'null' : Array.isArray(reply) ? 'array' : typeof reply);
    }
    const word = [...kinds].sort().join(' ');
    return replies.length === 0 && end !== '' ? `refused: ${end}` : `${word} ${end}`;
  },
};

// Forms that are uploaded. However the network cuts them, they are the same.

import { deepEqual } from 'node:assert/strict';
import { parseMultipart } from '../../../src/http/multipart.ts';
import { cutUp, randomFrom } from '../../support/random.ts';
import type { Target } from '../engine.ts';
import { refusedAs } from './refused.ts';

const TYPE = 'multipart/form-data; boundary=b';
const part = (more: string, body: string) => `--b\r\nContent-Disposition: form-data; ${more}\r\n\r\n${body}\r\n`;

async function read(pieces: readonly Buffer[]): Promise<unknown[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* pieces;
  }
  const parts: unknown[] = [];
  try {
    for await (const { body, ...head } of parseMultipart(source(), TYPE)) {
      const content: Buffer[] = [];
      for await (const piece of body) content.push(piece);
      parts.push({ ...head, content: Buffer.concat(content).toString('latin1') });
    }
  } catch (error) {
    parts.push(refusedAs(error, 'bad_request', 'too_large'));
  }
  return parts;
}

export const multipart: Target = {
  name: 'multipart',
  seeds: [
    `${part('name="file"; filename="a.txt"', 'one')}--b--\r\n`,
    `pre\r\n${part('name=a', '')}${part('name="b"; filename="\u00e4"\r\nContent-Type: a/b', '\r\n--b x')}--b--`,
    `${part('name=c; filename="C:\\\\x\\"y"', 'z'.repeat(300))}${part('name=d', '--b-')}--b-- \t\r\nepilogue`,
  ].map((text) => Buffer.from(text)),
  words: ['--b', '--b--', '\r\n--b\r\n', '\r\n', '\r', '--', 'filename="', 'name=', '\r\n\r\n', 'Content-Type: a/b'],
  vary(input, other, random) {
    const at = Math.max(0, input.indexOf('--b'));
    const content = other
      .subarray(random(other.length + 1))
      .toString('latin1')
      .replaceAll('--b', '--c');
    const more = Buffer.from(part(`name="${random(9)}"`, content), 'latin1');
    return Buffer.concat([input.subarray(0, at), more, input.subarray(at)]);
  },
  async run(input) {
    const whole = await read([input]);
    const random = randomFrom(input.length + 1);
    for (const longest of [1, 7]) deepEqual(await read(cutUp(input, random, longest)), whole);
    const last = whole.at(-1);
    return typeof last === 'string' ? (whole.length > 1 ? `begun, ${last}` : last) : `${whole.length} parts`;
  },
};

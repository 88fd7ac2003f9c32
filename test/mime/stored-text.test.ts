// A message as the room server streams it, turned back into the body that was PUT.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_MIME_HEADER_BYTES } from '../../src/limits/mime.ts';
import { asLines, bodyOfRfc822, withoutSender } from '../../src/mime/stored-text.ts';
import { newSeed, waysToCut } from '../support/random.ts';

const SEED = newSeed();

async function* from(pieces: readonly (Buffer | string)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece as string);
}

async function text(pieces: AsyncIterable<Buffer>): Promise<string> {
  return String(Buffer.concat(await Array.fromAsync(pieces)));
}

const ways = (whole: string) => waysToCut(Buffer.from(whole), SEED);
const isBroken = { code: 'backend_protocol' };

describe(`the body of a message (seed ${SEED})`, () => {
  const message = 'Subject: s\r\nX: y\r\n\r\none\r\n\r\ntwo\r\n';

  it('is what stands behind its header, with the line ends that it was PUT with', async () => {
    for (const pieces of ways(message)) {
      const crlf = bodyOfRfc822(from(pieces), { ending: 'crlf', length: undefined });
      assert.equal(await text(crlf), 'one\r\n\r\ntwo\r\n');
      const lf = bodyOfRfc822(from(pieces), { ending: 'lf', length: undefined });
      assert.equal(await text(lf), 'one\n\ntwo\n');
    }
  });

  it('is cut to its length: the room server adds a line end', async () => {
    for (const pieces of ways(message)) {
      assert.equal(await text(bodyOfRfc822(from(pieces), { ending: 'lf', length: 8 })), 'one\n\ntwo');
      assert.equal(await text(bodyOfRfc822(from(pieces), { ending: 'lf', length: 0 })), '');
    }
  });

  it('is no body where less of it comes than was stored', async () => {
    const short = bodyOfRfc822(from([message]), { ending: 'lf', length: 10 });
    await assert.rejects(text(short), isBroken);
    const none = bodyOfRfc822(from(['Subject: s\r\n']), { ending: 'lf', length: 1 });
    await assert.rejects(text(none), isBroken);
  });

  it('is read to its end, so that the connection can be used again', async () => {
    let isEnded = false;
    async function* source() {
      yield* from([message, 'more\r\n']);
      isEnded = true;
    }
    await text(bodyOfRfc822(source(), { ending: 'lf', length: 3 }));
    assert.equal(isEnded, true);
  });

  it('has a header of a bounded length before it', async () => {
    const header = (length: number) => [`X: ${'x'.repeat(length - 3)}`, '\r\n\r\nbody'];
    const body = (length: number) => text(bodyOfRfc822(from(header(length)), { ending: 'crlf', length: undefined }));
    assert.equal(await body(MAX_MIME_HEADER_BYTES), 'body');
    await assert.rejects(body(MAX_MIME_HEADER_BYTES + 1), isBroken);
  });
});

describe('a message without its sender', () => {
  it('has no field that may name him, with its folded lines, and all others', async () => {
    const kept =
      'From: "----" <x@x.org>\r\nContent-Type: text/plain;\r\n charset=utf-8\r\nX-Vestibule-Name: a\r\n' +
      'To: ann\r\n\r\nSender: in the body\r\n';
    const names = ['Return-Path: bob', 'Reply-To: bob,\r\n bob@x', 'sender: bob', 'From: bob', 'X-Sender: bob', 'bob'];
    const whole = `${names.map((line) => `${line}\r\n`).join('')}${kept}`;
    for (const pieces of ways(whole)) assert.equal(await text(withoutSender(from(pieces))), kept);
  });

  it('is all header where no empty line comes', async () => {
    assert.equal(await text(withoutSender(from(['Subject: s\r\nSend', 'er: bob\r\n']))), 'Subject: s\r\n');
  });

  it('has a header of a bounded length', async () => {
    const header = (length: number) => from([`X: ${'x'.repeat(length - 3)}`, '\r\n\r\nbody']);
    assert.match(await text(withoutSender(header(MAX_MIME_HEADER_BYTES))), /body$/);
    await assert.rejects(text(withoutSender(header(MAX_MIME_HEADER_BYTES + 1))), isBroken);
  });
});

it(`a body is sent as lines, with one at its end (seed ${SEED})`, async () => {
  for (const [body, lines] of [
    ['a\r\nb\r\n', 'a\nb\n'],
    ['a\r\nb', 'a\nb\n'],
    ['a\n\nb', 'a\n\nb\n'],
    ['', ''],
  ] as const) {
    for (const pieces of ways(body)) assert.equal(await text(asLines(from(pieces))), lines, JSON.stringify(body));
  }
});

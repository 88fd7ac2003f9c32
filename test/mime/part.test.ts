// One part of a message as its header describes it, and what a tree of parts holds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_BOUNDARY_BYTES } from '../../src/limits/http.ts';
import { cardPart, contentParts, isEmbeddedMessage, isLeaf, isMessage } from '../../src/mime/part.ts';
import { type MimePart, MimeWalker } from '../../src/mime/walk.ts';
import { MIXED, NESTED } from '../support/sample-messages.ts';

function walk(...chunks: (Buffer | string)[]): MimePart {
  const walker = new MimeWalker();
  for (const chunk of chunks) walker.push(Buffer.from(chunk as string));
  return walker.end();
}

/** one row a part: number, type, encoded and decoded length */
function rows(part: MimePart): string[] {
  const row = `${part.number} ${part.type} ${part.encodedLength} ${part.decodedLength}`;
  return [row, ...part.children.flatMap(rows)];
}

const multipart = (body: string, boundary = 'b') => `Content-Type: multipart/mixed; boundary="${boundary}"\n\n${body}`;

describe('a part', () => {
  it('reads names in all their forms', () => {
    const part = (header: string) => walk(`${header}\n\n`);
    const disposition = part("Content-disposition: ATTACHMENT; filename*=UTF-8''%C3%BC.txt");
    assert.deepEqual(
      [disposition.disposition, disposition.filename, disposition.name],
      ['attachment', 'ü.txt', 'ü.txt'],
    );
    const both = part(
      'Content-type: text/plain; name="a|b;c.txt"\nContent-disposition: attachment;\n filename="ü ü.txt"',
    );
    assert.deepEqual([both.filename, both.name], ['ü ü.txt', 'a|b;c.txt']);
    assert.equal(part('Content-Type: text').type, '');
    assert.equal(part('Content-Type: TEXT/Plain (x); Charset=a').type, 'text/plain');
  });

  it('takes a multipart for one opaque part when it has no usable boundary', () => {
    const body = '--zz\nContent-type: text/plain\n\nfirst\n--zz--\n\n';
    assert.deepEqual(rows(walk(`Content-type: multipart/mixed\n\n${body}`)), ['1 multipart/mixed 45 45']);
    const length = (boundary: string) => rows(walk(multipart(`--${boundary}\n\nx\n`, boundary))).length;
    assert.equal(length('x'.repeat(MAX_BOUNDARY_BYTES)), 2);
    assert.equal(length('x'.repeat(MAX_BOUNDARY_BYTES + 1)), 1);
  });

  it('does not look into an encoded message', () => {
    const body = 'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogeAo=\n';
    assert.deepEqual(rows(walk(body)), ['1 message/rfc822 17 11']);
    assert.deepEqual(rows(walk('Content-Type: message/rfc822\n\nSubject: x\n\nhi\n')), [
      '1 message/rfc822 15 15',
      '1.1  3 3',
    ]);
  });
});

describe('a tree of parts', () => {
  const numbers = (root: MimePart) =>
    contentParts(root)
      .map(({ number }) => number)
      .toArray();

  it('has its content in order, a message inside before what is in it', () => {
    assert.deepEqual(numbers(walk(MIXED)), ['1', '2', '3']);
    const forwarded = 'Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--c--\n';
    assert.deepEqual(numbers(walk(forwarded)), ['1', '1.1.1']);
    assert.ok(numbers(walk(NESTED)).length > 3);
  });

  it('has leaves, and messages whose parts lie open', () => {
    const message = walk('Content-Type: message/rfc822\n\nSubject: x\n\nhi\n');
    assert.deepEqual([isLeaf(message), isMessage(message), isEmbeddedMessage(message)], [false, true, true]);
    const [text] = message.children;
    assert.deepEqual([isLeaf(text!), isMessage(text!), isEmbeddedMessage(text!)], [true, false, false]);
    const mixed = walk(MIXED);
    assert.deepEqual([isLeaf(mixed), isMessage(mixed)], [false, false]);
    for (const [encoding, isOpen] of [
      ['', true],
      ['8bit', true],
      ['base64', false],
    ] as const) {
      assert.equal(isEmbeddedMessage({ ...text!, type: 'message/global', encoding }), isOpen, encoding);
    }
  });

  it('may have a contact: the first part of such a type', () => {
    const card = (type: string) => `--b\nContent-Type: ${type}\n\nBEGIN:VCARD\n`;
    const of = (...types: string[]) => cardPart(walk(multipart(`${types.map(card).join('')}--b--\n`)))?.number;
    assert.equal(of('text/plain', 'text/x-vcard', 'TEXT/VCARD'), '2');
    assert.equal(of('text/plain', 'text/directory'), undefined);
  });
});

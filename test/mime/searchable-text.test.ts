// The text of a message for searching.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSearchable, messageText, searchableText } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import { multipart, part } from './readings.ts';

function textOf(message: string | Buffer): string {
  const source = Buffer.from(message as string);
  const walker = new MimeWalker();
  walker.push(source);
  return messageText(source, walker.end());
}

describe('a type that is searched', () => {
  it('is text for people, or none at all', () => {
    const types = ['', 'text/plain', 'text/html', 'text/x-unknown', 'text/vcard', 'application/ics'];
    for (const type of types) assert.ok(isSearchable(type), type);
    for (const type of ['text/css', 'text/javascript', 'text/rtf', 'image/png', 'application/pdf', 'multipart/mixed']) {
      assert.ok(!isSearchable(type), type);
    }
  });
});

describe('the text that is searched', () => {
  it('is what people read: of pages without tags, of events in words', () => {
    assert.equal(searchableText('text/html', '<p title="hidden">shown &amp; read</p>'), 'shown & read\n');
    assert.match(searchableText('text/calendar', 'BEGIN:VEVENT\nSUMMARY:party\nEND:VEVENT'), /^Event: party/);
    assert.equal(searchableText('text/plain', '<p>'), '<p>');
  });

  it('is also what is packed in a part, without the files of uuencoded lines', () => {
    assert.equal(textOf('Content-Type: text/plain\n\na\nbegin 644 x\n#0V%T\n`\nend\nb\n').trim(), 'a\nb');
    const inner = Buffer.from('Subject: x\n\ninside').toString('base64');
    const message = multipart('mixed', part('message/rfc822', inner, 'Content-Transfer-Encoding: base64'));
    assert.equal(textOf(message).trim(), 'inside');
  });

  it('is of all parts with text, attached ones and those of enclosed messages too, decoded', () => {
    const inner = part('text/plain; charset=utf-8', 'bGV0dGVy', 'Content-Transfer-Encoding: base64');
    const message = multipart(
      'mixed',
      part('text/plain', 'words'),
      part('image/png', 'picture'),
      part('text/csv', 'table', 'Content-Disposition: attachment; filename=a.csv'),
      part('text/css', 'style'),
      `Content-Type: message/rfc822\n\n${inner}`,
    );
    assert.deepEqual(textOf(message).trim().split(/\s+/), ['words', 'table', 'letter']);
  });

  it('is in the charset of each part', () => {
    const latin = Buffer.from(part('text/plain; charset=iso-8859-1', 'Gr\xfc\xdfe'), 'latin1');
    assert.equal(textOf(latin).trim(), 'Grüße');
    const page = Buffer.from(part('text/html', '<meta charset=iso-8859-1>\xfcber'), 'latin1');
    assert.equal(textOf(page).trim(), 'über');
  });
});

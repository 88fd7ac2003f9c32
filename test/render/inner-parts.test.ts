// Numbers of parts inside a message inside a message, and the list of them that a room server would give.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { numberParts } from '../../src/mime/part-list.ts';
import { walk } from '../../src/mime/walk.ts';
import { innerPrefix, partRowsOf } from '../../src/render/message.ts';

const rootOf = (text: string) => walk(Buffer.from(text));
const part = (type: string, content = 'content') => `--b\nContent-Type: ${type}\n\n${content}\n`;
const multipart = (kind: string, ...parts: string[]) =>
  `Content-Type: multipart/${kind}; boundary=b\n\n${parts.join('')}--b--\n`;

describe('the numbers of parts of an inner message', () => {
  it('have one digit more where it is a multipart, which is a part itself', () => {
    assert.equal(innerPrefix('2', rootOf(multipart('mixed', part('text/plain')))), '2.1.');
    assert.equal(innerPrefix('2', rootOf('Content-Type: text/plain\n\nx')), '2.');
    assert.equal(innerPrefix('1.3', rootOf('Subject: s\n\nx')), '1.3.');
  });
});

describe('the list of its parts', () => {
  const rowsOf = (text: string) => partRowsOf(numberParts(rootOf(text), []));

  it('has what can be fetched: no multipart, and no alternative of a text', () => {
    const alternative = 'Content-Type: multipart/alternative; boundary=c\n\n--c\n\na\n--c\n\nb\n--c--\n';
    const rows = rowsOf(multipart('mixed', `--b\n${alternative}`, part('image/png; name=a.png'), part('text/plain')));
    assert.deepEqual(
      rows.map(({ partnum, contentType, name }) => [partnum, contentType, name]),
      [
        ['2', 'image/png', 'a.png'],
        ['3', 'text/plain', ''],
      ],
    );
  });

  it('has a message as one, though it has parts', () => {
    const rows = rowsOf(multipart('mixed', part('message/rfc822', 'Subject: s\n\ninner')));
    assert.deepEqual(
      rows.filter(({ contentType }) => contentType === 'message/rfc822').map(({ partnum }) => partnum),
      ['1'],
    );
  });

  it('has lengths as they are encoded', () => {
    assert.equal(rowsOf(multipart('mixed', part('text/plain', '12345')))[0]?.length, 5);
  });
});

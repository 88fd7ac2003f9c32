// A stored message as a reading: its text, its parts, and under which names they are linked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { numberParts } from '../../src/mime/part-list.ts';
import { walk } from '../../src/mime/walk.ts';
import type { MessageJob } from '../../src/render/job.ts';
import { contentIds, partRowsOf, readMessage, readParts } from '../../src/render/message.ts';
import { textJob } from '../support/render-threads.ts';

/** With the list of parts that a room server gives. */
function jobOf(source: string, more: Partial<MessageJob> = {}): MessageJob {
  const bytes = Buffer.from(source);
  const rows = partRowsOf(numberParts(walk(bytes), []));
  return { ...textJob(''), source: bytes, rows, isPlain: false, ...more };
}

const RELATED = [
  'Content-Type: multipart/related; boundary=b\n',
  '--b\nContent-Type: text/html\n',
  '<p><img src="cid:A@x"><img src="cid:other"></p>',
  '--b\nContent-Type: image/png; name=a.png\nContent-ID: <a@x>\n',
  'content\n--b--\n',
].join('\n');

describe('a reading', () => {
  it('links pictures to parts of the same message, whatever the case of their ids, and to nothing else', () => {
    const { text, parts } = readMessage(jobOf(RELATED));
    assert.match(text, /src="\/svc\/r\/Lobby\/1\/a%40x"/);
    assert.doesNotMatch(text, /other/);
    assert.deepEqual(
      parts.map(({ number, name }) => [number, name]),
      [
        ['1', ''],
        ['2', 'a.png'],
      ],
    );
  });

  it('lists and links nothing where parts cannot be fetched', () => {
    const { text, parts } = readMessage(jobOf(RELATED, { path: undefined }));
    assert.doesNotMatch(text, /svc/);
    assert.deepEqual(parts, []);
  });

  it('of a message of the room server’s own formats is its text behind the header, without parts', () => {
    for (const format of ['0', '1']) {
      const job = jobOf('Subject: s\n\nhello <b>\n', { format });
      const { text, parts } = readMessage(job);
      assert.match(text, /hello &lt;b&gt;/);
      assert.deepEqual(parts, []);
      assert.deepEqual(readParts({ ...job, kind: 'parts' }), []);
    }
  });

  it('of a multipart that travels packed is its text, with one part, and no address for its pictures', () => {
    const inner = RELATED.slice(RELATED.indexOf('--b'));
    const contentType = 'multipart/related; boundary=b';
    const source = `Content-Type: application/octet-stream\n\n${inner}`;
    const { text, parts } = readMessage(jobOf(source, { isPacked: true, contentType }));
    assert.match(text, /<p>/);
    assert.doesNotMatch(text, /svc/);
    assert.equal(parts.length, 1);
  });

  it('leads to pages of its room, where it has any', () => {
    const source = 'Content-Type: text/html\n\n<a href="Some Page">x</a>';
    const { text } = readMessage(jobOf(source, { pagesPath: '/svc/r/Wiki/' }));
    assert.match(text, /href="\/svc\/r\/Wiki\/Some%20Page"/);
    assert.doesNotMatch(readMessage(jobOf(source)).text, /Some%20Page/);
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

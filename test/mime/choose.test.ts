// Which parts of a message are read (RFC 2046 section 5.1).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenParts } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import { HTML, html, multipart, PLAIN, part, plain } from './readings.ts';

describe('alternatives', () => {
  it('are a page for a page, text for text, whatever their order', () => {
    for (const message of [multipart('alternative', PLAIN, HTML), multipart('alternative', HTML, PLAIN)]) {
      assert.equal(html(message), '<p>page</p>');
      assert.equal(plain(message), 'words');
    }
  });

  it('of the same kind are the last one, which is the best (RFC 2046 section 5.1.4)', () => {
    const better = part('text/html', '<p>better</p>');
    assert.equal(html(multipart('alternative', HTML, better)), '<p>better</p>');
    assert.equal(plain(multipart('alternative', PLAIN, part('text/plain', 'better'))), 'better');
  });

  it('that are not understood, empty or attached are passed over', () => {
    const others = [part('text/x-amp-html', 'amp'), part('image/png', 'x'), part('text/html', '')];
    const attached = part('text/html', 'file', 'Content-Disposition: attachment; filename=a.html');
    assert.equal(html(multipart('alternative', PLAIN, ...others, attached)), '<div>words</div>');
    assert.equal(html(multipart('alternative', ...others.slice(1, 3))), '');
  });

  it('of which one is an event are the words of the sender, and the event where there are none', () => {
    const event = part('text/calendar', 'BEGIN:VEVENT\nSUMMARY:party\nEND:VEVENT');
    assert.equal(html(multipart('alternative', PLAIN, event)), '<div>words</div>');
    assert.equal(plain(multipart('alternative', part('image/png', 'x'), event)), 'Event: party\n');
  });
});

describe('other multiparts', () => {
  it('related: the part that `start` names, else the first', () => {
    const root = part('text/html', '<p>root</p>', 'Content-ID: <root@x>');
    assert.equal(html(multipart('related; start="<root@x>"', HTML, root)), '<p>root</p>');
    assert.equal(html(multipart('related; start="<other@x>"', HTML, root)), '<p>page</p>');
  });

  it('related: where the root is nothing to read, what can be read', () => {
    assert.equal(html(multipart('related', part('image/png', 'x'), HTML)), '<p>page</p>');
    assert.equal(html(multipart('related', part('image/png', 'x'))), '');
  });

  it('signed: what was signed, be the signature a text', () => {
    assert.equal(html(multipart('signed', HTML, part('text/plain', 'signature'))), '<p>page</p>');
  });

  it('mixed and unknown ones: all text, one after the other', () => {
    for (const type of ['mixed', 'x-unknown']) {
      assert.equal(html(multipart(type, PLAIN, part('image/png', 'x'), HTML)), '<div>words</div><p>page</p>');
      assert.equal(plain(multipart(type, PLAIN, HTML)), 'words\npage\n');
    }
  });

  it('mixed: files are left out, unless they are to be shown in place', () => {
    const file = (disposition: string) =>
      part('text/plain', 'file', `Content-Disposition: ${disposition}; filename=a.txt`);
    assert.equal(plain(multipart('mixed', PLAIN, file('attachment'))), 'words');
    assert.equal(plain(multipart('mixed', PLAIN, file('x-other'))), 'words');
    assert.equal(plain(multipart('mixed', PLAIN, file('inline'))), 'words\nfile');
    assert.equal(plain(part('text/plain', 'file', 'Content-Disposition: attachment')), 'file', 'but not the only one');
  });

  it('digest: the messages with their heads, though they do not say that they are messages', () => {
    const entry = (subject: string, text: string) => `\nSubject: ${subject}\nX: y\n\n${text}`;
    const digest = multipart('digest', entry('=?utf-8?q?=C3=A4?=', 'one'), entry('b', 'two'));
    assert.equal(plain(digest), 'Subject: ä\n\none\n----\nSubject: b\n\ntwo');
    assert.equal(html(digest), '<div>Subject: ä</div><div>one</div><hr><div>Subject: b</div><div>two</div>');
  });

  it('elsewhere a message inside is a file, and one alone is read', () => {
    const inner = part('message/rfc822', 'Subject: in\n\ninner text');
    assert.equal(plain(multipart('mixed', PLAIN, inner)), 'words');
    assert.equal(plain(inner), 'Subject: in\n\ninner text');
  });

  it('that cannot be taken apart are shown as they are', () => {
    assert.equal(plain('Content-Type: multipart/mixed\n\n--x\n\ntext\n--x--\n'), '--x\n\ntext\n--x--\n');
  });
});

describe('what is chosen', () => {
  /** their types in order */
  const chosen = (message: string, isPlain = false): string[] => {
    const walker = new MimeWalker();
    walker.push(Buffer.from(message));
    return chosenParts(walker.end(), isPlain).map(({ type }) => type);
  };

  it('is the whole of a message that is one text, and nothing of one that is a file', () => {
    assert.deepEqual(chosen(part('text/x-log', 'x')), ['text/x-log']);
    assert.deepEqual(chosen('Subject: x\n\ntext'), ['']);
    assert.deepEqual(chosen(part('image/png', 'x')), []);
    assert.deepEqual(chosen(part('text/plain', '')), []);
  });

  it('has a text of unknown type only where it comes first', () => {
    assert.deepEqual(chosen(multipart('mixed', part('text/x-log', 'x'), PLAIN)), ['text/x-log', 'text/plain']);
    assert.deepEqual(chosen(multipart('mixed', PLAIN, part('text/x-log', 'x'))), ['text/plain']);
  });

  it('has of a report what is for people', () => {
    const report = multipart(
      'report',
      PLAIN,
      part('message/delivery-status', 'Status: 5.1.1'),
      part('text/plain', 'head'),
    );
    assert.deepEqual(chosen(report), ['text/plain']);
  });
});

// What is read of a message: which parts are chosen (RFC 2046), and what becomes of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RENDERED_TEXT_BYTES } from '../../src/limits/mime.ts';
import { formatText, type ReadableText, type ReadingOptions, readableText } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';

const PAGE: ReadingOptions = { isPlain: false, isRemoteLoaded: false, partUrl: () => undefined };

function read(message: string, options: Partial<ReadingOptions> = {}, isWhole = true): ReadableText {
  const source = Buffer.from(message);
  const walker = new MimeWalker();
  walker.push(source);
  return readableText(source, walker.end(), isWhole, { ...PAGE, ...options });
}

const html = (message: string): string => read(message).text;
const plain = (message: string): string => read(message, { isPlain: true }).text;

/** A multipart of that type and parameters; each part is header lines, an empty line, text. */
const multipart = (type: string, ...parts: string[]): string => {
  const boundary = `b${parts.length}-${type.replace(/\W/g, '')}`;
  return (
    `Content-Type: multipart/${type}; boundary="${boundary}"\n\n` +
    `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`
  );
};
const part = (type: string, text: string, ...more: string[]): string =>
  [`Content-Type: ${type}`, ...more, '', text].join('\n');
const PLAIN = part('text/plain', 'words');
const HTML = part('text/html', '<p>page</p>');

describe('flowed text', () => {
  it('is put together, however its parameters are spelled', () => {
    assert.equal(plain(part('text/plain; Format=Flowed', 'one \ntwo')), 'one two\n');
    assert.equal(plain(part('text/plain; format=flowed; DelSp=YES', 'one \ntwo')), 'onetwo\n');
    assert.equal(plain(part('text/plain; format=fixed', 'one \ntwo')), 'one \ntwo');
  });
});

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

describe('alternatives that are empty', () => {
  const EMPTY = part('text/html', '<html><body>\n</body></html>');

  it('give way to the other wording', () => {
    assert.equal(html(multipart('alternative', PLAIN, EMPTY)), '<div>words</div>');
    assert.equal(plain(multipart('alternative', part('text/plain', ' \n\n'), HTML)), 'page\n');
  });

  it('do not where they have a picture', () => {
    const picture = part('text/html', '<img src="https://x.example/a.png">');
    assert.equal(html(multipart('alternative', PLAIN, picture)), '');
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

describe('text', () => {
  it('of the room server’s own format has its paragraphs', () => {
    assert.equal(plain(part('text/x-citadel-variformat', 'one\ntwo\n three')), 'one two\nthree\n');
    assert.equal(formatText(Buffer.from('one\ntwo\n three\n'), '0', true, true).text, 'one two\nthree\n');
    assert.equal(formatText(Buffer.from('one\n  two\n'), '1', true, true).text, 'one\n  two\n');
    assert.equal(formatText(Buffer.from([0xe9, 10]), '1', true, false).text, '<div>é</div>');
  });

  it('has no control characters that could steer a terminal', () => {
    assert.equal(plain(part('text/plain', 'a\x1b[31mb\x9bc\td')), 'a[31mbc\td');
    assert.equal(formatText(Buffer.from('a\x1bb'), '1', true, true).text, 'ab');
  });

  it('of an event or a contact that is not understood is shown as it is', () => {
    assert.equal(plain(part('text/calendar', 'see you')), 'see you');
    assert.equal(plain(part('text/vcard', 'my card')), 'my card');
  });

  it('says that remote images were left out, and not when they are wanted or not shown', () => {
    const page = part('text/html', '<img src="http://x.example/a.png" alt="a">');
    assert.equal(read(page).hasBlockedRemote, true);
    assert.equal(read(page, { isRemoteLoaded: true }).hasBlockedRemote, false);
    assert.equal(read(page, { isPlain: true }).hasBlockedRemote, false);
    assert.equal(read(HTML).hasBlockedRemote, false);
    assert.equal(read(multipart('mixed', page, HTML)).hasBlockedRemote, true, 'whichever part it was');
  });

  it('beyond the bound is cut, with a note, and not within a character', () => {
    const long = (bytes: number) => read(part('text/html; charset=utf-8', 'ä'.repeat(bytes / 2)));
    const whole = long(MAX_RENDERED_TEXT_BYTES);
    assert.deepEqual([whole.isCut, whole.text.length], [false, MAX_RENDERED_TEXT_BYTES / 2]);
    const cut = long(MAX_RENDERED_TEXT_BYTES + 2);
    assert.equal(cut.isCut, true);
    assert.match(cut.text, /ä<p>\[The text is longer than what is shown here\.\]<\/p>$/);
    const split = read(part('text/plain; charset=utf-8', `x${'ä'.repeat(MAX_RENDERED_TEXT_BYTES / 2)}`), {
      isPlain: true,
    });
    assert.match(split.text, /ä\n\[The text/);
    const several = read(multipart('mixed', part('text/plain', 'x'.repeat(MAX_RENDERED_TEXT_BYTES)), PLAIN));
    assert.equal(several.isCut, true, 'all texts together');
  });

  it('that the source does not hold completely is cut as well', () => {
    assert.equal(read(PLAIN, {}, false).isCut, true);
    assert.equal(read(multipart('mixed', PLAIN, part('image/png', 'x')), {}, false).isCut, false);
  });
});

// What becomes of the parts of a message that are to be read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RENDERED_TEXT_BYTES } from '../../src/limits/mime.ts';
import { formatText } from '../../src/mime/readable.ts';
import { HTML, html, multipart, PLAIN, part, plain, read } from './readings.ts';

describe('flowed text', () => {
  it('is put together, however its parameters are spelled', () => {
    assert.equal(plain(part('text/plain; Format=Flowed', 'one \ntwo')), 'one two\n');
    assert.equal(plain(part('text/plain; format=flowed; DelSp=YES', 'one \ntwo')), 'onetwo\n');
    assert.equal(plain(part('text/plain; format=fixed', 'one \ntwo')), 'one \ntwo');
  });
});

describe('a text whose type nobody names', () => {
  it('is HTML where it begins like a page', () => {
    for (const start of ['<html>', '<HTML lang=en>', '<!DOCTYPE html><html>']) {
      assert.equal(html(`Subject: x\n\n${start}<body><b>x</b></body></html>`), '<b>x</b>', start);
    }
    assert.equal(html('Subject: x\n\n<htmlx>'), '<div>&lt;htmlx&gt;</div>');
    assert.equal(html('Content-Type: text/plain\n\n<html>'), '<div>&lt;html&gt;</div>');
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

describe('a multipart that travels packed', () => {
  const inner = multipart('alternative', PLAIN, HTML);
  const [head, body] = [inner.slice(0, inner.indexOf('\n')), inner.slice(inner.indexOf('\n\n') + 2)];
  const packed = (encoding: string, content: string) => `${head}\nContent-Transfer-Encoding: ${encoding}\n\n${content}`;
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');

  it('is read like any other, alone or in another one', () => {
    for (const message of [
      packed('base64', base64(body)),
      packed('quoted-printable', body.replaceAll('=', '=3D')),
      packed('quoted-printable', body.replaceAll('--', '=2D=2D')),
    ]) {
      assert.equal(plain(message), 'words');
      assert.equal(html(message), '<p>page</p>');
      assert.equal(plain(multipart('mixed', part('text/plain', 'before'), message)), 'before\nwords');
    }
  });

  it('is shown as it is where it is packed twice, or nothing is in it', () => {
    const twice = multipart('mixed', packed('base64', base64(body)));
    const outer = twice.slice(0, twice.indexOf('\n'));
    const content = twice.slice(twice.indexOf('\n\n') + 2);
    assert.match(plain(`${outer}\nContent-Transfer-Encoding: base64\n\n${base64(content)}`), /^--b2-alternative\nCont/);
    assert.equal(plain(packed('base64', base64('no delimiter'))), 'no delimiter');
  });

  it('says that its end is missing', () => {
    const cut = read(packed('base64', base64(body)), { isPlain: true }, false);
    assert.equal(cut.isCut, false, 'what is read of it lies before the end');
    const open = read(packed('base64', base64(body.slice(0, body.indexOf('words') + 3))), { isPlain: true }, false);
    assert.deepEqual([open.isCut, open.text.startsWith('wor')], [true, true]);
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

  it('has backgrounds from elsewhere where they are wanted, and says that they were left out', () => {
    const address = 'https://x.example/a.png';
    const page = part(
      'text/html',
      `<table background="${address}"><tr><td style="background: url(${address})">a</table>`,
    );
    const blocked = read(page);
    assert.equal(blocked.hasBlockedRemote, true);
    assert.doesNotMatch(blocked.text, /x\.example/);
    const loaded = read(page, { isRemoteLoaded: true });
    assert.equal(loaded.hasBlockedRemote, false);
    assert.equal(loaded.text.split(`url('${address}')`).length, 3);
    const script = part('text/html', '<td style="background: url(javascript:a)"><p style="background: url(/a.png)">a');
    assert.doesNotMatch(read(script, { isRemoteLoaded: true }).text, /url/);
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

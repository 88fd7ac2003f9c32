// The first words of a message, and how many files it has.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { attachedFiles, firstWords } from '../../../src/backend/content/message-header.ts';
import { messageByNumber, structureOf } from '../../../src/backend/store/messages.ts';
import { MAX_FIRST_WORDS_CHARACTERS, MAX_FIRST_WORDS_INPUT_BYTES } from '../../../src/limits/backend.ts';
import { type MessageWorld, messageWorld } from '../../support/message-session.ts';
import { attribute, element, properties, property, signed, tnef } from '../../support/packed-content.ts';
import { type SavedFields, saveIn } from '../../support/saved-message.ts';

function stored(w: MessageWorld, fields: SavedFields) {
  const id = saveIn(w, w.room('Box'), fields);
  const [row, structure] = [messageByNumber(w.store, id)!, structureOf(w.store, id)];
  return { words: firstWords(w.store, row, structure), files: attachedFiles(w.store, row, structure) };
}

const wordsOf = (t: TestContext, fields: SavedFields) => stored(messageWorld(t), fields).words;
const part = (type: string, body: string) => `--x\nContent-Type: ${type}\n\n${body}\n`;
const mixed = (...parts: string[]): SavedFields => ({
  type: 'multipart/mixed; boundary=x',
  text: `${parts.join('')}--x--\n`,
});

describe('the first words of a message', () => {
  it('are on one line, without what it quotes', (t) => {
    const w = messageWorld(t);
    for (const format of [0, 1, 4]) {
      const text = `Hello,\n\n> quoted\n   > quoted\n  two\tblanks \n    > no quote\n`;
      assert.equal(stored(w, { format, text }).words, 'Hello, two blanks > no quote', String(format));
    }
  });

  it('are those of the first plain text, else of the first HTML, and of no file', (t) => {
    const w = messageWorld(t);
    const file = part('text/plain; name="a.txt"', 'in a file');
    const [plain, html] = [part('text/plain', 'plain'), part('text/html', '<p>rich <b>text</b></p>')];
    assert.equal(stored(w, mixed(file, html, plain)).words, 'plain');
    assert.equal(stored(w, mixed(file, html)).words, 'rich text');
    assert.equal(stored(w, mixed(file)).words, '');
    assert.equal(stored(w, { type: 'image/png', text: 'x' }).words, '');
  });

  it('are those of what is packed in it, where nothing else is text', (t) => {
    const w = messageWorld(t);
    const packed = (type: string, content: Buffer) =>
      part(`${type}\nContent-Transfer-Encoding: base64`, content.toString('base64'));
    const letter = element(4, Buffer.from('Content-Type: text/html\n\n<p>signed <b>words</b></p>'));
    const body = attribute(0x9003, properties(property(0x1e, 0x1000, Buffer.from('from Outlook\0'))));
    assert.equal(stored(w, { text: 'begin 644 a.txt\n#0V%T\n`\nend\nafter it\n' }).words, 'after it');
    assert.equal(stored(w, mixed(packed('application/pkcs7-mime', signed(element, letter)))).words, 'signed words');
    assert.equal(stored(w, mixed(packed('application/ms-tnef', tnef(body)))).words, 'from Outlook');
    assert.equal(stored(w, mixed(packed('application/ms-tnef', Buffer.from('no')))).words, '');
  });

  it('are MAX_FIRST_WORDS_CHARACTERS at most, cut between words where one ends in time', (t) => {
    const w = messageWorld(t);
    const words = (text: string) => stored(w, { text: `${text}\n` }).words;
    const whole = 'x'.repeat(MAX_FIRST_WORDS_CHARACTERS);
    assert.equal(words(whole), whole);
    assert.equal(words(`${whole}x`), `${whole}…`);
    const many = 'word '.repeat(MAX_FIRST_WORDS_CHARACTERS);
    assert.match(words(many), /^(word )*word…$/);
    assert.ok(words(many).length <= MAX_FIRST_WORDS_CHARACTERS + 1);
    assert.equal(words(`${whole.slice(1)}𝄞`), `${whole.slice(1)}…`, 'never inside a character');
  });

  it('are looked for in the first MAX_FIRST_WORDS_INPUT_BYTES', (t) => {
    const blank = (length: number) => `${' '.repeat(length)}end\n`;
    for (const format of [1, 4]) {
      assert.equal(wordsOf(t, { format, text: blank(MAX_FIRST_WORDS_INPUT_BYTES - 3) }), 'end', String(format));
      assert.equal(wordsOf(t, { format, text: blank(MAX_FIRST_WORDS_INPUT_BYTES - 2) }), 'en', String(format));
    }
  });
});

describe('the files of a message', () => {
  it('are its parts with a name, or that are meant to be saved', (t) => {
    const w = messageWorld(t);
    const named = part('application/pdf; name="a.pdf"', 'x');
    const saved = part('text/plain\nContent-Disposition: attachment', 'x');
    assert.equal(stored(w, mixed(part('text/plain', 'text'), named, saved)).files, 2);
    assert.equal(stored(w, { text: 'text\n' }).files, 0);
    assert.equal(stored(w, { format: 1 }).files, 0);
  });

  it('are also inline, without a name, messages, and pictures that no text shows, as a reader sees them', (t) => {
    const w = messageWorld(t);
    const files = (...parts: string[]) => stored(w, mixed(part('text/html', '<img src="cid:a@b">'), ...parts)).files;
    assert.equal(files(part('application/pdf; name="a.pdf"\nContent-Disposition: inline; filename="a.pdf"', 'x')), 1);
    assert.equal(files(part('application/octet-stream', 'x'), part('text/calendar', 'x')), 2);
    assert.equal(files(part('message/rfc822', 'Subject: x\n\nx')), 1);
    assert.equal(files(part('image/png\nContent-Disposition: inline\nContent-ID: <other@b>', 'x')), 1);
    assert.equal(files(part('image/png\nContent-ID: <a@b>', 'x')), 0);
    assert.equal(stored(w, { type: 'text/calendar; name="a.ics"', text: 'x' }).files, 0);
    assert.equal(stored(w, { type: 'application/pdf', text: 'x' }).files, 1);
    const wordings = [part('text/plain', 'a'), part('text/enriched', 'a'), part('text/html; name="a.html"', 'a')];
    assert.equal(stored(w, { ...mixed(...wordings), type: 'multipart/alternative; boundary=x' }).files, 0);
  });

  it('are not the pictures that its text shows', (t) => {
    const w = messageWorld(t);
    const shown = 'image/png; name="a.png"\nContent-Disposition: inline\nContent-ID: <a@b>';
    assert.equal(stored(w, mixed(part('text/html', '<img src="cid:a@b">'), part(shown, 'x'))).files, 0);
    assert.equal(stored(w, mixed(part(shown.replace('inline', 'attachment'), 'x'))).files, 1);
  });
});

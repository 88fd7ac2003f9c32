// The list of a message's parts: what the room server lists, joined with what is found in the message itself.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_PART_FIELD_CHARACTERS } from '../../src/limits/mime.ts';
import { type ListedPart, listParts, numberParts } from '../../src/mime/part-list.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import type { PartRow } from '../../src/model.ts';

const EMPTY: PartRow = {
  name: '',
  filename: '',
  partnum: '',
  disposition: '',
  contentType: '',
  length: 0,
  contentId: '',
  charset: '',
};
const row = (partnum: string, contentType: string, length: number, more: Partial<PartRow> = {}): PartRow => ({
  ...EMPTY,
  partnum,
  contentType,
  length,
  ...more,
});

function list(message: string, rows: PartRow[], isWhole = true): ListedPart[] {
  const walker = new MimeWalker();
  walker.push(Buffer.from(message));
  return listParts(numberParts(walker.end(), rows), rows, isWhole);
}
const names = (parts: ListedPart[]) => parts.map(({ number, name }) => [number, name]);

const mixed = (...parts: string[]): string =>
  `Content-Type: multipart/mixed; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`;
const TEXT = 'Content-Type: text/plain\n\nfirst';
const FILE =
  "Content-Type: image/png\nContent-Disposition: attachment; filename*=UTF-8''%C3%A4.png\n" +
  'Content-Transfer-Encoding: base64\n\naGVsbG8=';

describe('listParts', () => {
  it('knows names that the server does not, and sizes', () => {
    const rows = [row('1', 'text/plain', 5), row('2', 'image/png', 8, { disposition: 'attachment', contentId: 'x' })];
    const [, file] = list(mixed(TEXT, FILE), rows);
    assert.deepEqual(file, {
      number: '2',
      name: 'ä.png',
      disposition: 'attachment',
      type: 'image/png',
      charset: '',
      encodedLength: 8,
      size: 5,
      contentId: 'x',
    });
  });

  it('calls a message inside another by its subject, at any depth', () => {
    const inner = 'Content-Type: message/rfc822\n\nSubject: =?utf-8?q?a/c=0D=C3=A4?=\n\nx';
    const outer = `Content-Type: message/rfc822\n\nSubject: Outer\n${mixed(inner).replaceAll('=b', '=c').replaceAll('--b', '--c')}`;
    const named = 'Content-Type: message/rfc822; name=n.eml\n\nSubject: x\n\nx';
    const rows = ['1', '1.1.1', '1.1.1.1', '2', '2.1', '3'].map((number) => row(number, 'message/rfc822', 1));
    const bare = 'Content-Type: message/rfc822\n\nFrom: x\n\nx';
    const listed = names(list(mixed(outer, named, bare), rows)).filter(([number]) => !`${number}`.endsWith('.1.1.1'));
    assert.deepEqual(listed, [
      ['1', 'Outer.eml'],
      ['1.1.1', 'a c ä.eml'],
      ['2', 'n.eml'],
      ['2.1', ''],
      ['3', ''],
    ]);
  });

  it('goes by the server’s numbers where it does not count a short part, one without header, one without end', () => {
    const short = 'Content-Type: text/plain\n\nx';
    assert.deepEqual(names(list(mixed(TEXT, short, FILE), [row('1', 'text/plain', 5), row('2', 'image/png', 8)])), [
      ['1', ''],
      ['2', 'ä.png'],
    ]);
    assert.deepEqual(names(list(mixed('\nno header', FILE), [row('1', 'image/png', 8)])), [['1', 'ä.png']]);
    const unclosed = mixed(FILE, TEXT).replace(/--b--\n$/, '');
    assert.deepEqual(names(list(unclosed, [row('1', 'image/png', 8)])), [['1', 'ä.png']]);
  });

  it('goes by the numbers of the walk where they are the server’s', () => {
    const short = 'Content-Type: text/plain\n\nx';
    const rows = [row('1', 'text/plain', 5), row('2', 'text/plain', 1), row('3', 'image/png', 8)];
    assert.deepEqual(names(list(mixed(TEXT, short, FILE), rows)), [
      ['1', ''],
      ['2', ''],
      ['3', 'ä.png'],
    ]);
  });

  it('adds the files inside alternatives, but not the wordings', () => {
    const html = 'Content-Type: text/html\n\npage';
    const page = `Content-Type: multipart/related; boundary=r\n\n--r\n${html}\n--r\n${FILE}\n--r--\n`;
    const message = `Content-Type: multipart/alternative; boundary=a\n\n--a\n${TEXT}\n--a\n${page}\n--a--\n`;
    assert.deepEqual(names(list(message, [])), [['2.2', 'ä.png']]);
  });

  it('lists what lies behind the end of a cut source by the server’s word', () => {
    const rows = [
      row('1', 'text/plain', 5),
      row('2', 'image/png', 800),
      row('3', 'image/gif', 9, { name: '=?utf-8?q?=C3=B6?=' }),
    ];
    const cut = mixed(TEXT, FILE).replace(/\n--b--\n$/, '');
    const parts = list(cut, rows, false);
    assert.deepEqual(names(parts), [
      ['1', ''],
      ['2', 'ä.png'],
      ['3', 'ö'],
    ]);
    assert.deepEqual(
      parts.map((part) => [part.encodedLength, part.size]),
      [
        [5, 5],
        [800, undefined],
        [9, undefined],
      ],
    );
  });

  it('cuts names and the like at the bound', () => {
    for (const length of [MAX_PART_FIELD_CHARACTERS, MAX_PART_FIELD_CHARACTERS + 1]) {
      const long = 'n'.repeat(length);
      const head =
        `Content-Type: image/png; charset=${long}\nContent-Disposition: ${long}; filename="${long}"\n` +
        `Content-ID: <${long}>`;
      const [file] = list(mixed(`${head}\n\nx`), [row('1', 'image/png', 1)]);
      for (const field of [file!.name, file!.charset, file!.disposition, file!.contentId]) {
        assert.equal(field.length, MAX_PART_FIELD_CHARACTERS);
      }
    }
  });

  it('leaves control characters out: each would be six in JSON', () => {
    const [file] = list(mixed('Content-Type: image/png; name="a\x01\x1bb"\n\nx'), [row('1', 'image/png', 1)]);
    assert.equal(file!.name, 'ab');
  });

  it('is empty for a message without parts', () => {
    assert.deepEqual(list('Content-Type: text/plain\n\nx\n', []), []);
  });
});

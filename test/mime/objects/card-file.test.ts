// Files of contacts as programs export them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardsInFile, decodeObjectFile } from '../../../src/mime/objects/card-file.ts';
import { checkCard } from '../../../src/mime/objects/check-calendar.ts';
import { parseComponents, textOf } from '../../../src/mime/objects/content-lines.ts';

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
/** the lines of a card of 2.1 as it is stored, without its frame */
function stored(...lines: string[]): string[] {
  const [text, ...more] = cardsInFile(card('VERSION:2.1', 'UID:u', 'N:Feld;Ruth', 'FN:Ruth', ...lines));
  assert.equal(more.length, 0);
  assert.equal(checkCard(text!).fault, undefined, text!);
  const unfolded = text!.replaceAll('\r\n ', '').split('\r\n');
  assert.deepEqual(unfolded.slice(0, 3), ['BEGIN:VCARD', 'VERSION:3.0', 'UID:u']);
  return unfolded.slice(5, -2);
}

describe('a card of vCard 2.1 is stored as 3.0', () => {
  it('with names for its bare parameters', () => {
    assert.deepEqual(
      stored(
        'TEL;CELL;PREF:1',
        'item1.TEL;TYPE=WORK;FAX:2',
        'EMAIL;INTERNET:r@x.example',
        'TEL;X-Allotment shed:3',
        'PHOTO;URL;JPEG:http://x.example/a,b;c.jpg',
        'URL;VALUE=URL:http://x.example/a,b;c',
        'ADR;HOME;LANGUAGE=de:;;Lindenweg 1',
        'GEO:52.5,13.4',
      ),
      [
        'TEL;TYPE=CELL,PREF:1',
        'item1.TEL;TYPE=WORK,FAX:2',
        'EMAIL;TYPE=INTERNET:r@x.example',
        'TEL;TYPE=X-Allotment shed:3',
        'PHOTO;VALUE=uri;TYPE=JPEG:http://x.example/a,b;c.jpg',
        'URL;VALUE=uri:http://x.example/a,b;c',
        'ADR;LANGUAGE=de;TYPE=HOME:;;Lindenweg 1',
        'GEO:52.5;13.4',
      ],
    );
  });

  it('with the text that was meant', () => {
    assert.deepEqual(
      stored(
        'ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:G=C3=A4rtnerei=2C Sohn=5C; Co.;=',
        '=C3=9Cberland',
        'TITLE;QUOTED-PRINTABLE;CHARSET=WINDOWS-1252:Ma=EEtre',
        'ROLE;CHARSET=KOI8-R;ENCODING=quoted-printable:=ED=C9=D2',
        'NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo, three=',
        ' four;',
        'LABEL;WORK;ENCODING=QUOTED-PRINTABLE:Lindenweg 1=0A12345 Ort',
        'CATEGORIES:a,b c',
        'X-NONE:',
      ),
      [
        'ORG:Gärtnerei\\, Sohn\\; Co.;Überland',
        'TITLE:Maître',
        'ROLE:Мир',
        'NOTE:one\\ntwo\\, three four\\;',
        'LABEL;TYPE=WORK:Lindenweg 1\\n12345 Ort',
        'CATEGORIES:a,b c',
        'X-NONE:',
      ],
    );
  });

  it('with its pictures, however their lines are parted', () => {
    const wanted = ['PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=', 'TEL:1'];
    assert.deepEqual(stored('PHOTO;ENCODING=BASE64;PNG:', ' iVBO', ' Rw0K', ' Ggo=', '', 'TEL:1'), wanted);
    assert.deepEqual(stored('PHOTO;BASE64;TYPE=PNG:iVBO', 'Rw0K', 'Ggo=', '', 'TEL:1'), wanted);
    assert.deepEqual(stored('PHOTO;PNG;ENCODING=b:iVBORw0KGgo=', 'TEL:1'), wanted);
  });

  it('with what Android says in lines of its own', () => {
    assert.deepEqual(
      stored(
        'X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Ruthie;1;;',
        'X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;2001-02-03;1;;',
        'X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;2002-02-03;2;;',
      ).filter((line) => !line.startsWith('X-ANDROID')),
      ['NICKNAME:Ruthie', 'X-ANNIVERSARY:2001-02-03'],
    );
  });

  it('with the card of an agent in one line', () => {
    const [line, after] = stored(
      'AGENT:',
      ...card('VERSION:2.1', 'FN:Bo', 'TEL;WORK:2').trimEnd().split('\r\n'),
      'TEL:1',
    );
    const inner = line!.slice('AGENT:'.length).replaceAll('\\n', '\n').replaceAll('\\;', ';');
    assert.deepEqual(inner.split('\n').slice(0, 4), [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Bo',
      'TEL\\;TYPE=WORK:2'.replace('\\', ''),
    ]);
    assert.equal(after, 'TEL:1');
  });

  it('with a name made of what there is', () => {
    const nameIn = (...lines: string[]) => {
      const [text] = cardsInFile(card('UID:u', ...lines));
      assert.equal(checkCard(text!).fault, undefined, text!);
      const [component] = parseComponents(text!);
      return [textOf(component!, 'FN'), component!.lines.find(({ name }) => name === 'N')!.value];
    };
    assert.deepEqual(nameIn('VERSION:2.1', 'N:Feld;Ruth;;Dr.'), ['Dr. Ruth Feld', 'Feld;Ruth;;Dr.']);
    assert.deepEqual(nameIn('VERSION:2.1', 'FN:Ruth'), ['Ruth', 'Ruth;;;;']);
    assert.deepEqual(nameIn('VERSION:2.1', 'ORG:Kiln\\; Co;Clay'), ['Kiln; Co', 'Kiln\\; Co;;;;']);
    assert.deepEqual(nameIn('VERSION:3.0', 'ORG:Kiln'), ['Kiln', 'Kiln;;;;']);
    assert.deepEqual(nameIn('TEL;HOME:+49 1'), ['+49 1', '+49 1;;;;']);
  });

  it('unless it is of 3.0 or 4.0 already', () => {
    for (const version of ['3.0', '4.0']) {
      const text = card(`VERSION:${version}`, 'UID:u', 'FN;X-A=b:Ruth', 'PHOTO;ENCODING=b:iVBO', ' Rw0K');
      assert.deepEqual(cardsInFile(text), [text]);
    }
  });
});

describe('a file of cards', () => {
  const names = (file: string) => cardsInFile(file).map((text) => textOf(parseComponents(text)[0]!, 'FN'));
  it('has any line ends, blanks around its cards and cards that are cut off', () => {
    const one = card('VERSION:3.0', 'FN:One');
    const two = card('VERSION:2.1', 'FN:Two');
    for (const end of ['\r\n', '\n', '\r']) {
      assert.deepEqual(names(`\ufeff${end}${one}${end} ${two}BEGIN:VCARD\nFN:cut`.replaceAll('\r\n', end)), [
        'One',
        'Two',
      ]);
    }
    assert.deepEqual(names(`BEGIN:VCARD\r\nFN:cut\r\n${one}`), ['One']);
    assert.deepEqual(names('begin: vcard \nfn:a\x0bb\nend:vcard'), ['ab']);
  });

  it('is read in the charset that it has', () => {
    const text = card('VERSION:3.0', 'FN:Jörg Müller — Σ');
    const wide = Buffer.from(text, 'utf16le');
    const big = Buffer.from(wide).swap16();
    assert.equal(decodeObjectFile(Buffer.from(text)), text);
    assert.equal(decodeObjectFile(Buffer.from(`\ufeff${text}`)), text);
    assert.equal(decodeObjectFile(wide), text);
    assert.equal(decodeObjectFile(big), text);
    assert.equal(decodeObjectFile(Buffer.concat([Buffer.of(0xff, 0xfe), wide])), text);
    assert.equal(decodeObjectFile(Buffer.concat([Buffer.of(0xfe, 0xff), big])), text);
    const latin = card('VERSION:2.1', 'FN:J\xf6rg \x80', 'N;CHARSET=KOI8-R:\xed\xc9\xd2');
    assert.equal(
      decodeObjectFile(Buffer.from(latin, 'latin1')),
      card('VERSION:2.1', 'FN:Jörg €', 'N;CHARSET=KOI8-R:Мир'),
    );
  });

  it('may have lines of UTF-8 beside others, and folds inside characters', () => {
    const mixed = Buffer.from('BEGIN:VCARD\r\nFN:J\xc3\r\n \xb6rg\r\nNOTE:J\xf6\r\n rg\r\nX:\xc3\xb6\r\n', 'latin1');
    assert.equal(decodeObjectFile(mixed), 'BEGIN:VCARD\r\nFN:Jörg\r\nNOTE:Jörg\r\nX:ö\r\n');
  });
});

// Tags, comments and declarations as the standard has them (HTML section 13.2.5), in the cases where sanitisers and
// browsers have disagreed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBogusComment, readDeclaration, readTag } from '../../src/html/tags.ts';
import { brief } from './brief-tokens.ts';

const groups: Record<string, [string, string[]][]> = {
  tags: [
    ['<a>x</a>', ['<a', '"x"', '</a']],
    ['<A HREF=X>', ['<a href=X']],
    ['<br/><br / ><br//>', ['<br /', '<br', '<br /']],
    ['<a/b/c=d/>', ['<a b= c=d/']],
    ['<a b = "c"d=\'e\'f>', ['<a b=c d=e f=']],
    ['<a b=c"d\'e<f`g=h>', ['<a b=c"d\'e<f`g=h']],
    ['<a b=>', ['<a b=']],
    ['<a =b =c==d><a/=e>', ['<a =b=c==d', '<a =e=']],
    ['<a "b\'<c>', ['<a "b\'<c=']],
    ['<a b=1 B=2>', ['<a b=1']],
    ['<a b="x>y">', ['<a b=x>y']],
    ['<a\tb\nc\fd\re>', ['<a b= c= d= e=']],
    ['<a\0b c\0=d\0>', ['<a\ufffdb c\ufffd=d\ufffd']],
    ['<K\u212a>', ['<k\u212a']],
    ['</a b="c>d" />x', ['</a', '"x"']],
    ['x<a b="', ['"x"']],
    ['x<a b', ['"x"']],
    ['x</a', ['"x"']],
    ['<', ['"<"']],
    ['a< b<1<<c>', ['"a< b<1<"', '<c']],
    ['</', ['"</"']],
    ['</>a', ['"a"']],
    ['</ x>a', ['! x', '"a"']],
    ['</1>', ['!1']],
    ['a\r\nb\rc', ['"a\nb\nc"']],
    ['a\0b', ['"a\0b"']],
  ],
  'comments and declarations': [
    ['<!--a-->', ['!a']],
    ['<!---->', ['!']],
    ['<!-->a-->', ['!', '"a-->"']],
    ['<!--->a-->', ['!', '"a-->"']],
    ['<!--a--!>b', ['!a', '"b"']],
    ['<!--a--!b-->c', ['!a--!b', '"c"']],
    ['<!--a--->b', ['!a-', '"b"']],
    ['<!--a- ->b-->', ['!a- ->b']],
    ['<!--a<!--b-->c-->', ['!a<!--b', '"c-->"']],
    ['<!--a<!-->b', ['!a<!', '"b"']],
    ['<!---!>a-->', ['!-!>a']],
    ['<!--a\0', ['!a\ufffd']],
    ['<!--a--', ['!a']],
    ['<!--a--!', ['!a']],
    ['<!-', ['!-']],
    ['<!x>a', ['!x', '"a"']],
    ['<?x?>a', ['!?x?', '"a"']],
    ['<!DOCTYPE html>a', ['?html', '"a"']],
    ['<!doctypeHTML PUBLIC "a>b">', ['?html', '"b">"']],
    ['<!doctype', ['?']],
    ['<![CDATA[a>b]]>', ['![CDATA[a', '"b]]>"']],
  ],
};

describe('tags', () => {
  for (const [name, cases] of Object.entries(groups)) {
    it(`follow the standard: ${name}`, () => {
      for (const [html, expected] of cases) assert.deepEqual(brief(html), expected, JSON.stringify(html));
    });
  }
});

describe('a construct', () => {
  it('begins where it is said to, and tells the place behind it', () => {
    assert.deepEqual(readTag('xx<p a=1>y', 3, false), {
      token: { type: 'start', name: 'p', attributes: new Map([['a', '1']]), isSelfClosing: false },
      end: 9,
    });
    assert.deepEqual(readTag('</p a=1>y', 2, true), { token: { type: 'end', name: 'p' }, end: 8 });
    assert.deepEqual(readBogusComment('<?x>y', 1), { token: { type: 'comment', data: '?x' }, end: 4 });
    assert.deepEqual(readDeclaration('<!-->y', 2, false), { token: { type: 'comment', data: '' }, end: 5 });
  });

  it('that the input cuts short ends with the input', () => {
    for (const html of ['p', 'p ', 'p a', 'p a="', 'p a="x>', 'p a=', 'p /']) {
      assert.deepEqual(readTag(html, 0, false), { token: undefined, end: html.length }, html);
    }
    assert.deepEqual(readDeclaration('[CDATA[x', 0, true), { token: { type: 'text', data: 'x' }, end: 8 });
  });

  it('that is a section of characters is one in foreign content only', () => {
    assert.deepEqual(readDeclaration('[CDATA[<b>]]>y', 0, true), { token: { type: 'text', data: '<b>' }, end: 13 });
    assert.deepEqual(readDeclaration('[CDATA[<b>]]>y', 0, false), {
      token: { type: 'comment', data: '[CDATA[<b' },
      end: 10,
    });
  });
});

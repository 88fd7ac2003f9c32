// The style attribute: what is left of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeStyle } from '../../src/html/declarations.ts';
import { sanitise } from '../../src/html/sanitise.ts';
import { MAX_STYLE_CHARACTERS } from '../../src/limits/mime.ts';

const local = (html: string): string => sanitise(html, { remote: false }).html;

describe('a style attribute', () => {
  it('is left out where it is longer than its bound', () => {
    const styled = (length: number): string => `<p style="${'color:red'.padEnd(length)}">x</p>`;
    assert.equal(local(styled(MAX_STYLE_CHARACTERS)), '<p style="color: red">x</p>');
    assert.equal(local(styled(MAX_STYLE_CHARACTERS + 1)), '<p>x</p>');
  });
});

describe('declarations', () => {
  const cases: readonly (readonly [source: string, safe: string | undefined])[] = [
    ['color:red', 'color: red'],
    [' COLOR : Red ; ; width:1px', 'color: Red; width: 1px'],
    ['color:red!important', 'color: red !important'],
    ['color:red ! important ;width:1px', 'color: red !important; width: 1px'],
    ['color:red !important blue', 'color: red blue'],
    ['color:/* x */red', 'color: red'],
    ['color:red/*', 'color: red'],
    ['background:#fff', 'background-color: #fff'],
    ['background:red url(x)', 'background-color: red'],
    ['background:#0b3d5c url(http://x/b.png) no-repeat', 'background-color: #0b3d5c'],
    ['background:url("x y") no-repeat center / cover #ABC!important', 'background-color: #ABC !important'],
    ['background:no-repeat rgb(1, 2, 3) 50% 50%', 'background-color: rgb(1, 2, 3)'],
    ['background:linear-gradient(to right, rgba(1,2,3,.5), #008)', 'background-color: rgba(1,2,3,.5)'],
    ['background-image:linear-gradient(90deg,#111,#333)', 'background-color: #111'],
    ['background-color:#123;background-image:linear-gradient(#fff,#eee)', 'background-color: #123'],
    ['background:url(x)', undefined],
    ['background:center repeat-x', undefined],
    ['background:none', 'background: none'],
    ['background-image:none!important', 'background-image: none !important'],
    ['display:none', 'display: none'],
    ['display:flex;flex:1 1 auto;gap:4px', 'display: flex; flex: 1 1 auto; gap: 4px'],
    ['display:table-cell', 'display: table-cell'],
    ['display:inline-table', 'display: inline-table'],
    ['display:contents', undefined],
    ['list-style:none', 'list-style: none'],
    ['list-style:url(x)', undefined],
    ['direction:rtl;text-transform:uppercase', 'direction: rtl; text-transform: uppercase'],
    ['letter-spacing:2px;text-indent:2em', 'letter-spacing: 2px; text-indent: 2em'],
    ['max-height:0;overflow:hidden;opacity:0;mso-hide:all', 'max-height: 0; overflow: hidden; opacity: 0'],
    ['visibility:hidden;font-size:0', 'visibility: hidden; font-size: 0'],
    ['overflow:scroll', undefined],
    ['display:inline-block', 'display: inline-block'],
    ['float:right', 'float: right'],
    ['float:none', 'float: none'],
    ['float:inherit', undefined],
    ['white-space:pre-wrap', 'white-space: pre-wrap'],
    ['white-space:break-spaces', undefined],
    ['float:left;position:fixed;top:0', 'float: left'],
    ['color:rgb(1, 2, 3);color:rgba(1,2,3,.5)', 'color: rgb(1, 2, 3); color: rgba(1,2,3,.5)'],
    ['font-family:"Segoe UI",Arial', "font-family: 'Segoe UI',Arial"],
    ['', undefined],
    ['color', undefined],
    [':red', undefined],
  ];

  it('are those of the list, in a form of our own', () => {
    for (const [source, safe] of cases) {
      assert.equal(safeStyle(source), safe, source);
      if (safe !== undefined) assert.equal(safeStyle(safe), safe, 'once more changes nothing');
    }
  });

  it('load nothing, run nothing, escape nothing and leave no box', () => {
    for (const value of [
      'url(http://x)',
      'u\\rl(x)',
      'expression(alert(1))',
      'var(--x)',
      'calc(1px)',
      'attr(x)',
      '-1px',
      '1e9px',
      '9999999px',
      '#12',
      '#123456789',
      '"a\\22 b"',
      "'a<b'",
      '{}',
      '@import',
    ]) {
      assert.equal(safeStyle(`width:${value}`), undefined, value);
      assert.equal(safeStyle(`width:1px;width:${value};color:red`), 'width: 1px; color: red', value);
    }
  });

  it('end at a semicolon outside of quotes and brackets', () => {
    assert.equal(safeStyle('font-family:"a;b";color:red'), 'color: red');
    assert.equal(safeStyle('background:url(a;color:red);width:1px'), 'width: 1px');
    assert.equal(safeStyle('color:red;background:url(a;width:1px'), 'color: red');
  });
});

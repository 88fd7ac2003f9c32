// Style sheets made to cost as much as they can, alone and with the elements that they are compared with. See
// worst-cases.ts.

import { behind, between, filled, halves, numbered, repeats, type WorstCase } from './worst-pieces.ts';

export const STYLES: readonly WorstCase[] = [
  ...repeats(
    '{',
    '}',
    '(',
    '[',
    '[]',
    '{}',
    '"',
    "'",
    '/*',
    '/**/',
    '\\',
    '\\6',
    '<!--',
    '@',
    '@a',
    '@media',
    '@media{',
    '@a{',
  ),
  ...repeats(
    'url(',
    'url( ',
    'url("',
    '#',
    '.a',
    ':',
    '::',
    ':a(',
    ',',
    ' ',
    '>',
    '+',
    '*',
    '|',
    ';',
    '!',
    '-',
    '1',
    '.1',
    '1e',
  ),
  ...repeats('p{color:red}', 'p,', '.a.b ', 'p>', '@media print{p{color:red}}', '@media print{', 'p{}', 'p{a:b}', '\n'),
  ...repeats(
    'p{color:red;',
    'p{background:url(x)}',
    'p:hover{background:url(x);color:#fff}',
    '@import "x";',
    '[a=b]',
    ':not(',
  ),
  ...behind('p{', 'color:red;', 'a;', 'a:b;', '{', '(', 'background:url(', 'color:', '!important', ';', 'a'),
  ...behind('@media ', '(', ',', 'screen and ', '(width:1px),', ' ', 'a'),
  ...behind('p ', '>', '+', ' ', '.a', ':first-child', '[class=a]', '#a'),
  ...behind('.m-mail-000000000000', ' p{color:red}.m-mail-000000000000', ' ', '.'),
  between('p{', 'color:red;', '}'),
  between('', 'p,', 'p{color:red}'),
  numbered('rules of other classes', (i) => `.c${i}{color:red}`),
  halves('@media print{', '}'),
  halves('(', ')'),
  halves('p{', '}'),
];

/** `rules` in a half of the characters, `elements` in the other. */
const both = (name: string, rules: string, elements: string): WorstCase => ({
  name,
  make: (n) => `<style>${filled(n / 2, rules)}</style>${filled(n / 2, elements)}`,
});

export const STYLED: readonly WorstCase[] = [
  both('rules for each element', 'p{color:red}', '<p>'),
  both('rules for nested elements', 'b b b b i{color:red}', '<b>'),
  both('rules that go back', 'b>b b>b b>b i{color:red}', '<b><i>x</i>'),
  both('rules for a class', '.a .a .a{color:red}', '<b class=a>'),
  both('rules of many classes', '.a.b.c.d.e.f.g{color:red}', '<p class="a b c d e f">'),
  both('rules with lost grounds', 'p{background:url(x);color:#fff}', '<p style="color:#fff">x'),
  both('style elements', 'p{color:red}', '<style>b{color:red}</style><b>'),
  both(
    'own style elements',
    '.m-mail-000000000000 p{color:red}',
    '<div><style>.m-mail-000000000000 p{color: red}</style>',
  ),
];

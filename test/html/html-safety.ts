// What every sanitised document must fulfil, read from the finished text by a grammar much stricter than HTML, so that
// it shares no code with the tokenizer under test.

import assert from 'node:assert/strict';

export const ELEMENTS = new Set(
  (
    'p br hr div span a b i u s em strong small big sub sup code pre tt kbd samp var blockquote q cite abbr ul ol ' +
    'li dl dt dd h1 h2 h3 h4 h5 h6 table caption colgroup col thead tbody tfoot tr th td img font center del ins ' +
    'mark figure figcaption details summary address article section header footer main aside nav wbr time bdi bdo ' +
    'ruby rt rp strike dfn acronym nobr map area'
  ).split(' '),
);
const VOID = new Set(['br', 'hr', 'img', 'wbr', 'col', 'area']);

export const ATTRIBUTES: Record<string, RegExp> = {
  title: /^/,
  alt: /^/,
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: /^[A-Za-z\d-]+$/,
  align: /^[a-z]+$/i,
  valign: /^[a-z]+$/i,
  width: /^\d{1,4}%?$/,
  height: /^\d{1,4}%?$/,
  colspan: /^\d{1,4}$/,
  rowspan: /^\d{1,4}$/,
  border: /^\d{1,3}$/,
  cellpadding: /^\d{1,3}$/,
  cellspacing: /^\d{1,3}$/,
  bgcolor: /^#?[A-Za-z\d]+$/,
  color: /^#?[A-Za-z\d]+$/,
  face: /^[\w ,'-]+$/,
  size: /^[+-]?\d{1,2}$/,
  start: /^-?\d{1,9}$/,
  type: /^(?:[1aAiI]|disc|circle|square)$/,
  id: /^m-[\w.:\u00a1-\uffff-]*$/,
  name: /^m-[\w.:\u00a1-\uffff-]*$/,
  usemap: /^#m-[\w.:\u00a1-\uffff-]*$/,
  shape: /^[a-z]+$/i,
  coords: /^[\d., -]+$/,
  hidden: /^$/,
  nowrap: /^$/,
  reversed: /^$/,
  value: /^-?\d{1,9}$/,
  hspace: /^\d{1,3}$/,
  vspace: /^\d{1,3}$/,
  datetime: /^[\w:.+ -]+$/,
  href: /^(?:https?:\/\/[^\s]+|mailto:[^\n]*|(?:tel|sms|webcal):[^\n]*|#m-[\w.:\u00a1-\uffff-]*|\/page\/[^\s/?#]+)$/,
  rel: /^noopener noreferrer nofollow$/,
  target: /^_blank$/,
  src: /^(?:data:image\/(?:png|gif|jpeg|webp);base64,[A-Za-z\d+/=]+|https?:\/\/[^\s]+|\/part\/[^\s]*)$/i,
};
const PROPERTIES = [
  /^(?:color|background-color|font(?:-[a-z]+)?|text-align|text-decoration|vertical-align|line-height|float|display)$/,
  /^(?:margin|padding)(?:-[a-z]+)?$|^border(?!-image)(?:-[a-z]+){0,2}$/,
  /^(?:(?:min-|max-)?(?:width|height)|white-space|list-style(?:-type)?|overflow|opacity|visibility|direction)$/,
  /^(?:text-(?:transform|indent)|(?:letter|word)-spacing|table-layout|caption-side|empty-cells|clear|box-sizing)$/,
  /^(?:word-break|word-wrap|overflow-wrap|hyphens|flex(?:-[a-z]+)?|justify-content|align-[a-z]+|order|gap)$/,
  /^(?:row-gap|column-gap|object-fit|background-(?:image|repeat|size))$/,
];
const VALUE = /^(?:[\w#%., /+-]|'[\w .,+\u00a1-\uffff-]*'|(?:rgb|hsl)a?\([\d.,%/ ]*\))+$/i;

const decode = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as string]!);

function checkStyle(style: string): void {
  for (const declaration of style.split('; ')) {
    const [property, value, ...more] = declaration.split(': ');
    assert.deepEqual(more, [], declaration);
    assert.ok(
      PROPERTIES.some((names) => names.test(property!)),
      `${property} may be set`,
    );
    if (property === 'background-image') assert.match(value!, /^url\('\/part\/[\w%.-]*'\)$/);
    else assert.match(value!, VALUE);
    assert.doesNotMatch(value!.replace(/'[^']*'/g, ''), /(?:^|[ ,/])-\d/, declaration);
    if (property === 'display')
      assert.match(
        value!,
        /^(?:none|block|inline|flow-root|list-item|(?:inline-)?(?:block|flex|table)|table-[a-z-]+)$/i,
      );
    if (property === 'overflow') assert.match(value!, /^(?:hidden|visible|auto)$/i);
  }
}

/** The characters of a document that has been made safe, without its elements. */
export const shownText = (html: string): string => decode(html.replace(/<[^>]*>/g, ''));

/** Asserts the invariants; gives the greatest depth of nesting. */
export function checkSafe(html: string): number {
  const open: string[] = [];
  let deepest = 0;
  const checkText = (text: string): void => {
    assert.doesNotMatch(text, /[<>"]/, `bare markup in text: ${text.slice(0, 200)}`);
    assert.doesNotMatch(text.replace(/&(?:amp|lt|gt|quot);/g, ''), /&/, 'an ampersand that is not ours');
    assert.doesNotMatch(text, /[\0-\x08\x0b-\x1f\x7f-\x9f]/, 'a control character');
  };
  assert.ok(html.isWellFormed(), 'no half of a surrogate pair');
  let done = 0;
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>/g)) {
    const [whole, slash, name, attributes] = match;
    checkText(html.slice(done, match.index));
    done = match.index + whole.length;
    assert.ok(ELEMENTS.has(name!), `element ${name}`);
    if (slash) {
      assert.equal(attributes, '');
      assert.equal(open.pop(), name, 'an end tag ends the innermost element');
      continue;
    }
    const seen = new Set<string>();
    let address: string | undefined;
    for (const [, key, raw] of attributes!.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      assert.ok(!seen.has(key!), `attribute ${key} twice`);
      seen.add(key!);
      checkText(raw!);
      const value = decode(raw!);
      if (key === 'style') checkStyle(value);
      else assert.match(value, ATTRIBUTES[key!] ?? /^attribute not on the list$/, `attribute ${key}`);
      if (key === 'href') address = value;
      if (key === 'href' || key === 'rel' || key === 'target') assert.match(name!, /^(?:a|area)$/);
      if (key === 'src') assert.equal(name, 'img');
    }
    if (address !== undefined && !/^(?:\/page\/|#)/.test(address)) {
      assert.ok(seen.has('rel') && seen.has('target'));
    }
    if (!VOID.has(name!)) open.push(name!);
    deepest = Math.max(deepest, open.length);
  }
  checkText(html.slice(done));
  assert.deepEqual(open, [], 'every element is closed');
  return deepest;
}

// What every sanitised document must fulfil, read from the finished text by a grammar much stricter than HTML, so that
// it shares no code with the tokenizer under test.

import assert from 'node:assert/strict';

export const ELEMENTS = new Set(
  (
    'p br hr div span a b i u s em strong small big sub sup code pre tt kbd samp var blockquote q cite abbr ul ol ' +
    'li dl dt dd h1 h2 h3 h4 h5 h6 table caption colgroup col thead tbody tfoot tr th td img font center del ins ' +
    'mark figure figcaption details summary address article section header footer main aside nav wbr time bdi bdo ' +
    'ruby rt rp strike dfn acronym nobr map area style'
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
  class: /^m-[\w.:\u00a1-\uffff-]*(?: m-[\w.:\u00a1-\uffff-]*)*$/,
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
  /^(?:row-gap|column-gap|object-fit|background(?:-(?:image|repeat|size))?|content)$/,
];
const VALUE = /^(?:[\w#%., /+-]|'[\w .,+\u00a1-\uffff-]*'|(?:rgb|hsl)a?\([\d.,%/ ]*\))+$/i;

const decode = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as string]!);

function checkStyle(style: string): void {
  for (const declaration of style.split('; ')) {
    const [property, whole, ...more] = declaration.split(': ');
    assert.deepEqual(more, [], declaration);
    const value = whole?.replace(/ !important$/, '');
    assert.ok(
      PROPERTIES.some((names) => names.test(property!)),
      `${property} may be set`,
    );
    if (property === 'background') assert.equal(value, 'none');
    else if (property === 'content') assert.match(value!, /^(?:none|normal|'[^']*')$/i);
    else if (property === 'background-image') assert.match(value!, /^none$|^url\('\/part\/[\w%.!~*-]*'\)$/);
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

const NAME = String.raw`[\w\u00a1-\uffff-]+`;
const CONDITION =
  String.raw`\.m-${NAME}|#m-${NAME}|:(?:any-link|hover|active|focus|(?:first|last|only)-(?:child|of-type))|` +
  String.raw`::(?:before|after)|:nth-(?:last-)?(?:child|of-type)\((?:[\dn+-]+|odd|even)\)|` +
  String.raw`\[(?:class|id|name)[~|^$*]?='[\w .:/%\u00a1-\uffff-]+'(?: i)?\]|\[href\^?='(?:https?|mailto|tel|sms):[^'"<>\\]*'(?: i)?\]|` +
  String.raw`\[(?!href|src|style|class|id|name)[a-z]+(?:[~|^$*]?='[^'"<>\\]*'(?: i)?)?\]|\[(?:href|class|id|name)\]`;
const SELECTOR = new RegExp(
  String.raw`^\.m-mail-[\da-f]{12}(?:[ >+](?=[a-z*.#:[])(?:[a-z\d]+|\*)?(?:${CONDITION})*)*$`,
);
const MEDIA = /^(?:(?:screen|print|not print)|\((?:m(?:in|ax)-)?width:[\d.]+(?:px|em|rem)\)|,| and )+$/;

/** Asserts that rules are of the list, and each is below the root of a message. */
export function checkSheet(css: string): void {
  let depth = 0;
  let done = 0;
  for (const match of css.matchAll(/@media ([^{}]+)\{|([^{}]+)\{([^{}]+)\}|\}/g)) {
    const [whole, media, selectors, declarations] = match;
    assert.equal(match.index, done, `between rules: ${css.slice(done, match.index)}`);
    done += whole.length;
    depth += whole === '}' ? -1 : media === undefined ? 0 : 1;
    assert.ok(depth >= 0);
    if (media !== undefined) assert.match(media, MEDIA);
    for (const selector of selectors?.split(/,(?![^[]*\])/) ?? []) assert.match(selector, SELECTOR);
    if (declarations !== undefined) checkStyle(declarations);
  }
  assert.equal(css.slice(done), '', 'behind the rules');
  assert.equal(depth, 0);
}

/** The characters of a document that has been made safe, without its elements. */
export const shownText = (html: string): string =>
  decode(html.replace(/<style>.*?<\/style>/gs, '').replace(/<[^>]*>/g, ''));

/** Asserts the invariants; gives the greatest depth of nesting. */
export function checkSafe(page: string): number {
  const html = page.replace(/<style>([^<>]*(?:>[^<>]+)*)<\/style>/g, (_, css) => {
    checkSheet(css);
    return '';
  });
  const open: string[] = [];
  let deepest = 0;
  const checkText = (text: string): void => {
    assert.doesNotMatch(text, /[<>"]/, `bare markup in text: ${text.slice(0, 200)}`);
    assert.doesNotMatch(text.replace(/&(?:amp|lt|gt|quot);/g, ''), /&/, 'an ampersand that is not ours');
    assert.doesNotMatch(text, /[\0-\x08\x0b-\x1f\x7f-\x9f]/, 'a control character');
  };
  assert.ok(page.isWellFormed(), 'no half of a surrogate pair');
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

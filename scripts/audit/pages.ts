// What pages, drawings and style sheets of the web client may load: each is parsed by a grammar that is narrower than
// that of browsers, and what is not listed here is refused.

import { isUtf8 } from 'node:buffer';

type Refuse = (at: number, why: string) => void;
interface Tag {
  name: string;
  at: number;
  attributes: Map<string, string>;
}

/** attributes that any element of a page may have; those with `-` are prefixes */
const COMMON = ['id', 'class', 'lang', 'tabindex', 'hidden', 'role', 'aria-', 'data-'];
const PAGE_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'rel'],
  b: [],
  body: [],
  button: ['type'],
  code: [],
  dd: [],
  dl: [],
  dt: [],
  em: [],
  form: ['method', 'action'],
  h1: [],
  h2: [],
  h3: [],
  head: [],
  header: [],
  html: [],
  img: ['src', 'alt', 'width', 'height'],
  kbd: [],
  li: [],
  link: ['rel', 'href', 'type', 'crossorigin'],
  main: [],
  meta: ['charset', 'name', 'content', 'media'],
  nav: [],
  noscript: [],
  ol: [],
  p: [],
  pre: [],
  samp: [],
  script: ['type', 'src', 'async'],
  strong: [],
  table: [],
  tbody: [],
  td: [],
  th: ['scope'],
  thead: [],
  title: [],
  tr: [],
  ul: [],
};
const DRAWING_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  circle: ['cx', 'cy', 'r'],
  path: ['d'],
  rect: ['width', 'height', 'rx', 'x', 'y'],
  svg: ['xmlns', 'viewBox', 'aria-hidden'],
  symbol: ['id', 'viewBox'],
  title: [],
};
const STROKES = ['fill', 'stroke', 'stroke-width', 'stroke-linecap'];
/** elements in which a browser reads text, not tags */
const TEXT_ONLY = new Set(['script', 'title']);
const LINK_TYPES = new Set(['icon', 'apple-touch-icon', 'manifest', 'stylesheet']);
const META_NAMES = new Set(['viewport', 'color-scheme', 'theme-color', 'referrer']);
/** addresses that a reader may go to; nothing is loaded from there */
const LINK_SCHEME = /^(?:https?|mailto):/;
/** below the site: `../s/css/app.css`, `style.css`, `#title`, `guide/` */
const INSIDE = /^(?:(?:\.\.\/)*(?:[a-z0-9_-][a-z0-9._-]*\/)*(?:[a-z0-9_-][a-z0-9._-]*)?)(?:#[\w-]*)?$/i;

const TEXT = /[^<]+/y;
const COMMENT = /<!--[^<>]*-->/y;
const DOCTYPE = /<!doctype html>/y;
const CLOSE = /<\/([a-zA-Z][a-zA-Z0-9]*)>/y;
const OPEN = /<([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z-]*(?:="[^"<>]*")?)*)\s*(\/?)>/y;
const ATTRIBUTE = /([a-zA-Z][a-zA-Z-]*)(?:="([^"]*)")?/g;

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** `src/a.html:3: why`; `path` ends in html, svg or css. */
export function pageOffences(path: string, text: string): string[] {
  const offences: string[] = [];
  const refuse: Refuse = (at, why) => offences.push(`${path}:${lineAt(text, at)}: ${why}`);
  if (path.endsWith('.css')) checkStyles(text, refuse);
  else checkMarkup(text, path.endsWith('.svg'), refuse);
  return offences;
}

/** The scripts and style sheets that a page names, below static/. */
export function loadedBy(page: string): string[] {
  const loaded: string[] = [];
  checkMarkup(
    page,
    false,
    () => {},
    ({ name, attributes }) => {
      const address = name === 'script' ? attributes.get('src') : attributes.get('href');
      const isLoaded = name === 'script' || (name === 'link' && attributes.get('rel') === 'stylesheet');
      if (isLoaded && address) loaded.push(address.replace(/^\.\.\/s\//, 'static/'));
    },
  );
  return loaded;
}

function checkMarkup(text: string, isDrawing: boolean, refuse: Refuse, onTag: (tag: Tag) => void = () => {}): void {
  const open: string[] = [];
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  };
  while (position < text.length) {
    const at = position;
    const isText = take(TEXT);
    if (isText) {
      if (open.at(-1) === 'script' && isText[0].trim() !== '') refuse(at, 'has an inline script');
      if (isDrawing && isText[0].includes('&')) refuse(at, 'has an entity');
      continue;
    }
    const closed = take(CLOSE);
    if (closed) {
      if (closed[1] === open.at(-1)) open.pop();
      else refuse(at, `closes ${closed[1]} where ${open.at(-1) ?? 'nothing'} is open`);
      continue;
    }
    if (TEXT_ONLY.has(open.at(-1) ?? '')) {
      refuse(at, `has markup in ${open.at(-1)}`);
      return;
    }
    if (take(COMMENT) || (!isDrawing && at === 0 && take(DOCTYPE))) continue;
    const opened = take(OPEN);
    if (!opened) {
      refuse(at, `cannot be parsed: ${text.slice(at, at + 60).split('\n')[0]}`);
      return;
    }
    const [, name, source, slash] = opened;
    const attributes = new Map<string, string>();
    for (const [, attribute, value = ''] of source!.matchAll(ATTRIBUTE)) {
      if (attributes.has(attribute!)) refuse(at, `has ${attribute} twice`);
      attributes.set(attribute!, value);
    }
    const tag = { name: name!, at, attributes };
    if (isDrawing) checkDrawingTag(tag, refuse);
    else checkPageTag(tag, refuse);
    onTag(tag);
    const isVoid = isDrawing ? slash === '/' : VOID.has(name!);
    if (slash && !isDrawing) refuse(at, `has ${name} with a slash`);
    if (!isVoid) open.push(name!);
  }
  if (open.length > 0) refuse(text.length, `leaves ${open.at(-1)} open`);
}

const VOID = new Set(['img', 'link', 'meta']);

function checkDrawingTag({ name, at, attributes }: Tag, refuse: Refuse): void {
  if (!Object.hasOwn(DRAWING_ELEMENTS, name)) {
    refuse(at, `has the element ${name}`);
    return;
  }
  for (const [attribute, value] of attributes) {
    const isListed = DRAWING_ELEMENTS[name]!.includes(attribute) || STROKES.includes(attribute);
    if (!isListed) refuse(at, `has ${attribute} on ${name}`);
    else if (attribute === 'xmlns' ? value !== 'http://www.w3.org/2000/svg' : !/^[\w#.,\s-]*$/.test(value)) {
      refuse(at, `has ${attribute}="${value}"`);
    }
  }
}

function checkPageTag({ name, at, attributes }: Tag, refuse: Refuse): void {
  if (!Object.hasOwn(PAGE_ELEMENTS, name)) {
    refuse(at, `has the element ${name}`);
    return;
  }
  for (const attribute of attributes.keys()) {
    const isCommon = COMMON.some((each) => (each.endsWith('-') ? attribute.startsWith(each) : attribute === each));
    if (!isCommon && !PAGE_ELEMENTS[name]!.includes(attribute)) refuse(at, `has ${attribute} on ${name}`);
  }
  const value = (attribute: string) => attributes.get(attribute) ?? '';
  for (const attribute of ['href', 'src', 'action']) {
    const address = value(attribute);
    const isInside = INSIDE.test(address) || (name === 'a' && LINK_SCHEME.test(address) && !/[\s\\]/.test(address));
    if (!isInside) refuse(at, `loads ${address}`);
  }
  if (name === 'script' && (value('type') !== 'module' || !/^\.\.\/s\/[a-z/-]+\.js$/.test(value('src')))) {
    refuse(at, `has a script other than a module below ../s/`);
  }
  if (name === 'link' && !LINK_TYPES.has(value('rel'))) refuse(at, `has a link of the type ${value('rel')}`);
  if (name === 'meta' && !attributes.has('charset') && !META_NAMES.has(value('name'))) {
    refuse(at, `has the meta element ${value('name')}`);
  }
}

const AT_RULES = new Set(['container', 'keyframes', 'layer', 'media']);
const FUNCTIONS = new Set(
  (
    'attr brightness calc clamp color-mix cubic-bezier env has inset is lang light-dark max min minmax not nth-child ' +
    'oklch repeat repeating-linear-gradient rotate round var where'
  ).split(' '),
);
const STYLE_TOKEN =
  /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|@?-{0,2}[a-zA-Z_][\w-]*\(?|\/(?!\*)|[^"'\\@a-zA-Z_/]/y;

/** Functions and at-rules by their names; an escape, or what is no token, is refused. */
function checkStyles(text: string, refuse: Refuse): void {
  let position = 0;
  while (position < text.length) {
    STYLE_TOKEN.lastIndex = position;
    const token = STYLE_TOKEN.exec(text)?.[0];
    if (token === undefined) {
      refuse(position, `cannot be parsed: ${text.slice(position, position + 40)}`);
      return;
    }
    const name = token.toLowerCase();
    if (name.startsWith('@') && !AT_RULES.has(name.slice(1))) refuse(position, `has ${token}`);
    else if (name.endsWith('(') && /^[-a-z_]/.test(name) && !FUNCTIONS.has(name.slice(0, -1))) {
      refuse(position, `uses ${token})`);
    }
    position = STYLE_TOKEN.lastIndex;
  }
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Bytes that are no text as the sources have it: another encoding, a byte order mark, characters that nobody sees. */
export function textOffence(bytes: Uint8Array): { line: number; why: string } | undefined {
  if (!isUtf8(bytes)) return { line: 1, why: 'is not UTF-8' };
  const text = Buffer.from(bytes).toString('utf8');
  for (const [index, line] of text.split('\n').entries()) {
    const found = INVISIBLE.exec(line.replaceAll('\t', ' '));
    const code = found?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    if (code) return { line: index + 1, why: `has the character U+${code}` };
  }
  return undefined;
}

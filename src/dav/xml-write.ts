// The only place that makes XML. What is no Markup is text and gets escaped, so nothing can break out of its element.
// Elements of the namespace DAV: carry the prefix D:, which multistatus.ts declares; some clients know no other way.

const SPECIAL = /[&<>\r]/g;
/** what XML 1.0 cannot hold, not even as a reference: most control characters, lone surrogates, U+FFFE and U+FFFF */
const IMPOSSIBLE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** most text needs neither of the two */
const SUSPECT = /[^\t\n -%'-;=?-~\xa0-\ud7ff]/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

export const DAV_NAMESPACE = 'DAV:';
export const CALDAV_NAMESPACE = 'urn:ietf:params:xml:ns:caldav';
export const CARDDAV_NAMESPACE = 'urn:ietf:params:xml:ns:carddav';

/** XML that is complete in itself; made by the functions of this file only. */
export class Markup {
  readonly text: string;

  constructor(key: typeof MAKER, text: string) {
    if (key !== MAKER) throw new Error('Markup is made by xml-write.ts');
    this.text = text;
  }
}

const MAKER = Symbol('xml-write');

export type Content = Markup | string | number;

/** `element('D:href', '/a&b')` → `<D:href>/a&amp;b</D:href>`; `name` is one of our own constants. */
export function element(name: string, ...content: Content[]): Markup {
  const inner = joined(content);
  return new Markup(MAKER, inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`);
}

/** An empty element of any namespace, whose local name xml-read.ts has checked. */
export function emptyElement(namespace: string, localName: string): Markup {
  if (namespace === DAV_NAMESPACE) return new Markup(MAKER, `<D:${localName}/>`);
  if (namespace === '') return new Markup(MAKER, `<${localName}/>`);
  return new Markup(MAKER, `<x:${localName} xmlns:x="${escapeAttribute(namespace)}"/>`);
}

/** The XML declaration and the start of a root element that declares D:. */
export function documentStart(name: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<${name} xmlns:D="${DAV_NAMESPACE}">`;
}

/** A whole document. */
export function document(name: string, ...content: Content[]): string {
  return `${documentStart(name)}${joined(content)}</${name}>
`;
}

function joined(content: readonly Content[]): string {
  let text = '';
  for (const piece of content) text += piece instanceof Markup ? piece.text : escapeText(String(piece));
  return text;
}

function escapeText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(IMPOSSIBLE, '\ufffd').replace(SPECIAL, (char) => ENTITIES[char]!);
}

// a parser turns line ends and tabs of an attribute into blanks, unless they come as references
function escapeAttribute(text: string): string {
  return escapeText(text).replace(/["\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

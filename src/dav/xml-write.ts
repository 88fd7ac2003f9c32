// The only place that makes XML. Anything but Markup is text and is escaped, so it cannot break out of its element.
// Elements of the namespaces in NAMESPACES have these prefixes, which the root declares: some clients only understand
// D: for DAV:.

import { AppError } from '../errors.ts';
import { escapeMarkup, replaceEach } from '../html/escape.ts';
import { expandedName, NAMESPACES, readXml, XML_NAMESPACE, type XmlElement } from './xml-read.ts';

/** not possible in XML 1.0, not even as a reference: most control characters, lone surrogates, U+FFFE and U+FFFF */
const IMPOSSIBLE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** text that needs escaping or replacing; most does not */
const SUSPECT = /[^\t\n -%'-;=?-~\xa0-\ud7ff]/;

/** namespace → prefix */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMESPACES).map(([prefix, namespace]) => [namespace, prefix]),
);

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

/** The same with attributes, whose names are constants of ours, too. */
export function elementWith(name: string, attributes: Readonly<Record<string, string>>, ...content: Content[]): Markup {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  const inner = joined(content);
  const tag = `${name}${written.join('')}`;
  return new Markup(MAKER, inner === '' ? `<${tag}/>` : `<${tag}>${inner}</${name}>`);
}

/** Several pieces as one, each on a line of its own. */
export function inLines(pieces: Iterable<Markup>): Markup {
  return new Markup(MAKER, Array.from(pieces, ({ text }) => text).join('\n'));
}

/** An empty element of any namespace, whose local name xml-read.ts has checked. */
export function emptyElement(namespace: string, localName: string): Markup {
  const prefix = PREFIXES.get(namespace);
  if (prefix !== undefined) return new Markup(MAKER, `<${prefix}:${localName}/>`);
  if (namespace === '') return new Markup(MAKER, `<${localName}/>`);
  return new Markup(MAKER, `<x:${localName} xmlns:x="${escapeAttribute(namespace)}"/>`);
}

/** As emptyElement, with this content. */
export function elementNamed({ namespace, name }: { namespace: string; name: string }, ...content: Content[]): Markup {
  const { text } = emptyElement(namespace, name);
  const tag = /^<([^\s/]+)/.exec(text)![1];
  return new Markup(MAKER, `${text.slice(0, -2)}>${joined(content)}</${tag}>`);
}

/**
 * An element that was read, with its content, in the same namespaces whatever prefixes it had. Undefined if it is
 * longer than `maxCharacters`, since each element declares its namespace anew.
 */
export function writtenElement(read: XmlElement, maxCharacters: number): Markup | undefined {
  const text = writtenText(read, maxCharacters);
  return text === undefined ? undefined : new Markup(MAKER, text);
}

/** The element as a document of its own, declaring the prefixes that it uses. */
export function standalone({ text }: Markup): string {
  const end = /[\s/>]/.exec(text)?.index ?? text.length;
  return `${text.slice(0, end)}${declarations(prefixesIn(text))}${text.slice(end)}`;
}

/**
 * An element that was read, as text to be stored and read again. Undefined if that is impossible: written anew it is
 * too long, or has too many attributes, since each of another namespace declares that.
 */
export function storable(read: XmlElement, maxBytes: number): string | undefined {
  const written = writtenElement(read, maxBytes);
  const text = written && standalone(written);
  if (text === undefined || Buffer.byteLength(text) > maxBytes) return undefined;
  return readAgain(text) && text;
}

/** An element that was stored. Undefined if it cannot be read: others can write to the store, too. */
export function readAgain(stored: string): XmlElement | undefined {
  try {
    return readXml(Buffer.from(stored));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function writtenText({ namespace, name, attributes, content }: XmlElement, max: number): string | undefined {
  const prefix = PREFIXES.get(namespace);
  const tag = prefix !== undefined ? `${prefix}:${name}` : namespace === '' ? name : `x:${name}`;
  let start = tag;
  if (prefix === undefined && namespace !== '') start += ` xmlns:x="${escapeAttribute(namespace)}"`;
  let count = 0;
  for (const [key, value] of attributes) {
    const { namespace: of, name: local } = attributeName(key);
    if (of === '') start += ` ${local}="${escapeAttribute(value)}"`;
    else if (of === XML_NAMESPACE) start += ` xml:${local}="${escapeAttribute(value)}"`;
    else start += ` xmlns:a${count}="${escapeAttribute(of)}" a${count++}:${local}="${escapeAttribute(value)}"`;
  }
  let inner = '';
  for (const piece of content) {
    const text = typeof piece === 'string' ? escapeText(piece) : writtenText(piece, max - inner.length);
    if (text === undefined || inner.length + text.length > max) return undefined;
    inner += text;
  }
  const text = inner === '' ? `<${start}/>` : `<${start}>${inner}</${tag}>`;
  return text.length > max ? undefined : text;
}

/** `'{urn:x}lang'` or `'lang'`, as xml-read.ts spells an attribute */
function attributeName(key: string): { namespace: string; name: string } {
  const end = key.lastIndexOf('}');
  return { namespace: key.slice(1, Math.max(1, end)), name: key.slice(end + 1) };
}

/** 403 because this precondition does not hold (RFC 4918 section 16): `'C:valid-filter'`. */
export function unmet(condition: string, message: string): AppError {
  return new AppError('forbidden', message, { condition: { ...expandedName(condition), hrefs: [] } });
}

/** The XML declaration and the start of a root element that declares every prefix of ours. */
export function documentStart(name: string): string {
  return rootStart(name, Object.keys(NAMESPACES));
}

/** A whole document, whose root declares the prefixes that it uses. */
export function document(name: string, ...content: Content[]): string {
  const inner = joined(content);
  const used = new Set(['D', ...prefixesIn(inner)]);
  return `${rootStart(name, [...used])}${inner}</${name}>
`;
}

function rootStart(name: string, prefixes: readonly string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<${name}${declarations(prefixes)}>`;
}

/** Those of NAMESPACES that markup uses. */
function prefixesIn(text: string): string[] {
  return Object.keys(NAMESPACES).filter((prefix) => text.includes(`<${prefix}:`));
}

function declarations(prefixes: readonly string[]): string {
  return prefixes.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join('');
}

function joined(content: readonly Content[]): string {
  let text = '';
  for (const piece of content) text += piece instanceof Markup ? piece.text : escapeText(String(piece));
  return text;
}

function escapeText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return replaceEach(escapeMarkup(text.replace(IMPOSSIBLE, '\ufffd')), '\r', '&#13;');
}

// a parser turns line ends and tabs of an attribute into blanks, unless they are references
function escapeAttribute(text: string): string {
  return escapeText(text).replace(/["\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

// Reads the XML bodies of DAV requests into a small tree: XML 1.0 with namespaces, within bounds. What is not
// well-formed is bad_request, and so is a DOCTYPE.

import { AppError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  MAX_SHORT_XML_BYTES,
  MAX_XML_ATTRIBUTES,
  MAX_XML_BYTES,
  MAX_XML_DEPTH,
  MAX_XML_ELEMENTS,
  MAX_XML_NAMESPACE_CHARACTERS,
  XML_TURN_MS,
} from '../limits/dav.ts';
import { atOnce, type Steps } from '../system/steps.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { decodeXml, XmlCursor } from './xml-cursor.ts';

export interface XmlElement {
  namespace: string;
  name: string;
  /** by `{namespace}name`, or the bare name without a prefix; no namespace declarations */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** all character data directly inside, joined */
  text: string;
  /** both of these in their order */
  content: (XmlElement | string)[];
}

/** Prefixes of element names in our source and of the documents that we write. */
export const NAMESPACES: Readonly<Record<string, string>> = {
  D: 'DAV:',
  C: 'urn:ietf:params:xml:ns:caldav', // RFC 4791
  CR: 'urn:ietf:params:xml:ns:carddav', // RFC 6352
  CS: 'http://calendarserver.org/ns/', // Apple's calendar server: getctag and the like
  I: 'http://apple.com/ns/ical/', // colour and order of a calendar
};
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** the prefixes that one element declares, and those around it */
interface Scope {
  declared: ReadonlyMap<string, string>;
  outer: Scope | undefined;
}

const OUTERMOST: Scope = {
  declared: new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ]),
  outer: undefined,
};

/** of most elements */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

interface Open {
  element: XmlElement;
  /** as written, for the end tag */
  tag: string;
  scope: Scope;
}

/** The root element of a body, whatever its Content-Type; undefined without a body. Throws bad_request. */
export async function readXmlBody(exchange: Exchange): Promise<XmlElement | undefined> {
  return rootOf(exchange, await readBody(exchange, MAX_XML_BYTES));
}

/** The same of a body that was received. */
export async function rootOf({ gone }: Exchange, bytes: Buffer): Promise<XmlElement | undefined> {
  if (bytes.length === 0) return undefined;
  if (bytes.length <= MAX_SHORT_XML_BYTES) return readXml(bytes);
  return requestTurns.run(readXmlInSteps(bytes), XML_TURN_MS, () => gone.throwIfAborted());
}

/** The result of `work` on a body, in turns, the first slice at once. Throws the reason of `gone`, if aborted. */
export function paced<R>(work: Steps<R>, gone: AbortSignal): Promise<R> {
  return requestTurns.run(work, XML_TURN_MS, () => gone.throwIfAborted(), true);
}

/** The root element. Throws bad_request if it is not well-formed, too_large beyond a bound. */
export function readXml(bytes: Buffer): XmlElement {
  return atOnce(readXmlInSteps(bytes));
}

/** The same, one step for each token. */
export function* readXmlInSteps(bytes: Buffer): Steps<XmlElement> {
  const cursor = new XmlCursor(decodeXml(bytes));
  cursor.skipDeclaration();
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  for (; !cursor.isAtEnd; yield) {
    const current = open.at(-1);
    const text = cursor.takeText();
    if (text !== '') {
      if (current) addText(current.element, text);
      else if (!/^[ \t\n]*$/.test(text) || cursor.wasReference) throw malformed('Text outside the root element.');
      continue;
    }
    if (cursor.skipMisc()) continue;
    const section = cursor.takeCdata();
    if (section !== undefined) {
      if (!current) throw malformed('Text outside the root element.');
      addText(current.element, section);
      continue;
    }
    const ended = cursor.takeEndTag();
    if (ended !== undefined) {
      if (current?.tag !== ended) throw malformed('An end tag does not match.');
      open.pop();
      continue;
    }
    if (!current && root) throw malformed('There is more than one root element.');
    if (++count > MAX_XML_ELEMENTS) throw new AppError('too_large', 'The XML has too many elements.');
    if (open.length >= MAX_XML_DEPTH) throw new AppError('too_large', 'The XML is nested too deeply.');
    const start = cursor.takeStartTag(MAX_XML_ATTRIBUTES);
    const opened = openElement(start.tag, start.attributes, current?.scope ?? OUTERMOST);
    if (current) {
      current.element.children.push(opened.element);
      current.element.content.push(opened.element);
    } else root = opened.element;
    if (!start.isEmpty) open.push(opened);
  }
  if (!root || open.length > 0) throw malformed('The XML ends early.');
  return root;
}

function addText(element: XmlElement, text: string): void {
  element.text += text;
  if (element.content.length === 0) {
    element.content = [text]; // push() would allocate more than most elements need
    return;
  }
  const last = element.content.at(-1);
  if (typeof last === 'string') element.content[element.content.length - 1] = last + text;
  else element.content.push(text);
}

function openElement(tag: string, written: readonly (readonly [string, string])[], outer: Scope): Open {
  const scope = scopeOf(written, outer);
  const { prefix, local } = splitName(tag);
  if (prefix === 'xmlns') throw malformed('The prefix xmlns cannot be used.');
  const namespace = resolve(prefix, scope);
  const attributes = attributesOf(written, scope);
  return { element: { namespace, name: local, attributes, children: [], text: '', content: [] }, tag, scope };
}

function attributesOf(written: readonly (readonly [string, string])[], scope: Scope): ReadonlyMap<string, string> {
  if (written.length === 0) return NO_ATTRIBUTES;
  const attributes = new Map<string, string>();
  for (const [name, value] of written) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    const parts = splitName(name);
    // without a prefix an attribute has no namespace, whatever the default is
    const key = parts.prefix === '' ? name : `{${resolve(parts.prefix, scope)}}${parts.local}`;
    if (attributes.has(key)) throw malformed('An attribute occurs twice.');
    attributes.set(key, value);
  }
  return attributes;
}

/** The prefixes in force inside an element (Namespaces in XML 1.0 section 3). */
function scopeOf(written: readonly (readonly [string, string])[], outer: Scope): Scope {
  const declared = new Map<string, string>();
  for (const [name, value] of written) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    const prefix = name === 'xmlns' ? '' : splitName(name).local;
    if (value.length > MAX_XML_NAMESPACE_CHARACTERS)
      throw new AppError('too_large', 'The name of a namespace is too long.');
    if (declared.has(prefix)) throw malformed('A namespace is declared twice.');
    const isReserved = prefix === 'xmlns' || value === XMLNS_NAMESPACE;
    if (isReserved || (prefix === 'xml') !== (value === XML_NAMESPACE)) {
      throw malformed('A reserved namespace is declared.');
    }
    if (prefix !== '' && value === '') throw malformed('A prefix is declared without a namespace.');
    declared.set(prefix, value);
  }
  return declared.size === 0 ? outer : { declared, outer };
}

function resolve(prefix: string, scope: Scope): string {
  for (let inner: Scope | undefined = scope; inner; inner = inner.outer) {
    const namespace = inner.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  throw malformed('A prefix is not declared.');
}

/** `'D:href'` → D and href */
function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

function malformed(message: string): AppError {
  return new AppError('bad_request', message);
}

export interface ExpandedName {
  namespace: string;
  name: string;
}

const EXPANDED = new Map<string, ExpandedName>();

/** `'C:calendar-data'`, a constant of our source → its namespace and local name. Throws Error for another prefix. */
export function expandedName(prefixed: string): Readonly<ExpandedName> {
  return EXPANDED.getOrInsertComputed(prefixed, () => {
    const colon = prefixed.indexOf(':');
    const namespace = NAMESPACES[prefixed.slice(0, colon)];
    if (namespace === undefined) throw new Error(`unknown prefix: ${prefixed}`);
    return { namespace, name: prefixed.slice(colon + 1) };
  });
}

/** Whether the element has this name, `'C:filter'`. */
export function isElement(element: XmlElement, prefixed: string): boolean {
  const { namespace, name } = expandedName(prefixed);
  return element.name === name && element.namespace === namespace;
}

/** Other elements are ignored (RFC 4918 section 17). */
export function childrenNamed(parent: XmlElement, prefixed: string): XmlElement[] {
  return parent.children.filter((child) => isElement(child, prefixed));
}

/** The only child of that name, if there is one. Throws bad_request for several. */
export function childNamed(parent: XmlElement, prefixed: string): XmlElement | undefined {
  const found = childrenNamed(parent, prefixed);
  if (found.length > 1) throw new AppError('bad_request', `There is more than one ${prefixed} in ${parent.name}.`);
  return found[0];
}

// The body of PROPFIND (RFC 4918 section 14.20): which properties it names. Elements that we do not know are passed
// over (RFC 4918 section 17).

import { AppError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_SHORT_XML_BYTES, MAX_XML_BYTES, XML_TURN_MS } from '../limits/dav.ts';
import type { Steps } from '../system/steps.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { type PropertyName, propertyKey, requireFewProperties, requireRoomForProperties } from './resource.ts';
import { DAV_NAMESPACE, isDav, readXml, readXmlInSteps, type XmlElement } from './xml-read.ts';

export type WantedProperties =
  | { kind: 'all'; include: PropertyName[] }
  | { kind: 'names' }
  | { kind: 'some'; properties: PropertyName[] };

const QUESTIONS: ReadonlySet<string> = new Set(['prop', 'allprop', 'propname']);

/** The root element of a body, whatever its Content-Type says; undefined where there is no body. Throws bad_request. */
export async function readXmlBody(exchange: Exchange): Promise<XmlElement | undefined> {
  return rootOf(exchange, await readBody(exchange, MAX_XML_BYTES));
}

/** The same of a body that has been read. */
export async function rootOf({ gone }: Exchange, bytes: Buffer): Promise<XmlElement | undefined> {
  if (bytes.length === 0) return undefined;
  if (bytes.length <= MAX_SHORT_XML_BYTES) return readXml(bytes);
  return requestTurns.run(readXmlInSteps(bytes), XML_TURN_MS, () => gone.throwIfAborted());
}

/** The result of `work` on a body, in turns, the first one at once. Throws what `gone` is aborted with. */
export function paced<R>(work: Steps<R>, gone: AbortSignal): Promise<R> {
  return requestTurns.run(work, XML_TURN_MS, () => gone.throwIfAborted(), true);
}

/** No body asks for all properties (RFC 4918 section 9.1). Throws bad_request. */
export function parsePropfind(root: XmlElement | undefined): WantedProperties {
  if (!root) return { kind: 'all', include: [] };
  if (!isDav(root, 'propfind')) throw new AppError('bad_request', 'The body is no propfind.');
  const wanted = parseWanted(root);
  if (!wanted) throw new AppError('bad_request', 'A propfind asks for exactly one thing.');
  return wanted;
}

/** What a PROPFIND or a report asks for; undefined where it says nothing. Throws bad_request for two things. */
export function parseWanted(root: XmlElement): WantedProperties | undefined {
  const asked = root.children.filter(({ namespace, name }) => namespace === DAV_NAMESPACE && QUESTIONS.has(name));
  const [only] = asked;
  if (asked.length > 1) throw new AppError('bad_request', 'Only one of prop, allprop and propname can be asked for.');
  if (!only) return undefined;
  if (only.name === 'propname') return { kind: 'names' };
  if (only.name === 'prop') return { kind: 'some', properties: namesIn([only]) };
  return { kind: 'all', include: namesIn(root.children.filter((child) => isDav(child, 'include'))) };
}

function namesIn(elements: readonly XmlElement[]): PropertyName[] {
  const names = new Map<string, PropertyName>();
  for (const { children } of elements) {
    for (const { namespace, name } of children) {
      names.set(propertyKey({ namespace, name }), { namespace, name });
      requireRoomForProperties(names.size);
    }
  }
  requireFewProperties(names.values());
  return [...names.values()];
}

// REPORT as tests send it, and its answers in a form that can be compared whole.

import { documentStart } from '../../src/dav/xml-write.ts';
import type { Api } from './gateway.ts';

const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';

/** `body`: `'<C:calendar-query>…'`, with the prefixes D, C and CR declared. */
export function report(api: Api, path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const declared = body.replace(/^<([^\s/>]+)/, `<$1 ${NAMESPACES}`);
  return api(path, { method: 'REPORT', headers: { 'content-type': 'application/xml', ...headers }, body: declared });
}

/**
 * Status and document: tags, tokens and times by their names, line ends of objects as LF, and responses in the order of
 * their hrefs, for a multistatus has none of its own.
 */
export async function toldReport(answer: Response): Promise<[number, string]> {
  const text = await answer.text();
  const told = text
    .replaceAll('&#13;\n', '\n')
    .replaceAll('\r\n', '\n')
    .replace(/(<D:getetag>)"\d+"/g, '$1"TAG"')
    .replace(/(<D:sync-token>)[^<]+/g, '$1TOKEN')
    .replace(/^(DTSTAMP:).*$/gm, (line) => (text.includes('VFREEBUSY') ? 'DTSTAMP:NOW' : line));
  return [answer.status, ordered(told)];
}

function ordered(text: string): string {
  const [head, ...responses] = text.split('\n<D:response>');
  const [last = '', end] = (responses.pop() ?? '').split(/\n(?=<D:sync-token>|<\/D:multistatus>)/, 2);
  if (end === undefined) return text;
  const rest = text.slice(text.lastIndexOf(last) + last.length);
  return [head, ...[...responses, last].sort()].join('\n<D:response>') + rest;
}

/** A multistatus with these responses, one a line. */
export function multistatus(...responses: string[]): [number, string] {
  return [207, ordered(`${[documentStart('D:multistatus'), ...responses].join('\n')}\n</D:multistatus>\n`)];
}

/** One with properties; `'TAG'` stands for any tag. */
export function responseOf(href: string, ...properties: string[]): string {
  return (
    `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties.join('')}</D:prop>` +
    '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>'
  );
}

export function gone(href: string): string {
  return `<D:response><D:href>${href}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>`;
}

export function cutAt(href: string): string {
  return (
    `<D:response><D:href>${href}</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status>` +
    '<D:error><D:number-of-matches-within-limits/></D:error></D:response>'
  );
}

export const TAG = '<D:getetag>"TAG"</D:getetag>';

/** The whole error document of a precondition: `'C:valid-filter'`. */
export function condition(prefixed: string): [number, string] {
  const [prefix, name] = prefixed.split(':') as [string, string];
  const namespace = { C: 'urn:ietf:params:xml:ns:caldav', CR: 'urn:ietf:params:xml:ns:carddav' }[prefix];
  const element = namespace === undefined ? `<D:${name}/>` : `<C:${name} xmlns:C="${namespace}"/>`;
  return [403, `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:">${element}</D:error>\n`];
}

/** `VCALENDAR` with CR LF, around lines that are written with LF. */
export function calendarOf(...lines: string[]): string {
  return lined('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//Reports//EN', ...lines, 'END:VCALENDAR');
}

export function lined(...lines: string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Throws unless it was stored. */
export async function store(api: Api, path: string, body: string): Promise<void> {
  const type = body.startsWith('BEGIN:VCARD') ? 'text/vcard' : 'text/calendar';
  const answer = await api(path, { method: 'PUT', headers: { 'content-type': `${type}; charset=utf-8` }, body });
  if (answer.status === 201 || answer.status === 204) return;
  throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`);
}

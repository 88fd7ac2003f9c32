// Atom documents (RFC 4287), written in pieces. Text is escaped here and nowhere else, so what members have written
// cannot leave its element.

import { escapeHtml } from '../../html/escape.ts';

/** What a feed says of itself. Addresses are absolute. */
export interface AtomFeed {
  /** an IRI that never changes */
  id: string;
  title: string;
  /** Unix seconds */
  updated: number;
  /** of the feed itself, without any secret */
  self: string;
  /** of the page that shows the same */
  alternate: string;
}

export interface AtomEntry {
  id: string;
  title: string;
  author: string;
  updated: number;
  alternate: string;
  /** safe HTML, with the address that its own are relative to; undefined: it is to be read at its page */
  content: { html: string; base: string } | undefined;
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** The beginning of the document; entries and ATOM_END follow. */
export function atomStart({ id, title, updated, self, alternate }: AtomFeed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xmlText(id)}</id>
<title>${xmlText(title)}</title>
<updated>${atomTime(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>
<link rel="alternate" type="text/html" href="${xmlText(alternate)}"/>
<generator>Vestibule</generator>
`;
}

export const ATOM_END = '</feed>\n';

export function atomEntry({ id, title, author, updated, alternate, content }: AtomEntry): string {
  const body = content
    ? `<content type="html" xml:base="${xmlText(content.base)}">${xmlText(content.html)}</content>\n`
    : '';
  return `<entry>
<id>${xmlText(id)}</id>
<title>${xmlText(title)}</title>
<author><name>${xmlText(author)}</name></author>
<updated>${atomTime(updated)}</updated>
<link rel="alternate" type="text/html" href="${xmlText(alternate)}"/>
${body}</entry>
`;
}

/** For element content and for attribute values alike. XML 1.0 holds neither lone surrogates nor U+FFFE and U+FFFF. */
function xmlText(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\ufffe\uffff]/g, '\ufffd'));
}

/** RFC 3339; what no clock has ever shown is the beginning of time. */
function atomTime(seconds: number): string {
  const isTime = seconds >= 0 && seconds < LAST_SECOND;
  return new Date(isTime ? seconds * 1000 : 0).toISOString().replace('.000Z', 'Z');
}

/** a year of four digits ends there */
const LAST_SECOND = 253_402_300_800;

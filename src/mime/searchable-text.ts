// The text of a message for searching: all parts that are text for people, also in enclosed messages.

import { htmlToText } from '../html/to-text.ts';
import { decodeHtml, decodeText } from './coding/charset.ts';
import { isCalendar, isCard, objectText } from './objects/object-text.ts';
import { contentParts, type MimePart } from './part.ts';
import { contentOf } from './readable.ts';

/** text for programs */
const PROGRAM_TEXTS: ReadonlySet<string> = new Set(['text/css', 'text/javascript', 'text/rtf', 'text/richtext']);

/** Of a media type in lower case, '' where there is none: text for people. */
export function isSearchable(type: string): boolean {
  return type === '' || isCalendar(type) || (type.startsWith('text/') && !PROGRAM_TEXTS.has(type));
}

/** `content`: decoded */
export function searchableText(type: string, content: string): string {
  if (type === 'text/html') return htmlToText(content);
  return isCalendar(type) || isCard(type) ? objectText(type, content) : content;
}

/** All of a message that lies in memory from its header on, or of its beginning. */
export function messageText(source: Buffer, root: MimePart): string {
  let text = '';
  for (const part of contentParts(root)) {
    if (isSearchable(part.type)) text += `${searchableText(part.type, decodedText(source, part))}\n`;
  }
  return text;
}

/** The decoded content of a part as a string. */
export function decodedText(source: Buffer, part: MimePart): string {
  const bytes = contentOf(source, part);
  return part.type === 'text/html' ? decodeHtml(bytes, part.charset) : decodeText(bytes, part.charset);
}

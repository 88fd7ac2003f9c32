// One iCalendar or vCard object, read strictly and written again without loss of what is not understood
// (RFC 5545 sections 3.1, 3.4 and 3.6; RFC 6350 section 3). Text that may be anything is read by content-lines.ts.

import {
  MAX_CONTENT_LINES,
  MAX_OBJECT_CHARACTERS,
  MAX_OBJECT_COMPONENTS,
  MAX_OBJECT_DEPTH,
  MAX_OBJECT_LINES,
} from '../../limits/mime.ts';
import { type Component, ContentLine, contentLines } from './content-lines.ts';

/** in octets, without the line end (RFC 5545 section 3.1, RFC 6350 section 3.2) */
const MAX_LINE_OCTETS = 75;
/** the one fault that is of the size */
export const TOO_LARGE = 'the object is too large';
/** what no XML document may hold (XML 1.0 section 2.2), and so no report could give back */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

export type Parsed = { object: Component; fault?: undefined } | { object?: undefined; fault: string };

/** The one object of this text, or what is wrong with it, in words. Never throws. */
export function parseObject(text: string): Parsed {
  if (text.length > MAX_OBJECT_CHARACTERS) return { fault: TOO_LARGE };
  if (CONTROL.test(text)) return { fault: 'a control character' };
  if (lineCount(text) > MAX_OBJECT_LINES) return { fault: 'too many lines' };
  let object: Component | undefined;
  const open: Component[] = [];
  let components = 0;
  let lines = 0;
  for (const line of contentLines(text.startsWith('\ufeff') ? text.slice(1) : text, MAX_CONTENT_LINES + 1)) {
    if (++lines > MAX_CONTENT_LINES) return { fault: 'too many lines' };
    if (!line) return { fault: `line ${lines} is no content line` };
    const inner = open.at(-1);
    if (line.name === 'BEGIN') {
      const component: Component = { name: line.value.trim().toUpperCase(), lines: [], components: [] };
      if (inner) inner.components.push(component);
      else if (object) return { fault: 'more than one object' };
      else object = component;
      open.push(component);
      if (open.length > MAX_OBJECT_DEPTH) return { fault: 'components are nested too deeply' };
      if (++components > MAX_OBJECT_COMPONENTS) return { fault: 'too many components' };
    } else if (!inner) {
      return { fault: 'a property outside the object' };
    } else if (line.name !== 'END') {
      inner.lines.push(line);
    } else if (line.value.trim().toUpperCase() !== inner.name) {
      return { fault: `END:${inner.name} is missing` };
    } else {
      open.pop();
    }
  }
  if (!object) return { fault: 'no object' };
  return open.length > 0 ? { fault: `END:${open.at(-1)!.name} is missing` } : { object };
}

/** Folded ones as many as they are written in; no more than MAX_OBJECT_LINES + 1 are counted. */
function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && count <= MAX_OBJECT_LINES; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** With CR LF, folded; the properties of a component stand before the components in it. */
export function writeComponent(component: Component): string {
  const pieces: string[] = [];
  write(component, pieces);
  return pieces.join('');
}

/** The same, which may be left for a while after each of the components in it. */
export function* writeInSteps(component: Component): Generator<undefined, string> {
  const pieces: string[] = [];
  writeLines(component, pieces);
  for (const inner of component.components) {
    write(inner, pieces);
    yield;
  }
  pieces.push(`END:${component.name}\r\n`);
  return pieces.join('');
}

function write(component: Component, pieces: string[]): void {
  writeLines(component, pieces);
  for (const inner of component.components) write(inner, pieces);
  pieces.push(`END:${component.name}\r\n`);
}

function writeLines({ name, lines }: Component, pieces: string[]): void {
  pieces.push(`BEGIN:${name}\r\n`);
  for (const { text, isQuotedPrintable } of lines) pieces.push(isQuotedPrintable ? text : foldLine(text), '\r\n');
}

/** At most 75 octets in a line, torn between characters. */
export function foldLine(line: string): string {
  const isAscii = !/[^\0-\x7f]/.test(line);
  // the longest character has three octets for each of its UTF-16 units
  if (line.length * (isAscii ? 1 : 3) <= MAX_LINE_OCTETS) return line;
  const pieces: string[] = [];
  let start = 0;
  if (isAscii) {
    // after the first, a line begins with a blank
    for (let end = MAX_LINE_OCTETS; end < line.length; start = end, end += MAX_LINE_OCTETS - 1) {
      pieces.push(line.slice(start, end));
    }
    pieces.push(line.slice(start));
    return pieces.join('\r\n ');
  }
  let octets = 0;
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > MAX_LINE_OCTETS) {
      pieces.push(line.slice(start, at));
      start = at;
      octets = 1;
    }
    octets += size;
    at += size === 4 ? 2 : 1;
  }
  pieces.push(line.slice(start));
  return pieces.join('\r\n ');
}

/** `DTSTART`, `20260101`, `{VALUE: 'DATE'}` → `DTSTART;VALUE=DATE:20260101`. The value is written as it is. */
export function makeLine(name: string, value: string, params: Readonly<Record<string, string>> = {}): ContentLine {
  const written = Object.entries(params).map(([key, text]) => `;${key}=${parameterText(text)}`);
  return ContentLine.read(`${name}${written.join('')}:${value.replace(/[\r\n]+/g, ' ')}`)!;
}

/** In quotes where it needs them; quotes in it as RFC 6868 has them. */
export function parameterText(text: string): string {
  const coded = text.replace(/\^/g, '^^').replace(/"/g, "^'").replace(/\r?\n/g, '^n');
  return /[,;:]/.test(coded) ? `"${coded}"` : coded;
}

/** RFC 5545 section 3.3.11: `a, b` LF `c` → `a\, b\nc` */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

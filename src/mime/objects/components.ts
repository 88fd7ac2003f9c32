// Parses one iCalendar or vCard object and writes it without losing what it does not understand (RFC 5545 sections 3.1,
// 3.4 and 3.6; RFC 6350 section 3). Ignores what is around it. content-lines.ts parses anything.

import {
  MAX_CONTENT_LINES,
  MAX_OBJECT_CHARACTERS,
  MAX_OBJECT_COMPONENTS,
  MAX_OBJECT_DEPTH,
  MAX_OBJECT_LINES,
} from '../../limits/mime.ts';
import { type Component, ContentLine, contentLines, lineEndOf } from './content-lines.ts';

/** octets per line without line end (RFC 5545 section 3.1, RFC 6350 section 3.2) */
const MAX_LINE_OCTETS = 75;
/** of a value in a description of a fault */
const MAX_SHOWN_CHARACTERS = 40;
export const TOO_LARGE = 'the object is too large';

export type Parsed = { object: Component; fault?: undefined } | { object?: undefined; fault: string };

/** The one object in this text, or a description of the fault that names the line. Never throws. */
export function parseObject(text: string): Parsed {
  if (text.length > MAX_OBJECT_CHARACTERS) return { fault: TOO_LARGE };
  if (lineCount(text) > MAX_OBJECT_LINES) return { fault: `more than ${MAX_OBJECT_LINES} lines` };
  let object: Component | undefined;
  const open: Component[] = [];
  let components = 0;
  let lines = 0;
  for (const line of contentLines(text.startsWith('\ufeff') ? text.slice(1) : text, MAX_CONTENT_LINES + 1)) {
    if (++lines > MAX_CONTENT_LINES) return { fault: `more than ${MAX_CONTENT_LINES} lines` };
    const inner = open.at(-1);
    if (line.name === 'BEGIN') {
      const name = line.value.trim().toUpperCase();
      if (!inner && object) return { fault: faultAt(line, `more than one ${object.name}`) };
      const component: Component = { name, lines: [], components: [], number: line.number };
      if (inner) inner.components.push(component);
      else object = component;
      open.push(component);
      if (open.length > MAX_OBJECT_DEPTH) return { fault: faultAt(line, 'components are nested too deeply') };
      if (++components > MAX_OBJECT_COMPONENTS) {
        return { fault: faultAt(line, `more than ${MAX_OBJECT_COMPONENTS} components`) };
      }
    } else if (!inner) {
      // what programs write around an object
    } else if (line.name !== 'END') {
      inner.lines.push(line);
    } else if (line.value.trim().toUpperCase() !== inner.name) {
      return { fault: faultAt(line, `BEGIN:${inner.name} in line ${inner.number} has no END before it`) };
    } else {
      open.pop();
    }
  }
  if (!object) return { fault: 'there is no BEGIN:VCALENDAR or BEGIN:VCARD' };
  const left = open.at(-1);
  return left ? { fault: `line ${left.number}, BEGIN:${left.name}: there is no END:${left.name}` } : { object };
}

/** `line 12, DTEND:2026: it is no date` */
export function faultAt({ number, name, value }: ContentLine, reason: string): string {
  return `line ${number}, ${name}:${value.trim().slice(0, MAX_SHOWN_CHARACTERS)}: ${reason}`;
}

/** Counts physical lines, up to MAX_OBJECT_LINES + 1. */
function lineCount(text: string): number {
  const end = lineEndOf(text);
  let count = 0;
  for (let at = text.indexOf(end); at >= 0 && count <= MAX_OBJECT_LINES; at = text.indexOf(end, at + 1)) count++;
  return count;
}

/** Folded, with CR LF. Properties precede inner components. */
export function writeComponent(component: Component): string {
  const pieces: string[] = [];
  write(component, pieces);
  return pieces.join('');
}

/** The same in steps: yields after each inner component. */
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

/** Folds at 75 octets, between characters. */
export function foldLine(line: string): string {
  const isAscii = !/[^\0-\x7f]/.test(line);
  // a UTF-16 unit takes three octets at most
  if (line.length * (isAscii ? 1 : 3) <= MAX_LINE_OCTETS) return line;
  const pieces: string[] = [];
  let start = 0;
  if (isAscii) {
    // continuation lines start with a blank
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

/** `DTSTART`, `20260101`, `{VALUE: 'DATE'}` → `DTSTART;VALUE=DATE:20260101`. Does not escape the value. */
export function makeLine(name: string, value: string, params: Readonly<Record<string, string>> = {}): ContentLine {
  const written = Object.entries(params).map(([key, text]) => `;${key}=${parameterText(text)}`);
  return ContentLine.read(`${name}${written.join('')}:${value.replace(/[\r\n]+/g, ' ')}`)!;
}

/** Quoted if necessary, with RFC 6868 escapes. */
export function parameterText(text: string): string {
  const coded = text.replace(/\^/g, '^^').replace(/"/g, "^'").replace(/\r?\n/g, '^n');
  return /[,;:]/.test(coded) ? `"${coded}"` : coded;
}

/** RFC 5545 section 3.3.11: `a, b` LF `c` → `a\, b\nc` */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

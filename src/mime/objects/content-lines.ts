// Parses iCalendar, vCard and vNote objects (RFC 5545 section 3.1, RFC 6350 section 3.2, vCard 2.1) into a tree of
// components. Never throws.

import {
  MAX_CONTENT_LINES,
  MAX_CONTENT_PARAMETERS,
  MAX_OBJECT_DEPTH,
  MAX_PROPERTY_NAME_CHARACTERS,
} from '../../limits/mime.ts';
import { decodeText } from '../coding/charset.ts';
import { decodeQuoted } from '../coding/quoted-bytes.ts';

const MIN_CODED_HEAD = ';QUOTED-PRINTABLE:'.length;

export class ContentLine {
  /** upper case, without the group: `item1.URL;TYPE=x:…` → `URL` */
  readonly name: string;
  /** as written, '' if there is none: `item1` */
  readonly group: string;
  /** the unfolded line; quoted-printable lines keep their line ends */
  readonly text: string;
  /** of the text, counted from 1 with folds; 0 in a line that was made here */
  readonly number: number;
  readonly #valueAt: number;
  readonly #decoded: string | undefined;
  #params: ReadonlyMap<string, string> | undefined;

  private constructor(text: string, group: string, name: string, valueAt: number, number: number, decoded?: string) {
    this.text = text;
    this.group = group;
    this.name = name;
    this.number = number;
    this.#valueAt = valueAt;
    this.#decoded = decoded;
  }

  /** A malformed line, kept as it is: it has no name, and no value. */
  static unread(text: string, number: number): ContentLine {
    return new ContentLine(text, '', '', text.length, number);
  }

  /** undefined: not a content line. */
  static read(text: string, number = 0): ContentLine | undefined {
    const first = wordEnd(text, 0);
    const hasGroup = first > 0 && text[first] === '.';
    const start = hasGroup ? first + 1 : 0;
    const end = hasGroup ? wordEnd(text, start) : first;
    if (end === start || (text[end] !== ':' && text[end] !== ';')) return undefined;
    let at = end;
    // a colon inside quotes does not end the parameters: `ATTENDEE;CN="a:b":mailto:x`
    for (let isQuoted = false; at < text.length && (isQuoted || text[at] !== ':'); at++) {
      if (text[at] === '"') isQuoted = !isQuoted;
    }
    // a quote that nothing closes is a character
    if (at === text.length) at = text.indexOf(':', end);
    if (at < 0) return undefined;
    // programs leave out the quotes: `DTSTART;TZID=GMT+05:00:20260603T100000`
    if (at > end && /;TZID=[^";]*$/i.test(text.slice(end, at))) at = text.lastIndexOf(':');
    const group = hasGroup ? text.slice(0, first) : '';
    return new ContentLine(text, group, text.slice(start, end).toUpperCase(), at + 1, number);
  }

  /** unfolded, quoted-printable decoded, escapes kept */
  get value(): string {
    return this.#decoded ?? this.text.slice(this.#valueAt);
  }

  /** by upper-case name, several values joined by commas; a bare parameter (vCard 2.1) has its name as value */
  get params(): ReadonlyMap<string, string> {
    this.#params ??= parametersIn(this.text, this.#valueAt - 1);
    return this.#params;
  }

  get isQuotedPrintable(): boolean {
    const head = this.text.slice(this.name.length, this.#valueAt);
    if (head.length < MIN_CODED_HEAD || !/quoted-printable/i.test(head)) return false;
    return this.params.get('ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE' || this.params.has('QUOTED-PRINTABLE');
  }

  /** The same line with another value, which is not escaped. */
  withValue(value: string): ContentLine {
    const text = this.text.slice(0, this.#valueAt) + value;
    return new ContentLine(text, this.group, this.name, this.#valueAt, this.number);
  }

  /** The same line with its quoted-printable value decoded. */
  decoded(): ContentLine {
    const bytes = new TextEncoder().encode(this.value);
    const { written } = decodeQuoted(bytes, bytes, true);
    const value = decodeText(bytes.subarray(0, written), this.params.get('CHARSET') ?? '').replaceAll('\r\n', '\n');
    return new ContentLine(this.text, this.group, this.name, this.#valueAt, this.number, value);
  }
}

export interface Component {
  /** upper case */
  name: string;
  lines: ContentLine[];
  components: Component[];
  /** that of its BEGIN, as in ContentLine */
  number?: number;
}

/** The outermost components, without malformed lines. Missing END lines are implied. */
export function parseComponents(text: string): Component[] {
  const roots: Component[] = [];
  const open: Component[] = [];
  for (const line of contentLines(text)) {
    if (line.name === 'BEGIN') {
      const { number, value } = line;
      const component = { name: value.trim().toUpperCase(), lines: [], components: [], number };
      (open.at(-1)?.components ?? roots).push(component);
      open.push(component);
      if (open.length > MAX_OBJECT_DEPTH) return roots;
    } else if (line.name === 'END') {
      open.pop();
    } else if (line.name !== '') {
      open.at(-1)?.lines.push(line);
    }
  }
  return roots;
}

/** End of the name that starts here, such as `VERSION` or `item1`; at most MAX_PROPERTY_NAME_CHARACTERS. */
function wordEnd(text: string, start: number): number {
  let at = start;
  for (; at < text.length && at - start < MAX_PROPERTY_NAME_CHARACTERS; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 45 && code !== 95) break;
  }
  return at;
}

/** Ends a line: old programs write CR alone. */
export function lineEndOf(text: string): '\n' | '\r' {
  return text.includes('\n') ? '\n' : '\r';
}

/** The non-empty lines, at most `max`. `starts` receives their offsets in the text. */
export function* contentLines(text: string, max = MAX_CONTENT_LINES, starts?: number[]): Generator<ContentLine> {
  const lineEnd = lineEndOf(text);
  let at = 0;
  let number = 0;
  const physical = (): string => {
    const found = text.indexOf(lineEnd, at);
    const next = found < 0 ? text.length : found;
    let end = next;
    while (end > at && text[end - 1] === '\r') end--;
    // a CR within a line means nothing, and a fold after it would take it away
    const line = text.slice(at, end).replaceAll('\r', '');
    at = next + 1;
    number++;
    return line;
  };
  for (let count = 0; at < text.length && count < max; count++) {
    const from = at;
    const start = physical();
    const first = number;
    // quoted-printable lines continue without folding: a blank at the start of a line is text
    const isCoded = start.endsWith('=') && ContentLine.read(start)?.isQuotedPrintable === true;
    let whole = start;
    if (isCoded || text[at] === ' ' || text[at] === '\t') {
      const pieces = [start];
      while (at < text.length && (isCoded ? pieces.at(-1)!.endsWith('=') : text[at] === ' ' || text[at] === '\t')) {
        pieces.push(isCoded ? physical() : physical().slice(1));
      }
      whole = pieces.join(isCoded ? '\r\n' : '');
    }
    if (whole === '') continue;
    starts?.push(from);
    const line = ContentLine.read(whole, first) ?? ContentLine.unread(whole, first);
    yield line.isQuotedPrintable ? line.decoded() : line;
  }
}

/** The parameters before the colon at `end`: `item1.TEL;TYPE="work,voice";PREF:+49 30` */
function parametersIn(text: string, end: number): Map<string, string> {
  const params = new Map<string, string>();
  let at = text.indexOf(';');
  for (let count = 0; at >= 0 && at < end && count < MAX_CONTENT_PARAMETERS; count++) {
    const start = at + 1;
    // nothing is escaped in a parameter, but programs write the name of a zone as its property has it
    const isZone = /^TZID=/i.test(text.slice(start, start + 5));
    let isQuoted = false;
    for (at = start; at < end && (isQuoted || text[at] !== ';' || (isZone && text[at - 1] === '\\')); at++) {
      if (text[at] === '"') isQuoted = !isQuoted;
    }
    addParameter(params, text.slice(start, at));
  }
  return params;
}

const CARETS: Readonly<Record<string, string>> = { '^n': ' ', "^'": '"', '^^': '^' };

function addParameter(params: Map<string, string>, text: string): void {
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).trim().toUpperCase();
  const value = text.slice(equals + 1).replaceAll('"', '');
  const known = params.get(name);
  // RFC 6868
  const decoded = value.replace(/\^[n'^]/g, (pair) => CARETS[pair]!);
  params.set(name, known === undefined ? decoded : `${known},${decoded}`);
}

/** The first line with that name. */
export function lineOf(component: Component, name: string): ContentLine | undefined {
  return component.lines.find((line) => line.name === name);
}

/** The unescaped, trimmed text of that line (RFC 5545 section 3.3.11); '' if it is missing. */
export function textOf(component: Component, name: string): string {
  return unescapeText(lineOf(component, name)?.value ?? '').trim();
}

/**
 * Normalizes a TZID property or parameter: programs escape either, both or neither, and some add a leading slash
 * (RFC 5545 section 3.2.19).
 */
export function zoneId(written: string): string {
  return unescapeText(written)
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\//, '');
}

/** What names of one time zone have in common. */
export function zoneKey(written: string): string {
  return zoneId(written).toUpperCase();
}

/** `a\, b\nc` → `a, b` LF `c` */
export function unescapeText(value: string): string {
  if (!value.includes('\\')) return value;
  // By code units: a megabyte may consist of escapes, and a replace callback for each would block the thread.
  const units = new Uint16Array(Math.min(value.length, UNITS_AT_ONCE));
  let text = '';
  let count = 0;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    const escaped = unit === BACKSLASH ? ESCAPED.get(value.charCodeAt(at + 1)) : undefined;
    if (escaped !== undefined) at++;
    units[count++] = escaped ?? unit;
    if (count < units.length) continue;
    text += textOfUnits(units);
    count = 0;
  }
  return text + textOfUnits(units.subarray(0, count));
}

function textOfUnits(units: Uint16Array): string {
  return String.fromCharCode.apply(null, units as unknown as number[]);
}

const UNITS_AT_ONCE = 8192;
const BACKSLASH = 0x5c;
/** code unit after a backslash → its meaning */
const ESCAPED: ReadonlyMap<number, number> = new Map(
  ['\\\\', ';;', ',,', '::', 'n\n', 'N\n'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

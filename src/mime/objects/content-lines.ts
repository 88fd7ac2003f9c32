// Content lines of iCalendar, vCard and vNote objects (RFC 5545 section 3.1, RFC 6350 section 3.2, vCard 2.1) as a tree
// of components. Never throws: what is no content line is skipped.

import { MAX_CONTENT_LINES, MAX_CONTENT_PARAMETERS, MAX_OBJECT_DEPTH } from '../../limits/mime.ts';
import { decodeText } from '../coding/charset.ts';
import { quotedPrintableDecoder } from '../coding/quoted-printable.ts';

export interface ContentLine {
  /** upper case, without group: `item1.URL;TYPE=x:…` → `URL` */
  name: string;
  /** by upper case name; several values with commas between; a bare one (vCard 2.1) is its own name */
  params: ReadonlyMap<string, string>;
  /** as written, folding and quoted-printable undone, escapes kept */
  value: string;
}

export interface Component {
  /** upper case */
  name: string;
  lines: ContentLine[];
  components: Component[];
}

/** The outermost components; missing END lines are made up at the end. */
export function parseComponents(text: string): Component[] {
  const roots: Component[] = [];
  const open: Component[] = [];
  for (const line of contentLines(text)) {
    if (line.name === 'BEGIN') {
      const component = { name: line.value.trim().toUpperCase(), lines: [], components: [] };
      (open.at(-1)?.components ?? roots).push(component);
      open.push(component);
      if (open.length > MAX_OBJECT_DEPTH) return roots;
    } else if (line.name === 'END') {
      open.pop();
    } else {
      open.at(-1)?.lines.push(line);
    }
  }
  return roots;
}

function* contentLines(text: string): Generator<ContentLine> {
  const lines = text.split(/\r?\n/, MAX_CONTENT_LINES);
  for (let i = 0; i < lines.length; i++) {
    const pieces = [lines[i]!];
    const first = parseLine(pieces[0]!);
    const isCoded = isQuotedPrintable(first?.params);
    // quoted-printable is continued as that is, and then a blank at the start of a line is text
    const goesOn = (next: string): boolean => (isCoded ? pieces.at(-1)!.endsWith('=') : /^[ \t]/.test(next));
    while (i + 1 < lines.length && goesOn(lines[i + 1]!)) pieces.push(lines[++i]!);
    const whole = isCoded
      ? pieces.join('\n')
      : pieces[0]! +
        pieces
          .slice(1)
          .map((piece) => piece.slice(1))
          .join('');
    const line = pieces.length === 1 ? first : parseLine(whole);
    if (line) yield isCoded ? { ...line, value: decodedValue(line) } : line;
  }
}

function isQuotedPrintable(params: ReadonlyMap<string, string> | undefined): boolean {
  return params?.get('ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE' || params?.has('QUOTED-PRINTABLE') === true;
}

function decodedValue({ value, params }: ContentLine): string {
  const decoder = quotedPrintableDecoder();
  const bytes = Buffer.concat([decoder.push(Buffer.from(value)), decoder.end()]);
  return decodeText(bytes, params.get('CHARSET') ?? '').replaceAll('\r\n', '\n');
}

/** `item1.TEL;TYPE="work,voice";PREF:+49 30` */
function parseLine(line: string): ContentLine | undefined {
  const name = /^(?:[\w-]{1,100}\.)?([\w-]{1,100})(?=[:;])/.exec(line);
  if (!name) return undefined;
  const params = new Map<string, string>();
  let at = name[0].length;
  for (let count = 0; line[at] === ';'; count++) {
    const start = at + 1;
    // a colon or a semicolon inside quotes ends nothing: `ATTENDEE;CN="a:b":mailto:x`
    let isQuoted = false;
    for (at = start; at < line.length && (isQuoted || (line[at] !== ':' && line[at] !== ';')); at++) {
      if (line[at] === '"') isQuoted = !isQuoted;
    }
    if (count < MAX_CONTENT_PARAMETERS) addParameter(params, line.slice(start, at));
  }
  return line[at] === ':' ? { name: name[1]!.toUpperCase(), params, value: line.slice(at + 1) } : undefined;
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

/** The first line of that name. */
export function lineOf(component: Component, name: string): ContentLine | undefined {
  return component.lines.find((line) => line.name === name);
}

/** Its text, escapes undone (RFC 5545 section 3.3.11), trimmed; '' when it is missing. */
export function textOf(component: Component, name: string): string {
  return unescapeText(lineOf(component, name)?.value ?? '').trim();
}

/** `a\, b\nc` → `a, b` LF `c` */
export function unescapeText(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\([\\;,:nN])/g, (_, char: string) => (char === 'n' || char === 'N' ? '\n' : char));
}

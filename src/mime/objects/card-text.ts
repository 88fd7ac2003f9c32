// Renders contacts (vCard, RFC 6350 and earlier) and notes (vNote) as plain text.

import { MAX_DESCRIBED_OBJECTS } from '../../limits/mime.ts';
import { dayInWords, parseDateTime } from './calendar-time.ts';
import { type Component, type ContentLine, parseComponents, textOf, unescapeText } from './content-lines.ts';

/** in display order */
const FACTS: readonly [name: string, label: string, show: (line: ContentLine) => string][] = [
  ['NICKNAME', 'Nickname', textIn],
  ['ORG', 'Organisation', fieldsIn],
  ['TITLE', 'Title', textIn],
  ['ROLE', 'Role', textIn],
  ['TEL', 'Telephone', (line) => withKinds(textIn(line).replace(/^tel:/i, ''), line)],
  ['EMAIL', 'Email', (line) => withKinds(textIn(line), line)],
  ['ADR', 'Address', (line) => withKinds(fieldsIn(line), line)],
  ['URL', 'Web', textIn],
  ['BDAY', 'Birthday', dayIn],
];
/** TYPE values to display, also as bare parameters of vCard 2.1 */
const KINDS: ReadonlySet<string> = new Set(['WORK', 'HOME', 'CELL', 'FAX', 'PAGER', 'CAR']);
/** N has the fields family, given, additional, prefix, suffix (RFC 6350 section 6.2.2); the order of display */
const NAME_ORDER = [3, 1, 2, 0, 4];
/** a field, or its separator */
const PIECE = /(?:[^;\\]|\\.?)+|;/gs;

/** One paragraph per object; '' if there is none. `components`: the parsed source. */
export function cardText(source: string, components: readonly Component[] = parseComponents(source)): string {
  const objects = components.filter(({ name }) => name === 'VCARD' || name === 'VNOTE');
  const paragraphs = objects
    .slice(0, MAX_DESCRIBED_OBJECTS)
    .map((one) => (one.name === 'VCARD' ? card(one) : note(one)));
  const left = objects.length - paragraphs.length;
  if (left > 0) paragraphs.push(`and ${left} more\n`);
  return paragraphs.join('\n');
}

function card(object: Component): string {
  const lines = [`${nameOf(object) || '(no name)'}\n`];
  for (const [name, label, show] of FACTS) {
    for (const line of object.lines) {
      const text = line.name === name ? show(line) : '';
      if (text !== '') lines.push(`${label}: ${text}\n`);
    }
  }
  const remark = textOf(object, 'NOTE');
  return lines.join('') + (remark === '' ? '' : `\n${remark}\n`);
}

/** FN, else the fields of N. */
export function nameOf(object: Component): string {
  const name = textOf(object, 'FN');
  if (name !== '') return name;
  const fields = cardFields(object.lines.find((line) => line.name === 'N')?.value ?? '');
  return NAME_ORDER.map((index) => fields[index] ?? '')
    .filter((field) => field !== '')
    .join(' ');
}

function note(object: Component): string {
  const text = [textOf(object, 'SUMMARY'), textOf(object, 'BODY')].filter((piece) => piece !== '');
  // the summary of most notes repeats the start of the text
  return `${(text.length === 2 && text[1]!.startsWith(text[0]!) ? text.slice(1) : text).join('\n\n')}\n`;
}

function textIn({ value }: ContentLine): string {
  return fieldText(value);
}

/** `1980-05-21` → `Wednesday, 21 May 1980`; partial dates such as `--0521` stay as written */
function dayIn(line: ContentLine): string {
  const text = textIn(line);
  const day = parseDateTime(text.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$1$2$3'));
  return day ? dayInWords(day) : text;
}

/** `Example\, Inc.;Sales` → `Example, Inc., Sales` */
function fieldsIn({ value }: ContentLine): string {
  return cardFields(value)
    .filter((field) => field !== '')
    .join(', ');
}

export function cardFields(value: string): string[] {
  return writtenFields(value).map(fieldText);
}

/** Splits at unescaped semicolons; keeps escapes. */
export function writtenFields(value: string): string[] {
  if (!value.includes('\\')) return value.split(';');
  const result = [''];
  for (const piece of value.match(PIECE) ?? []) {
    if (piece === ';') result.push('');
    else result[result.length - 1] = piece;
  }
  return result;
}

function fieldText(field: string): string {
  return unescapeText(field).trim().replaceAll('\n', ', ');
}

function withKinds(text: string, { params }: ContentLine): string {
  const named = [...(params.get('TYPE') ?? '').toUpperCase().split(','), ...params.keys()];
  const kinds = [...new Set(named.filter((kind) => KINDS.has(kind)))];
  return text === '' || kinds.length === 0 ? text : `${text} (${kinds.join(', ').toLowerCase()})`;
}

// Files of contacts and events as programs export them: in any charset, several cards in one, and vCard 2.1, which
// RFC 6352 does not allow in an address book, as 3.0 (RFC 2426 section 5). Never throws. Shared with the web client.

import { decodeText, isUnicode } from '../coding/charset.ts';
import { cardFields, nameOf, writtenFields } from './card-text.ts';
import { escapeText, makeLine, parameterText, writeComponent } from './components.ts';
import { type Component, ContentLine, lineOf, parseComponents, textOf, unescapeText } from './content-lines.ts';

const LF = 10;
const CR = 13;
/** the longest name of a property with the parameters that say how its value is written */
const MAX_HEAD_CHARACTERS = 200;
const CHARSET = /;CHARSET="?([\w.:-]+)/i;
const BINARY = /^[^:]*;(?:ENCODING=B(?:ASE64)?|BASE64)[;:]/i;
const BASE64_LINE = /^[A-Za-z0-9+/=\t ]*$/;
const BEGIN = /^\s*BEGIN:\s*VCARD\s*$/i;
const END = /^\s*END:\s*VCARD\s*$/i;
const AGENT = /^(?:[\w-]+\.)?AGENT[^:]*:\s*$/i;
/** characters that no stored object may have */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g;

/** The text of a file of cards or events. Where it is neither UTF-8 nor UTF-16, each line may name its charset. */
export function decodeObjectFile(bytes: Uint8Array): string {
  if (isUnicode(bytes)) return decodeText(bytes, '');
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = lineEnd(bytes, at);
    const line = bytes.subarray(at, end);
    const head = String.fromCharCode(...line.subarray(0, MAX_HEAD_CHARACTERS)).split(':', 1)[0]!;
    const charset = CHARSET.exec(head)?.[1] ?? '';
    pieces.push(decodeText(charset === '' && !isUnicode(line) ? unfolded(line) : line, charset));
    at = end;
  }
  return pieces.join('');
}

/** Of the line that starts here, with what is folded. */
function lineEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; ) {
    const end = bytes.indexOf(LF, at) + 1;
    if (end === 0) return bytes.length;
    if (!isBlank(bytes[end])) return end;
    at = end;
  }
}

/** A fold may part the bytes of a character. */
function unfolded(line: Uint8Array): Uint8Array {
  const out = new Uint8Array(line.length);
  let length = 0;
  for (let at = 0; at < line.length; at++) {
    const next = line[at] === CR && line[at + 1] === LF ? at + 2 : at + 1;
    if (line[next - 1] === LF && isBlank(line[next])) at = next;
    else out[length++] = line[at]!;
  }
  return out.subarray(0, length);
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

/** Each card of a file, as it is written but for line ends, control characters and versions that are not stored. */
export function cardsInFile(file: string): string[] {
  const cards: string[] = [];
  let lines: string[] = [];
  let depth = 0;
  for (const line of file
    .replace(/^\uFEFF/, '')
    .replaceAll(CONTROL, '')
    .split(/\r\n|\r|\n/)) {
    if (BEGIN.test(line)) {
      // a card inside another is its AGENT (vCard 2.1); else the other one is cut off
      const isInner = depth > 0 && AGENT.test(lines.findLast((each) => each !== '') ?? '');
      depth = isInner ? depth + 1 : 1;
      if (!isInner) lines = [];
    }
    if (depth === 0) continue;
    const isFrame = BEGIN.test(line) || END.test(line);
    lines.push(isFrame ? line.trim() : line);
    if (!END.test(line) || --depth > 0) continue;
    cards.push(asStoredVersion(lines));
    lines = [];
  }
  return cards;
}

function asStoredVersion(lines: readonly string[]): string {
  const text = `${lines.join('\r\n')}\r\n`;
  const [, version = ''] = /^VERSION:(.*)$/im.exec(text) ?? [];
  if (version.trim() !== '3.0' && version.trim() !== '4.0') return asVersion3(text);
  if (/^(?:[\w-]+\.)?F?N[;:]/im.test(text)) return text;
  const [card] = parseComponents(text);
  return card ? writeComponent({ ...card, lines: [...card.lines, ...missingNames(card)] }) : text;
}

/** The same of one card, if it is of vCard 2.1. */
export function storedCard(text: string): string {
  const [card, ...more] = /^VERSION:\s*2\.1\s*$/im.test(text) ? cardsInFile(text) : [];
  return card === undefined || more.length > 0 ? text : card;
}

/** A card of vCard 2.1, or of a version that nobody knows, as 3.0. */
function asVersion3(text: string): string {
  const [card] = parseComponents(withoutBreaks(text.split('\r\n')).join('\r\n'));
  return card ? writeComponent(newer(card)) : text;
}

/** The data of a picture in one line: its lines need not be folded in 2.1, an empty one ends them. */
function withoutBreaks(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let isData = false;
  for (const line of lines) {
    isData &&= BASE64_LINE.test(line) && line !== '';
    if (isData) whole[whole.length - 1] += line.trim();
    else whole.push(line);
    isData ||= BINARY.test(line.slice(0, MAX_HEAD_CHARACTERS));
  }
  return whole;
}

function newer(card: Component): Component {
  const agents = [...card.components];
  const lines = card.lines.flatMap((line) => {
    if (line.name === 'VERSION') return [];
    if (line.name !== 'AGENT' || line.value.trim() !== '') return newerLines(line);
    const agent = agents.shift();
    return agent ? [makeLine('AGENT', escapeText(writeComponent(newer(agent))))] : [];
  });
  const made = { ...card, lines: [makeLine('VERSION', '3.0'), ...lines], components: [] };
  made.lines.push(...missingNames(made));
  return made;
}

/** FN and N, which 3.0 requires. */
function missingNames(card: Component): ContentLine[] {
  const organization = cardFields(lineOf(card, 'ORG')?.value ?? '')[0];
  const name = escapeText(nameOf(card) || organization || textOf(card, 'EMAIL') || textOf(card, 'TEL'));
  return [
    ...(lineOf(card, 'FN') ? [] : [makeLine('FN', name)]),
    ...(lineOf(card, 'N') ? [] : [makeLine('N', `${name};;;;`)]),
  ];
}

const FIELDS: ReadonlySet<string> = new Set(['N', 'ADR', 'ORG']);
const LISTS: ReadonlySet<string> = new Set(['CATEGORIES', 'NICKNAME']);
/** values that are no text */
const PLAIN: ReadonlySet<string> = new Set(
  'BDAY REV TZ URL UID SOURCE PHOTO LOGO SOUND KEY X-MS-CARDPICTURE X-ANNIVERSARY'.split(' '),
);
const ENCODING = /^(?:QUOTED-PRINTABLE|BASE64|[78]BIT|B)$/i;
/** where the value stands: bare words and values of VALUE */
const ELSEWHERE = /^(?:URL|URI)$/i;

function newerLines(line: ContentLine): ContentLine[] {
  const value = newerValue(line);
  const written = `${line.group && `${line.group}.`}${line.name}${newerParameters(line)}:${value}`;
  return [ContentLine.read(written) ?? line, ...fromAndroid(line)];
}

/** Bare words get their names, and what has been decoded is no longer called encoded. */
function newerParameters({ name: property, params }: ContentLine): string {
  const types: string[] = [];
  let written = '';
  for (const [name, value] of params) {
    const words = value.split(',').filter(Boolean);
    const isBare = words.every((word) => word.toUpperCase() === name);
    if (name === 'ENCODING' || (isBare && ENCODING.test(name))) {
      if (/^B(?:ASE64)?$/i.test(words[0] ?? '')) written += ';ENCODING=b';
    } else if (name === 'VALUE' || (isBare && PLAIN.has(property) && ELSEWHERE.test(name))) {
      if (ELSEWHERE.test(words[0] ?? '')) written += ';VALUE=uri';
      else if (/^(?:DATE|DATE-TIME|TEXT)$/i.test(value)) written += `;VALUE=${value}`;
    } else if (name === 'TYPE' || isBare) {
      types.push(...words);
    } else if (name !== 'CHARSET') {
      written += `;${name}=${parameterText(value)}`;
    }
  }
  return types.length === 0 ? written : `${written};TYPE=${types.map(parameterText).join(',')}`;
}

function newerValue({ name, value }: ContentLine): string {
  if (PLAIN.has(name)) return value.replaceAll(/[\r\n]+/g, '');
  if (name === 'GEO') return value.replace(',', ';');
  const again = (text: string) => escapeText(unescapeText(text).replaceAll(/\r\n?/g, '\n'));
  if (FIELDS.has(name)) return writtenFields(value).map(again).join(';');
  return LISTS.has(name) ? (value.match(/(?:[^,\\]|\\.)+/gs) ?? []).map(again).join(',') : again(value);
}

/** What Android's exports say in lines of their own: the columns of its tables. */
function fromAndroid({ name, value }: ContentLine): ContentLine[] {
  if (name !== 'X-ANDROID-CUSTOM') return [];
  const [table, text = '', kind] = writtenFields(value).map(unescapeText);
  if (text === '') return [];
  if (table === 'vnd.android.cursor.item/nickname') return [makeLine('NICKNAME', escapeText(text))];
  const isAnniversary = table === 'vnd.android.cursor.item/contact_event' && kind === '1';
  return isAnniversary ? [makeLine('X-ANNIVERSARY', escapeText(text))] : [];
}

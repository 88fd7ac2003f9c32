// Renders contacts (vCard, RFC 6350 and earlier) and notes (vNote) as plain text.

import { MAX_DESCRIBED_OBJECTS } from '../../limits/mime.ts';
import { dayInWords, parseDateTime } from './calendar-time.ts';
import { type Component, type ContentLine, parseComponents, textOf, unescapeText } from './content-lines.ts';

/** properties for instant messages and pages of a person: where the name says nothing else, the service itself */
const SERVICES: Readonly<Record<string, string>> = {
  IMPP: '',
  SOCIALPROFILE: '',
  'X-SOCIALPROFILE': '',
  'X-AIM': 'AIM',
  'X-FACEBOOK': 'Facebook',
  'X-GADUGADU': 'Gadu-Gadu',
  'X-GOOGLE-TALK': 'Google Talk',
  'X-GROUPWISE': 'GroupWise',
  'X-GTALK': 'Google Talk',
  'X-ICQ': 'ICQ',
  'X-JABBER': 'Jabber',
  'X-LINKEDIN': 'LinkedIn',
  'X-MASTODON': 'Mastodon',
  'X-MATRIX': 'Matrix',
  'X-MSN': 'MSN',
  'X-QQ': 'QQ',
  'X-SIP': 'SIP',
  'X-SKYPE': 'Skype',
  'X-SKYPE-USERNAME': 'Skype',
  'X-TELEGRAM': 'Telegram',
  'X-TWITTER': 'Twitter',
  'X-YAHOO': 'Yahoo',
};
/** schemes of addresses for instant messages, which are not shown */
const MESSAGING = /^(?:xmpp|jabber|skype|sips?|aim|ymsgr|msnim|icq|gtalk|irc|matrix|telegram|x-apple|x-[a-z-]{1,20}):/i;

export const ANNIVERSARIES: ReadonlySet<string> = new Set(['ANNIVERSARY', 'X-ANNIVERSARY', 'X-EVOLUTION-ANNIVERSARY']);

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
  ...Object.keys(SERVICES).map((name): (typeof FACTS)[number] => [name, 'Profile', profileIn]),
  ['BDAY', 'Birthday', dayIn],
  ...[...ANNIVERSARIES].map((name): (typeof FACTS)[number] => [name, 'Anniversary', dayIn]),
  ['X-ABDATE', 'Date', dayIn],
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
  const labels = labelsIn(object);
  for (const [name, label, show] of FACTS) {
    for (const line of object.lines) {
      const text = line.name === name ? show(line) : '';
      const own = labelOf(labels, line).text;
      if (text !== '') lines.push(`${label}: ${text}${own && ` (${own})`}\n`);
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

/** `1980-05-21` → `Wednesday, 21 May 1980`, `--0521` → `21 May`; others stay as written */
function dayIn(line: ContentLine): string {
  const text = cardDay(line);
  const day = parseDateTime(text.replace(/^(\d{4}|-)-(\d\d)-(\d\d)/, '$1$2$3').replace(/^-(?=\d)/, LEAP_YEAR));
  if (!day) return text;
  const words = dayInWords(day);
  return text.startsWith('--') ? words.replace(/^[^,]*, | \d+$/g, '') : words;
}

const LEAP_YEAR = '2000';

/** `1980-05-21`, `--05-21` without a year, or as it is written. Programs write a year that does not count, and say so. */
export function cardDay(line: ContentLine): string {
  const day = textIn(line)
    .replace(/^([\d-]+)T.*$/, '$1')
    .replace(/^(\d{4}|--)-?(\d\d)-?(\d\d)$/, (_, year: string, month: string, of: string) => {
      return `${year === '--' ? '-' : year}-${month}-${of}`;
    });
  const omitted = line.params.get('X-APPLE-OMIT-YEAR');
  return omitted !== undefined && day.startsWith(`${omitted}-`) ? `-${day.slice(omitted.length)}` : day;
}

/** What the lines of a group are called, by lower-case group. */
export function labelsIn({ lines }: Component): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { name, group, value } of lines) {
    if (name === 'X-ABLABEL' && group !== '') labels.set(group.toLowerCase(), fieldText(value));
  }
  return labels;
}

/** `item1.X-ABLabel`: a word that is the same in all languages (`_$!<Work>!$_`), or one of the owner. */
export function labelOf(
  labels: ReadonlyMap<string, string>,
  { group }: ContentLine,
): { text: string; isCommon: boolean } {
  const label = (group !== '' && labels.get(group.toLowerCase())) || '';
  const [, common] = /^_\$!<(.*)>!\$_$/s.exec(label) ?? [];
  return { text: common ?? label, isCommon: common !== undefined };
}

/** An address for instant messages, or a page of a person at a service; undefined for other lines. */
export function profileOf(line: ContentLine): { service: string; value: string } | undefined {
  if (!Object.hasOwn(SERVICES, line.name)) return undefined;
  const { params } = line;
  const written = textIn(line);
  const [scheme = ''] = MESSAGING.exec(written) ?? [];
  const types = (params.get('TYPE') ?? '').split(',').filter((type) => !/^(?:home|work|pref|internet|)$/i.test(type));
  const named = SERVICES[line.name] || params.get('SERVICE-TYPE') || params.get('X-SERVICE-TYPE');
  const ofLine = line.name === 'IMPP' ? '' : (types[0] ?? '');
  const service = named || ofLine || scheme.slice(0, -1).replace(/^x-apple$/i, '');
  const value =
    written.slice(scheme.length).replace(/^\/\//, '') || params.get('X-USER') || params.get('USERNAME') || '';
  return value === '' ? undefined : { service: service.replace(/^./, (first) => first.toUpperCase()), value };
}

function profileIn(line: ContentLine): string {
  const { service = '', value = '' } = profileOf(line) ?? {};
  return service === '' ? value : `${service} ${value}`;
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

// Parses listings about messages: the fields and part list of MSG0 (protocol sections 11 to 13), and the rows of MSGS
// mode 9 (protocol section 14).

import { MAX_MIME_PARTS } from '../limits/mime.ts';
import type { MessageRow, PartRow } from '../model.ts';
import { splitFields, toInt } from './fields.ts';

export interface MessageFields {
  /**
   * the protocol's four-letter names: msgn, time, from, rfca, locl, room, rcpt, cccc, exti, wefw, subj, nhdr, type …
   */
  fields: Map<string, string>;
  /** at most MAX_MIME_PARTS; contents of a multipart/alternative are not listed */
  parts: PartRow[];
  /** media type of the outermost multipart; '' if there is none, or it is an alternative */
  multipart: string;
}

/**
 * When the server stored a message, from an id that it generated: `HEXTIME-HEXNUMBER@host`. (The time of an event
 * message is that of the event.) undefined for other ids.
 */
export function storedTimeFrom(messageId: string | undefined, msgnum: number): number | undefined {
  const [, time, number] = /^([0-9A-F]{8,10})-([0-9A-F]{8,13})@/.exec(messageId ?? '') ?? [];
  // the server numbers a wiki page before its history message
  return time !== undefined && Number.parseInt(number!, 16) <= msgnum ? Number.parseInt(time, 16) : undefined;
}

/** Lines of `MSG0 n|1`: `name=value`, `part=…`, `pref=…`, up to a line `text`. */
export function parseMessageFields(lines: readonly string[]): MessageFields {
  const message: MessageFields = { fields: new Map(), parts: [], multipart: '' };
  for (const line of lines) {
    if (line === 'text') break;
    const equals = line.indexOf('=');
    const name = line.slice(0, equals);
    const value = line.slice(equals + 1);
    if (name === 'part') {
      if (message.parts.length < MAX_MIME_PARTS) message.parts.push(parsePart(value));
    } else if (name === 'pref') {
      if (value.startsWith('|')) message.multipart = value.slice(1);
    } else if (name !== 'suff' && equals > 0) message.fields.set(name, value);
  }
  return message;
}

/** placeholders for an author hidden by the room or by choice */
export const HIDDEN_NAMES = { only: '****', option: 'anonymous' } as const;

/** The kind of anonymity. A real server may append the name: `**** [bob]`. */
export function anonymityOf(fields: ReadonlyMap<string, string>): keyof typeof HIDDEN_NAMES | undefined {
  if (fields.get('nhdr') === 'yes') return 'only';
  const from = fields.get('from') ?? '';
  return (['only', 'option'] as const).find(
    (kind) => from === HIDDEN_NAMES[kind] || from.startsWith(`${HIDDEN_NAMES[kind]} [`),
  );
}

/** `name|filename|number|disposition|type|length|content-id|charset` */
export function parsePart(text: string): PartRow {
  const fields = splitFields(text);
  // quirk Q18: names are not escaped, so the fields after the file name are counted from the end
  const tail = fields.slice(-6);
  const names = fields.slice(0, -6).join('|');
  const half = names.length >> 1;
  const isDoubled = names[half] === '|' && names.slice(0, half) === names.slice(half + 1);
  const [name = '', filename = ''] = isDoubled ? [names.slice(0, half), names.slice(half + 1)] : splitNames(names);
  return {
    name,
    filename,
    partnum: tail[0] ?? '',
    disposition: tail[1] ?? '',
    contentType: (tail[2] ?? '').toLowerCase(),
    length: Math.max(toInt(tail[3]), 0),
    contentId: tail[4] ?? '',
    charset: tail[5] ?? '',
  };
}

function splitNames(names: string): [string, string] {
  const bar = names.lastIndexOf('|');
  return bar < 0 ? [names, ''] : [names.slice(0, bar), names.slice(bar + 1)];
}

/** Skips lines that are not message numbers. */
export function messageNumbers(lines: readonly string[]): number[] {
  const numbers: number[] = [];
  for (const line of lines) {
    const number = Number(line);
    if (Number.isSafeInteger(number) && number > 0) numbers.push(number);
  }
  return numbers;
}

/** `number|time|from|node|rfca|subject|hash|hash,hash|`; undefined for a malformed line (quirk Q12) */
export function parseMessageRow(line: string): MessageRow | undefined {
  return messageRowOf(splitFields(line));
}

/** The same from fields; there may be more of them. */
export function messageRowOf(fields: readonly string[]): MessageRow | undefined {
  if (fields.length < 2 || !/^[1-9]\d{0,14}$/.test(fields[0]!)) return undefined;
  return {
    msgnum: toInt(fields[0]),
    time: toInt(fields[1]),
    from: fields[2] ?? '',
    node: fields[3] ?? '',
    address: fields[4] ?? '',
    subject: fields[5] ?? '',
    idHash: toInt(fields[6]),
    referenceHashes: hashesIn(fields[7] ?? ''),
  };
}

/** `'-1889379161,1311078934'`; the field may contain anything (quirk Q12) */
function hashesIn(text: string): number[] {
  return text === ''
    ? []
    : text
        .split(',')
        .map(toInt)
        .filter((hash) => hash !== 0);
}

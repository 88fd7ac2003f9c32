// The only place that builds command lines and splits field lists (protocol section 2). Rejects values that would end a
// line or a field: CR, LF, NUL and, inside fields, `|`.

import { AppError } from '../errors.ts';
import { MAX_COMMAND_BYTES } from '../limits/protocol.ts';

const BREAKS_LINE = /[\r\n\0]/;
const BREAKS_FIELD = /[\r\n\0|]/;

/** `command('GOTO', 'Lobby', '')` → `GOTO Lobby|\n`. Throws bad_request for an invalid value. */
export function command(verb: string, ...fields: (string | number)[]): string {
  let line = verb;
  for (let i = 0; i < fields.length; i++) {
    const value = String(fields[i]);
    if (BREAKS_FIELD.test(value)) {
      throw new AppError('bad_request', 'A value contains a line break, a NUL or a vertical bar.');
    }
    line += (i === 0 ? ' ' : '|') + value;
  }
  return bounded(line);
}

/** For verbs whose argument is the rest of the line (ECHO, INVT, KICK, SETA, QUSR, SETP, MSGP, SLRP). */
export function wholeLineCommand(verb: string, rest: string): string {
  if (BREAKS_LINE.test(rest)) throw new AppError('bad_request', 'A value contains a line break or a NUL.');
  return bounded(`${verb} ${rest}`);
}

function bounded(line: string): string {
  if (line.length * 3 > MAX_COMMAND_BYTES && Buffer.byteLength(line) > MAX_COMMAND_BYTES) {
    throw new AppError('bad_request', 'A value is too long.');
  }
  return `${line}\n`;
}

/** Whether the value can be sent as one field. */
export function isFieldSafe(value: string): boolean {
  return !BREAKS_FIELD.test(value);
}

/** `'a|b|'` → `['a', 'b', '']` */
export function splitFields(text: string): string[] {
  return text.split('|');
}

/** more digits would be rounded */
const MAX_INT = 999_999_999_999_999;

/** Parses a number like C's atoi: skips blanks, accepts a sign, stops at other characters, 0 if invalid. Clamped. */
export function toInt(text: string | undefined): number {
  const value = Number.parseInt(text ?? '', 10);
  return Math.max(-MAX_INT, Math.min(value || 0, MAX_INT));
}

/** Escapes a field of our own verbs that may contain anything: `'50 %|x'` → `'50 %25%7Cx'` */
export function packField(text: string): string {
  return text.replace(/[%|\0-\x1f]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** The inverse. Leaves other text as it is. */
export function unpackField(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-7][0-9A-F])/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

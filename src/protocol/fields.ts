// The one place where command lines are built and field lists are taken apart (protocol section 2).
// A value can never end a line or a field: CR, LF, NUL and, inside fields, `|` are refused.

import { AppError } from '../errors.ts';
import { MAX_COMMAND_BYTES } from '../limits/protocol.ts';

const BREAKS_LINE = /[\r\n\0]/;
const BREAKS_FIELD = /[\r\n\0|]/;

/** `command('GOTO', 'Lobby', '')` → `GOTO Lobby|\n`. Throws bad_request for a value that cannot be sent. */
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

/** For the verbs that take the rest of the line as one argument (ECHO, INVT, KICK, SETA, QUSR, SETP, MSGP, SLRP). */
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

/** A value may be sent as one field. */
export function isFieldSafe(value: string): boolean {
  return !BREAKS_FIELD.test(value);
}

/** `'a|b|'` → `['a', 'b', '']` */
export function splitFields(text: string): string[] {
  return text.split('|');
}

/** beyond it digits are lost */
const MAX_INT = 999_999_999_999_999;

/**
 * Reads a number as the protocol does (C's atoi): leading blanks and sign, stops at other characters, rubbish is 0,
 * what is too large MAX_INT.
 */
export function toInt(text: string | undefined): number {
  const value = Number.parseInt(text ?? '', 10);
  return Math.max(-MAX_INT, Math.min(value || 0, MAX_INT));
}

/** For fields of our own verbs that may hold anything: `'50 %|x'` → `'50 %25%7Cx'` */
export function packField(text: string): string {
  return text.replace(/[%|\0-\x1f]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** The way back; what was not packed stays as it is. */
export function unpackField(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-7][0-9A-F])/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

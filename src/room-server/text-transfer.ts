// Sending a text after a 4xx (verbs EINF, EBIO, SEXP, protocol section 4). The room server says nothing behind it.

import { AppError } from '../errors.ts';
import { IN_STEP } from '../protocol/answer.ts';
import { REPLY } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import { expectClass, type KnownRefusals } from './connection/refusal.ts';

/**
 * Sends the command and, when it is answered 4xx, the text; returns when the room server has taken it. Throws
 * bad_request for a text with a line `000`, which would end it early; else as expectClass.
 */
export async function writeText(
  connection: Connection,
  verb: string,
  text: string,
  known?: KnownRefusals,
): Promise<void> {
  if (/^000$/m.test(text)) throw new AppError('bad_request', 'A line that is just 000 cannot be sent.');
  expectClass(await connection.start(verb), REPLY.sendText, known);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await connection.sendBinary([Buffer.from(`${ended}000\n`)]);
  expectClass(await connection.ask(IN_STEP), REPLY.done);
}

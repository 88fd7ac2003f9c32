// A plain text that replaces another one: banners and profiles.

import { AppError } from '../errors.ts';
import { readBody, utf8Of } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_TEXT_BODY_BYTES, MAX_TEXT_LINE_SENT_BYTES } from '../limits/http.ts';

/** The body with LF line ends. Throws bad_request for what is not UTF-8 text or could not be sent, too_large. */
export async function readText(exchange: Exchange): Promise<string> {
  const bytes = await readBody(exchange, MAX_TEXT_BODY_BYTES - 1); // the room server gets one more, the last line end
  return sendableText(utf8Of(bytes), MAX_TEXT_LINE_SENT_BYTES);
}

/** Throws bad_request for NUL and for lines that a room server would cut. */
export function sendableText(text: string, maxLineBytes: number): string {
  if (text.includes('\0')) throw new AppError('bad_request', 'The text holds NUL.');
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  if (lines.some((line) => Buffer.byteLength(line) > maxLineBytes)) {
    throw new AppError('bad_request', `A line of the text has more than ${maxLineBytes} bytes.`);
  }
  return lines.join('\n');
}

// The log that the operator reads on stderr: one line for each fault with a code, and its cause; the stack of faults
// without one. Repeated faults are counted instead, so that a room server that is down does not fill the disk. And
// the lines of requests, where they are wanted.

import { inspect } from 'node:util';
import { AppError } from '../errors.ts';
import { LOG_PERIOD_MS, MAX_LOG_KINDS, MAX_LOGGED_ALIKE, MAX_LOGGED_CAUSE_CHARACTERS } from '../limits/sessions.ts';
import { readableStack } from '../system/bundled-scripts.ts';
import { faultLine, type LogFormat, type RequestEntry, requestLine } from '../telemetry/log-line.ts';

const OTHERS = 'other faults';

/**
 * Logs what happened to a request, or to a part of the program. `write` gets whole entries without the last line end;
 * `format` is asked for each.
 */
export function operatorLog(
  write: (entry: string) => void,
  format: () => LogFormat = () => 'text',
): (requestId: string, error: unknown) => void {
  /** how often each kind came in this period, by its first line */
  const counts = new Map<string, number>();
  const entry = (who: string, text: string) => write(faultLine(format(), who, text));

  const endPeriod = () => {
    for (const [kind, count] of counts) {
      if (count > MAX_LOGGED_ALIKE) entry('-', `${kind} (${count - MAX_LOGGED_ALIKE} more times)`);
    }
    counts.clear();
  };

  return (requestId, error) => {
    const text = describe(error);
    const firstLine = text.split('\n', 1)[0]!;
    const kind = counts.has(firstLine) || counts.size < MAX_LOG_KINDS ? firstLine : OTHERS;
    if (counts.size === 0) setTimeout(endPeriod, LOG_PERIOD_MS).unref();
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    // only of what is written: that reads the source maps
    if (count <= MAX_LOGGED_ALIKE) entry(requestId, readableStack(text));
  };
}

/** Lines of requests: those of one turn of the event loop are written in one go. */
export class RequestLog {
  readonly #write: (text: string) => void;
  readonly #format: () => LogFormat;
  #lines = '';

  /** `write` gets whole lines with their ends. */
  constructor(write: (text: string) => void, format: () => LogFormat) {
    this.#write = write;
    this.#format = format;
  }

  add(entry: RequestEntry): void {
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += `${requestLine(this.#format(), entry)}\n`;
  }

  /** What waits is written now. */
  flush(): void {
    const text = this.#lines;
    this.#lines = '';
    if (text !== '') this.#write(text);
  }
}

/** A string is a text of the room server's thread, with its stack. */
function describe(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof AppError) || error.code === 'internal') return inspect(error);
  const cause = causeOf(error.cause);
  return `${error.code}: ${error.message}${cause && ` (${cause})`}`;
}

/** In one line: an error of the system, an answer of the room server, or a text. */
function causeOf(cause: unknown): string {
  const { code, message, text } = (
    typeof cause === 'object' && cause !== null ? cause : { text: cause ?? '' }
  ) as Record<string, unknown>;
  const words = String(message ?? text ?? '');
  const whole = code === undefined || words.includes(String(code)) ? words : `${code} ${words}`;
  // what a peer has sent must not look like a line of ours
  return whole
    .slice(0, MAX_LOGGED_CAUSE_CHARACTERS)
    .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim();
}

// The operator's log on stderr: one line per error with a code, including its cause, and a stack trace otherwise.
// Repeated errors are counted, so that a room server that is down does not fill the disk. And the access log.

import { inspect } from 'node:util';
import { AppError } from '../errors.ts';
import { LOG_PERIOD_MS, MAX_LOG_KINDS, MAX_LOGGED_ALIKE, MAX_LOGGED_CAUSE_CHARACTERS } from '../limits/sessions.ts';
import { readableStack } from '../system/assets.ts';
import { faultLine, type LogFormat, type RequestEntry, requestLine } from '../telemetry/log-line.ts';

const OTHERS = 'other faults';

/** Logs errors of requests and of other parts. `write` receives entries without the final line end. */
export function operatorLog(
  write: (entry: string) => void,
  format: () => LogFormat = () => 'text',
): (requestId: string, error: unknown) => void {
  /** occurrences in the current period, by first line */
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
    // resolving the stack is expensive
    if (count <= MAX_LOGGED_ALIKE) entry(requestId, readableStack(text));
  };
}

/** Access log. Batches the lines of one event loop turn. */
export class RequestLog {
  readonly #write: (text: string) => void;
  readonly #format: () => LogFormat;
  #lines = '';

  /** `write` receives complete lines. */
  constructor(write: (text: string) => void, format: () => LogFormat) {
    this.#write = write;
    this.#format = format;
  }

  add(entry: RequestEntry): void {
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += `${requestLine(this.#format(), entry)}\n`;
  }

  /** Writes pending lines now. */
  flush(): void {
    const text = this.#lines;
    this.#lines = '';
    if (text !== '') this.#write(text);
  }
}

/** A string comes from the room server's thread, including its stack. */
function describe(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof AppError) || error.code === 'internal') return inspect(error);
  const cause = causeOf(error.cause);
  return `${error.code}: ${error.message}${cause && ` (${cause})`}`;
}

/** The cause in one line: a system error, a reply of the room server, or a text. */
function causeOf(cause: unknown): string {
  const { code, message, text } = (
    typeof cause === 'object' && cause !== null ? cause : { text: cause ?? '' }
  ) as Record<string, unknown>;
  const words = String(message ?? text ?? '');
  const whole = code === undefined || words.includes(String(code)) ? words : `${code} ${words}`;
  // a peer's text must not forge log lines
  return whole
    .slice(0, MAX_LOGGED_CAUSE_CHARACTERS)
    .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim();
}

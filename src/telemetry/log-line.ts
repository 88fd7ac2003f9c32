// Lines of the log, as text for people or as JSON (one object a line) for programs: faults, words, requests. What a
// peer has sent cannot begin a line of its own. No path, no query, no header field, no address gets into a line.

export type LogFormat = 'text' | 'json';

/** A request whose answer has ended. */
export interface RequestEntry {
  requestId: string;
  traceId: string;
  /** undefined: a guest, or nobody whose credentials were right */
  user: string | undefined;
  method: string;
  /** the pattern of its route; empty where there is none */
  route: string;
  status: number;
  /** of the answer's body */
  bytes: number;
  milliseconds: number;
  backendMilliseconds: number;
}

/** `request`: its id, or `-`. */
export function faultLine(format: LogFormat, request: string, text: string): string {
  if (format === 'text') return `${timestamp()} [${request}] ${text}`;
  return json({ level: 'error', request: request === '-' ? undefined : request, message: text });
}

/** What the program says by itself: as it is, without a time, for people. */
export function wordsLine(format: LogFormat, text: string): string {
  return format === 'text' ? text : json({ level: 'info', message: text });
}

export function requestLine(format: LogFormat, entry: RequestEntry): string {
  const { requestId, traceId, user, method, status, bytes } = entry;
  const [milliseconds, backend] = [rounded(entry.milliseconds), rounded(entry.backendMilliseconds)];
  const route = entry.route || '-';
  if (format === 'text') {
    const who = user === undefined ? '-' : JSON.stringify(user);
    const times = `${milliseconds} ms, backend ${backend} ms`;
    return `${timestamp()} [${requestId}] ${who} ${method} ${route} ${status} ${bytes} B, ${times}, trace ${traceId}`;
  }
  const times = { milliseconds, backend_milliseconds: backend };
  return json({ level: 'info', request: requestId, trace: traceId, user, method, route, status, bytes, ...times });
}

function json(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ time: timestamp(), ...fields });
}

function timestamp(): string {
  return new Date().toISOString();
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

// Log lines as text or as JSON (one object per line). Text from a peer cannot start a new line. Lines contain no path,
// query, header field or address.

export type LogFormat = 'text' | 'json';

/** A completed request. */
export interface RequestEntry {
  requestId: string;
  traceId: string;
  /** undefined: guest or failed log-in */
  user: string | undefined;
  method: string;
  /** pattern of the route; '' if there is none */
  route: string;
  status: number;
  /** of the response body */
  bytes: number;
  milliseconds: number;
  backendMilliseconds: number;
}

/** `request`: its id, or `-` */
export function faultLine(format: LogFormat, request: string, text: string): string {
  if (format === 'text') return `${timestamp()} [${request}] ${text}`;
  return json({ level: 'error', request: request === '-' ? undefined : request, message: text });
}

/** Messages of the program: without a time in text format. */
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

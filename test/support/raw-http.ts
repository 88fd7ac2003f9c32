// Requests as bytes, for what no HTTP client would send: bad encodings, control characters, broken-off bodies.

import { connect } from 'node:net';

export interface RawAnswer {
  /** 0: the connection ended without an answer */
  status: number;
  /** status line and header fields */
  head: string;
  body: string;
}

/** Sends `request`, closing nothing, and reads until the server closes: the request should say `Connection: close`. */
export function sendRaw(url: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      const end = received.indexOf('\r\n\r\n');
      const head = end < 0 ? received : received.slice(0, end);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({ status, head, body: end < 0 ? '' : received.slice(end + 4) });
    });
    socket.write(request);
  });
}

/** `target` and `fields` go out as they are, in Latin-1. */
export function rawRequest(method: string, target: string, fields: string[] = [], body = ''): Buffer {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  const head = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...length, ...fields, '', ''];
  return Buffer.from(head.join('\r\n') + body, 'latin1');
}

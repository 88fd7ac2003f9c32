// HTTP clients that send what they are given and nothing else, as curl does: fetch adds Sec-Fetch-Mode, resolves `..`
// in paths and unpacks what comes.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { Readable } from 'node:stream';

export interface Init {
  method?: string;
  headers?: Record<string, string>;
  /** an iterable is sent chunked, unless `headers` has a Content-Length */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

/** The answer as fetch gives it; redirects are not followed. Rejects when the connection is lost before an answer. */
export function sendHttp(url: string, path: string, init: Init = {}): Promise<Response> {
  const { protocol, hostname, port } = new URL(url);
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  const { method = 'GET', body, signal } = init;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  // node leaves the length out for some methods
  const headers = { ...(isWhole && { 'content-length': String(Buffer.byteLength(body)) }), ...init.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers, ...(signal && { signal }) }, (incoming) => {
      const { statusCode: status = 0, rawHeaders } = incoming;
      const fields = new Headers();
      for (let i = 0; i < rawHeaders.length; i += 2) fields.append(rawHeaders[i]!, rawHeaders[i + 1]!);
      const hasNoContent = method === 'HEAD' || status === 204 || status === 304;
      if (hasNoContent) incoming.resume();
      const content = hasNoContent ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
      resolve(new Response(content, { status, headers: fields }));
    });
    outgoing.on('error', reject);
    if (body === undefined || isWhole) outgoing.end(body);
    else Readable.from(body).pipe(outgoing);
  });
}

export interface RawAnswer {
  /** 0: the connection ended without an answer */
  status: number;
  /** status line and header fields */
  head: string;
  body: string;
}

/**
 * Sends `bytes` and reads one answer, or `all` there are until the connection ends, as one without a Content-Length
 * does.
 */
export function sendRaw(url: string, bytes: Buffer, all = false): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (piece: Buffer) => {
      received += piece.toString('latin1');
      const { head, body } = split(received);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (!all && length !== undefined && body.length >= Number(length)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const { head, body } = split(received);
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body });
    });
    socket.write(bytes);
  });
}

function split(received: string): { head: string; body: string } {
  const end = received.indexOf('\r\n\r\n');
  return end < 0 ? { head: '', body: '' } : { head: received.slice(0, end), body: received.slice(end + 4) };
}

/** `target` and `fields` go out as they are, in Latin-1. */
export function rawRequest(method: string, target: string, fields: string[] = [], body = ''): Buffer {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  const head = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...length, ...fields, '', ''];
  return Buffer.from(head.join('\r\n') + body, 'latin1');
}

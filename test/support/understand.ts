// A listener that answers with what it has understood of a request, and a client that writes bytes and takes the
// answers apart.

import { connect } from 'node:net';
import { readBody } from '../../src/http/body.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { listen } from '../../src/http/listener.ts';
import { asPlainText, send as sendAnswer } from '../../src/http/respond.ts';
import type { Ending } from './gateway.ts';

const MAX_BYTES = 100_000;

export interface Understanding {
  port: number;
  /** every request that came to the handler, in order */
  handled: { words: string; exchange: Exchange; isWhole: boolean }[];
  /** Writes the bytes on a connection of its own: which requests came whole, and what was answered. */
  send(bytes: string): Promise<{ handled: string[]; answered: string[] }>;
}

export async function understand(t: Ending, trustProxy = false): Promise<Understanding> {
  const handled: Understanding['handled'] = [];
  const handle = async (exchange: Exchange) => {
    const { method, rawPath } = exchange;
    const request = { words: `${method} ${rawPath}`, exchange, isWhole: false };
    handled.push(request); // now, for a body may come later than the next request
    const body = await readBody(exchange, MAX_BYTES);
    request.isWhole = true;
    if (body.length > 0) request.words += ` ${body.toString('latin1')}`;
    await sendAnswer(exchange, 200, asPlainText(request.words));
  };
  const at = { host: '127.0.0.1', port: 0 };
  const listener = await listen({ at, handle, logError: () => {}, graceMs: 500, trustProxy });
  t.after(() => {
    listener.server.closeAllConnections();
    return listener.close();
  });
  const send = async (bytes: string) => {
    const before = handled.length;
    const answered = answersIn(await converse(listener.port, bytes));
    const whole = handled.slice(before).filter(({ isWhole }) => isWhole);
    return { handled: whole.map(({ words }) => words), answered };
  };
  return { port: listener.port, handled, send };
}

/** Writes the bytes, says that no more will come, and reads to the end, or for so long. */
export function converse(port: number, bytes: string, mostMs?: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (piece) => (received += piece.toString('latin1')));
    socket.on('end', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    if (mostMs !== undefined) setTimeout(() => socket.destroy(), mostMs);
    if (mostMs === undefined) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
}

/** Bodies of 200, statuses of others; `100 Continue` is none. What follows no head is `rubbish`. */
export function answersIn(text: string): string[] {
  const answers: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const head = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/.exec(rest);
    if (!head) return [...answers, 'rubbish'];
    const [{ length }, status] = [head[0], head[1]!];
    const size = Number(/\r\ncontent-length: (\d+)/i.exec(head[0])?.[1] ?? 0);
    const body = rest.slice(length, length + size);
    rest = rest.slice(length + size);
    if (status !== '100') answers.push(status === '200' ? body : status);
  }
  return answers;
}

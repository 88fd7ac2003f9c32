// What idle connections cost in resident memory: line sessions that are logged in, HTTP connections kept open after a
// request, event streams. Each on a gateway of its own, with a small generated set.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fillFolder, PASSWORD } from './generate.ts';
import { type Server, startServer } from './scale-site.ts';

export const CONNECTIONS = 1000;
const USERS = 100;
const AT_ONCE = 50;
/** for what is done after an answer has been sent */
const SETTLE_MS = 2000;

type Open = (server: Server, user: string) => Promise<Socket>;

const WAYS = { 'line sessions': openSession, 'HTTP connections': openHttp, 'event streams': openStream } as const;

export type IdleKind = keyof typeof WAYS;
export const IDLE_KINDS = Object.keys(WAYS) as IdleKind[];

/** Resident megabytes with CONNECTIONS connections of USERS users over those without. */
export async function measureIdle(kind: IdleKind): Promise<number> {
  const open: Open = WAYS[kind];
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-idle-'));
  const sockets: Socket[] = [];
  let server: Server | undefined;
  try {
    await fillFolder(folder, { rooms: 100, messages: 1000, users: USERS + 1, largeRoom: 100, seed: 1 }, () => {});
    server = await startServer(folder, ['--line-listen', `unix:${join(folder, 'line')}`]);
    const to = server;
    const openSome = async () => {
      const users = Array.from({ length: AT_ONCE }, (_, i) => `user${((sockets.length + i) % USERS) + 1}`);
      sockets.push(...(await Promise.all(users.map((user) => open(to, user)))));
    };
    // what the first of all costs, as code that is compiled, is not what each one does
    await openSome();
    for (const socket of sockets.splice(0)) socket.destroy();
    await setTimeout(SETTLE_MS);
    const before = server.residentMegabytes();
    while (sockets.length < CONNECTIONS) await openSome();
    await setTimeout(SETTLE_MS);
    const isOpen = sockets.every((socket) => !socket.readableEnded && !socket.destroyed);
    if (!isOpen) throw new Error('A connection was closed.');
    return server.residentMegabytes() - before;
  } finally {
    for (const socket of sockets) socket.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openSession({ lineUrl }: Server, user: string): Promise<Socket> {
  const socket = connect(lineUrl!.slice('unix:'.length));
  await said(socket, /^200 /);
  socket.write(`USER ${user}\nPASS ${PASSWORD}\nGOTO Lobby\nNOOP\n`);
  await said(socket, /^200 Lobby.*\n200/m);
  return socket;
}

async function openHttp(server: Server, user: string): Promise<Socket> {
  const socket = request(server, user, 'a/whoami');
  await said(socket, /^HTTP\/1\.1 200 .*"username"/s);
  return socket;
}

async function openStream(server: Server, user: string): Promise<Socket> {
  const socket = request(server, user, 'a/events');
  await said(socket, /^HTTP\/1\.1 200 /);
  return socket;
}

function request({ url }: Server, user: string, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const authorization = Buffer.from(`${user}:${PASSWORD}`).toString('base64');
  socket.write(
    `GET /svc/${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Basic ${authorization}\r\n\r\n`,
  );
  return socket;
}

/** Resolves when what has come matches; what comes later is read and dropped. */
async function said(socket: Socket, pattern: RegExp): Promise<void> {
  let text = '';
  while (!pattern.test(text)) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    text += piece.toString();
    if (/^HTTP\/1\.1 [45]/.test(text)) throw new Error(text);
  }
  socket.resume();
}

// A gateway that reaches its room server through a proxy which harms bytes, and another one that looks at the same room
// server undisturbed: what the first one says can be compared with what has happened.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { REPLY_TIMEOUT_MS } from '../../src/limits/protocol.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Api, type Ending, startGateway, type TestGateway } from './gateway.ts';
import { startRealServer } from './real-server.ts';

/** the embedded room server, which answers for members and more; one that only has the documented verbs */
export const ROOM_SERVERS = ['ours', 'ordinary'] as const;
export type RoomServerKind = (typeof ROOM_SERVERS)[number];
/** between the gateway and one of these, or between it and its client */
export const FAULT_PLACES = [...ROOM_SERVERS, 'front'] as const;
export type FaultPlace = (typeof FAULT_PLACES)[number];

export interface FaultSite {
  /** between gateway and room server; `isFront`: between client and gateway */
  proxy: FaultProxy;
  isFront: boolean;
  /** where it is asked */
  url: string;
  /** asks undisturbed */
  straight(user: string): Api;
  /** What the gateway that is asked says of itself: lines of its metrics, for the report on a request that hangs. */
  state(): Promise<string>;
}

const ADMIN_LISTEN = ['--admin-listen', 'tcp://127.0.0.1:0'];
/** of what is under way, and of the room server */
const STATE_METRIC = /^vestibule_(?:http_requests_in_flight|http_connections|event_streams|backend_(?!round_trip))/;

const passwordOf = (user: string) => `${user}pw`;

/** What bob alone may read. */
export const SECRET = 'what-bob-alone-may-read';

export interface RoomServerSite {
  straight: TestGateway;
  path: string;
}

/** A room server with these users, and a gateway that is not disturbed. */
export async function startRoomServerSite(t: Ending, kind: RoomServerKind, users: string[]): Promise<RoomServerSite> {
  const all = [...users, 'bob'];
  const site = await (kind === 'ours' ? startOurs(t, all) : startOrdinary(t, all));
  const headers = { 'content-type': 'text/plain' };
  const secret = { method: 'PUT', headers, body: SECRET };
  const sent = await site.straight.as('bob', passwordOf('bob'))(`r/_MAIL_/new?subj=${SECRET}&mailto=bob`, secret);
  assert.equal(sent.status, 201);
  return site;
}

async function startOurs(t: Ending, names: string[]): Promise<RoomServerSite> {
  const users = names.map((name) => ({ name, password: passwordOf(name) }));
  const straight = await startGateway(t, { users, options: ['--line-listen', 'tcp://127.0.0.1:0', ...ADMIN_LISTEN] });
  return { straight, path: straight.lineUrl! };
}

async function startOrdinary(t: Ending, names: string[]): Promise<RoomServerSite> {
  const real = await startRealServer(t, { users: Object.fromEntries(names.map((name) => [name, 4])) });
  const path = `unix:${real.path}`;
  return { straight: await startGateway(t, { backend: path, options: ADMIN_LISTEN }), path };
}

/** Each has an address of its own: a room server counts the sessions of each, and what stalls stays one. */
let proxies = 0;

/** A gateway of its own, with a proxy of its own. */
export async function startFaultSite(t: Ending, { straight, path }: RoomServerSite): Promise<FaultSite> {
  const proxy = await startFaultProxy({ ...targetOf(path), localAddress: `127.0.1.${++proxies}` });
  t.after(() => proxy.close());
  const gateway = await startGateway(t, { backend: `tcp://127.0.0.1:${proxy.port}`, options: ADMIN_LISTEN });
  return { proxy, isFront: false, url: gateway.url, ...told(straight, gateway) };
}

/** A proxy in front of the gateway that is not disturbed otherwise. */
export async function startFaultFront(t: Ending, { straight }: RoomServerSite): Promise<FaultSite> {
  const { hostname, port } = new URL(straight.url);
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  t.after(() => proxy.close());
  const url = `http://127.0.0.1:${proxy.port}/`;
  return { proxy, isFront: true, url, ...told(straight, straight) };
}

function told(straight: TestGateway, { adminUrl }: TestGateway): Pick<FaultSite, 'straight' | 'state'> {
  return {
    straight: (user) => straight.as(user, passwordOf(user)),
    async state() {
      const metrics = await (await fetch(new URL('metrics', adminUrl))).text();
      return metrics
        .split('\n')
        .filter((line) => STATE_METRIC.test(line))
        .join('\n');
    },
  };
}

function targetOf(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const { hostname, port } = new URL(address);
  return { host: hostname, port: Number(port) };
}

/** Silence of a room server lasts so many milliseconds, in place of REPLY_TIMEOUT_MS, until the test ends. */
export function shortenSilence(t: Pick<TestContext, 'mock'>, milliseconds: number): void {
  const { setTimeout } = globalThis;
  const shorter = (then: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    setTimeout(then, ms === REPLY_TIMEOUT_MS ? milliseconds : ms, ...args);
  t.mock.method(globalThis, 'setTimeout', shorter);
}

/** Makes a room of its own for a user, and puts things into it. */
export async function makeRoom(api: Api, name: string, view: number): Promise<string> {
  const body = JSON.stringify({ name, kind: 'personal', view });
  const made = await api('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(made.status, 201, await made.text());
  return `r/${name}`;
}

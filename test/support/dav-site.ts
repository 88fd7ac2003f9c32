// A server for real DAV clients, with one user, and what a test asks of it beside them. It is this one; with
// DAV_PEER=cyrus or =radicale it is that peer, which shows whether a test that fails is right.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCyrus } from '../../scripts/bench/cyrus.ts';
import { AUTHORIZATION, type DavPeer, type StartPeer } from '../../scripts/bench/dav-peer.ts';
import { startRadicale } from '../../scripts/bench/radicale.ts';
import { startVestibule } from '../../scripts/bench/vestibule.ts';
import type { Ending } from './gateway.ts';
import { type Init, sendHttp } from './raw-http.ts';

const SERVERS: Record<string, StartPeer> = { cyrus: startCyrus, radicale: startRadicale, '': startVestibule };

export interface DavSite extends DavPeer {
  /** Asks as the user, for a whole URL. */
  ask(method: string, url: string, init?: Init): Promise<Response>;
  /** The bytes of a member; fails where there is none. */
  textOf(url: string): Promise<string>;
  /** Names of the members of a collection, decoded, in order. */
  names(collection: string): Promise<string[]>;
  /** Stores a member, as another device does. */
  store(url: string, data: string): Promise<void>;
  /** Makes a calendar of events, or of what `component` names; answers its URL. */
  newCalendar(name: string, component?: string): Promise<string>;
  /** Makes an address book; answers its URL. */
  newAddressBook(name: string): Promise<string>;
}

export async function startDavSite(t: Ending): Promise<DavSite> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  await chmod(folder, 0o755); // a peer may run as another user
  const peer = await SERVERS[process.env.DAV_PEER ?? '']!(folder);
  assert.ok(peer !== undefined, 'the peer of DAV_PEER is not installed');
  t.after(async () => {
    await peer.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const ask: DavSite['ask'] = (method, url, init = {}) => {
    const type = init.body === undefined ? {} : { 'content-type': 'application/xml' };
    const headers = { authorization: AUTHORIZATION, ...type, ...init.headers };
    return sendHttp(url, new URL(url).pathname, { ...init, method, headers });
  };
  const mustAsk = async (method: string, url: string, init?: Init) => {
    const response = await ask(method, url, init);
    const text = await response.text();
    assert.ok(response.ok, `${method} ${url}: ${response.status} ${text}`);
    return text;
  };
  return {
    ...peer,
    ask,
    textOf: (url) => mustAsk('GET', url),
    async names(collection) {
      const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
      const answer = await mustAsk('PROPFIND', collection, { headers: { depth: '1' }, body });
      const hrefs = Array.from(answer.matchAll(/<(?:\w+:)?href>([^<]*)<\//g), ([, href]) => href!);
      const paths = hrefs.map((href) => new URL(href, collection).pathname);
      const own = new URL(collection).pathname;
      return paths
        .filter((path) => path !== own)
        .map((path) => decodeURIComponent(path.slice(own.length)))
        .sort();
    },
    async store(url, data) {
      const type = url.endsWith('.vcf') ? 'text/vcard' : 'text/calendar';
      await mustAsk('PUT', url, { headers: { 'content-type': `${type}; charset=utf-8` }, body: data });
    },
    async newCalendar(name, component = 'VEVENT') {
      const components = `<C:supported-calendar-component-set><C:comp name="${component}"/></C:supported-calendar-component-set>`;
      const set = `<D:set><D:prop>${components}</D:prop></D:set>`;
      const body = `<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${set}</C:mkcalendar>`;
      await mustAsk('MKCALENDAR', `${peer.calendars}${name}/`, { body });
      return `${peer.calendars}${name}/`;
    },
    async newAddressBook(name) {
      const type = '<resourcetype><collection/><addressbook xmlns="urn:ietf:params:xml:ns:carddav"/></resourcetype>';
      const body = `<mkcol xmlns="DAV:"><set><prop>${type}</prop></set></mkcol>`;
      await mustAsk('MKCOL', `${peer.contacts}${name}/`, { body });
      return `${peer.contacts}${name}/`;
    },
  };
}

export interface Overtaker {
  /** the origin of the server, as clients reach it through here; without a slash at the end */
  origin: string;
  /** What is done before the next request of this method is passed on, once. */
  beforeNext(method: string, act: () => Promise<void>): void;
}

/**
 * A proxy in which somebody else may be faster: between what a client has read and what it writes. `authorization`: for
 * a client that has nobody to ask for a password.
 */
export async function startOvertaker(t: Ending, target: string, authorization?: string): Promise<Overtaker> {
  const { hostname, port } = new URL(target);
  const waiting = new Map<string, () => Promise<void>>();
  const server = createServer(async (incoming, answer) => {
    const { method = 'GET', url } = incoming;
    const headers = authorization === undefined ? incoming.headers : { ...incoming.headers, authorization };
    const act = waiting.get(method);
    waiting.delete(method);
    await act?.();
    const passed = request({ hostname, port, method, path: url, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    beforeNext: (method, act) => void waiting.set(method, act),
  };
}

/** An event of an hour. `day`: `20260710`. */
export function event(uid: string, summary: string, day: string, more: readonly string[] = []): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Vestibule//tests//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${day}T100000Z`,
    `DTEND:${day}T110000Z`,
    'DTSTAMP:20260101T000000Z', // here Radicale leaves it where it is
    `SUMMARY:${summary}`,
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

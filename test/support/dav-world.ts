// A gateway with a few people, asked as DAV clients ask, for tests of one method each.

import assert from 'node:assert/strict';
import { type Api, type Ending, startGateway } from './gateway.ts';

export const NAMESPACES =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';

export interface Told {
  status: number;
  text: string;
  headers: Headers;
}

/** Asks as one user. `body`: with the prefixes D, C and CR declared in its root. */
export type Dav = (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Told>;

export function davOf(api: Api): Dav {
  return async (method, path, headers = {}, body) => {
    const declared = method === 'PUT' ? body : body?.replace(/^<([^\s/>]+)/, `<$1 ${NAMESPACES}`);
    const type = { 'content-type': method === 'PUT' ? 'text/plain; charset=utf-8' : 'application/xml' };
    const sent = { ...(body !== undefined && type), ...headers };
    const answer = await api(path, { method, headers: sent, ...(declared !== undefined && { body: declared }) });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
}

/** alice and bob, with a gateway for themselves; rooms of files, each new. */
export async function startDavWorld(t: Ending) {
  const gateway = await startGateway(t, { demo: true });
  const [alice, bob, nobody] = [davOf(gateway.as('alice')), davOf(gateway.as('bob')), davOf(gateway.api)];
  let count = 0;
  /** `r/World-1`, a room of alice's with these files */
  const newRoom = async (...files: string[]): Promise<string> => {
    const room = `r/World-${++count}`;
    assert.equal((await alice('MKCOL', `${room}/`)).status, 201);
    for (const file of files) {
      const isFolder = file.endsWith('/');
      const made = await alice(isFolder ? 'MKCOL' : 'PUT', `${room}/${file}`, {}, isFolder ? undefined : file);
      assert.equal(made.status, 201, file);
    }
    return room;
  };
  const newCalendar = async (): Promise<string> => {
    const room = `r/World-${++count}`;
    assert.equal((await alice('MKCALENDAR', `${room}/`)).status, 201);
    return room;
  };
  return { gateway, alice, bob, nobody, newRoom, newCalendar };
}

/** The hrefs of a multistatus, in its order. */
export function hrefsIn({ status, text }: Told): string[] {
  assert.equal(status, 207, text);
  return [...text.matchAll(/<D:response><D:href>([^<]*)</g)].map(([, href]) => href!);
}

/** An event of an hour. `day`: `20260710`; `lines` further ones. */
export function eventOn(uid: string, day: string, ...lines: string[]): string {
  const event = [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', `DTSTART:${day}T100000Z`, `DTEND:${day}T110000Z`, ...lines];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    ...event,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

export const CALENDAR_TYPE = { 'content-type': 'text/calendar; charset=utf-8' };

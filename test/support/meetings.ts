// People of one gateway who invite each other.

import { type Api, type Ending, startGateway } from './gateway.ts';

export const CALENDAR_TYPE = { 'content-type': 'text/calendar; charset=utf-8' };

/** An event of one hour, with CR LF. `people`: calendar addresses; `lines`: more of the event. */
export function meetingOf(uid: string, organizer: string, people: readonly string[], lines: readonly string[] = []) {
  const event = [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z'];
  const guests = people.map((one) => `ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:${one}`);
  const inner = ['BEGIN:VEVENT', ...event, 'SUMMARY:Plan', `ORGANIZER:${organizer}`, ...guests, ...lines, 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...inner, 'END:VCALENDAR', ''].join('\r\n');
  return { uid, text };
}

/** The object as a request to its people (RFC 5546 section 3.2.2). */
export function requestIn(calendar: string): string {
  return calendar.replace('VERSION:', 'METHOD:REQUEST\r\nVERSION:');
}

/** Their passwords are their names. */
export async function startPeople(t: Ending, names: readonly string[]) {
  const gateway = await startGateway(t, { users: names.map((name) => ({ name, password: name, level: 4 })) });
  const api = (name?: string): Api => (name === undefined ? gateway.api : gateway.as(name));
  const addresses: Record<string, string> = {};
  for (const name of names) {
    const { email } = (await (await api(name)('a/whoami')).json()) as { email: string };
    addresses[name] = `mailto:${email}`;
  }
  const path = (uid: string, room = 'Calendar') => `r/${room}/${uid}.ics`;
  return {
    api,
    /** calendar addresses by name */
    addresses,
    put: (name: string, { uid, text }: ReturnType<typeof meetingOf>, headers = {}, room?: string): Promise<Response> =>
      api(name)(path(uid, room), { method: 'PUT', headers: { ...CALENDAR_TYPE, ...headers }, body: text }),
    /** unfolded; empty where there is none */
    async get(name: string, uid: string): Promise<string> {
      const answer = await api(name)(path(uid));
      return answer.status === 200 ? (await answer.text()).replaceAll('\r\n ', '') : '';
    },
    remove: async (name: string, uid: string, headers: Record<string, string> = {}): Promise<number> =>
      (await api(name)(path(uid), { method: 'DELETE', headers })).status,
  };
}

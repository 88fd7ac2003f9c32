// Rooms whose members are PUT as a gateway does it, and the verbs MEMB and PROP asked about them.

import type { TestContext } from 'node:test';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { updateRoom } from '../../src/backend/store/rooms.ts';
import { updateVisit, visitOf } from '../../src/backend/store/visits.ts';
import { memb } from '../../src/backend/verbs/collection/members.ts';
import { prop } from '../../src/backend/verbs/collection/properties.ts';
import { ent0 } from '../../src/backend/verbs/posting.ts';
import { ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../src/model.ts';
import { messageWorld, run } from './message-session.ts';

/** Bytes as they are PUT, with what is stored before them. */
export interface PutBody {
  /** empty: none */
  name?: string;
  type?: string;
  body: string;
  /** field 12 of ENT0 */
  replaces?: string;
}

/** An event of one hour. `start`: `20240501T100000Z` */
export function event(uid: string, start = '20240501T100000Z', more = ''): string {
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20200101T000000Z'],
    ...[`DTSTART:${start}`, 'DURATION:PT1H', `SUMMARY:${uid} 50%`, more, 'END:VEVENT', 'END:VCALENDAR', ''],
  ]
    .filter((line, i) => line !== '' || i > 8)
    .join('\r\n');
}

export function memberWorld(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const shared = { flags2: ROOM_FLAG2.collaborativeDelete };
  const files = w.room('Files', VIEW.files, shared);
  const calendar = w.room('Events', VIEW.calendar, shared);
  const board = w.room('Board', VIEW.board);
  const other = w.room('Other', VIEW.files, shared);
  w.room('Closed', VIEW.files, { flags: ROOM_FLAG.private });
  /** ann administers it, and has been there */
  const own = (room: StoredRoom): void => {
    updateRoom(w.store, room, { admin: ann.id });
    updateVisit(w.store, visitOf(w.store, ann.id, room.id), { state: 'known' });
  };
  const inRoom = (room: StoredRoom) => w.session(ann, room);
  /** number of the message, or the whole confirmation of a failure */
  const put = (room: StoredRoom, { name = '', type, body, replaces = '' }: PutBody): number | string => {
    const kind = type ?? (room.view === VIEW.calendar ? 'text/calendar; charset=utf-8' : 'text/plain');
    const header = `Content-Type: ${kind}\nContent-Transfer-Encoding: base64\n`;
    const naming = name === '' ? '' : `X-Vestibule-Name: ${encodeURIComponent(name)}\n`;
    const stored = `${header}${naming}\n${Buffer.from(body).toString('base64')}\n`;
    const [, number = '', text] = run(inRoom(room), ent0, `1|||4|s||1||||||${replaces}`, stored).split('\n');
    return Number(number) > 0 ? Number(number) : `${number} ${text}`;
  };
  const ask = (room: StoredRoom, args: string, body?: string): string[] => lines(run(inRoom(room), memb, args, body));
  const props = (room: StoredRoom, args: string, body?: string) => lines(run(inRoom(room), prop, args, body));
  /** `name number` of each */
  const names = (room: StoredRoom, args = ''): string[] => ask(room, `list|${args}`).slice(1).map(shortRow);
  return { w, own, files, calendar, board, other, inRoom, put, ask, props, names };
}

/** `12|a.txt|…` → `a.txt 12` */
export function shortRow(line: string): string {
  const [number, name] = line.split('|');
  return `${name} ${number}`;
}

function lines(reply: string): string[] {
  const all = reply.split('\n').slice(0, -1);
  return all.at(-1) === '000' ? all.slice(0, -1) : all;
}

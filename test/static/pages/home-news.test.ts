// Which of the newest messages an inbox shows.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { newsFor } from '../../../static/pages/home-news.js';

interface Row {
  msgnum: number;
  time: number;
  seen: boolean;
  to?: string;
}

const NEWS: { room: string; unread: number; msgs: Row[] }[] = [
  {
    room: 'Mail',
    unread: 5,
    msgs: [
      { msgnum: 9, time: 90, seen: false, to: 'Bob <bob@x.example>, "Feld, R" <ruth_feld@x.example>' },
      { msgnum: 5, time: 50, seen: false, to: 'list@x.example' },
      { msgnum: 4, time: 40, seen: true, to: 'Ruth Feld' },
    ],
  },
  { room: 'Hall', unread: 1, msgs: [{ msgnum: 7, time: 70, seen: false, to: '' }] },
];
const isOwn = (room: string) => room === 'Mail';
const shown = (tab: string) =>
  (newsFor(tab, NEWS, 'Ruth Feld', isOwn) as { room: string; row: Row; more: number }[]).map(({ row, more }) => [
    row.msgnum,
    more,
  ]);

it('all that is unread, the newest first; the last of a room says how many more there are', () => {
  assert.deepEqual(shown('all'), [
    [9, 0],
    [7, 0],
    [5, 3],
  ]);
});

it('mail, rooms, and what names the reader among its recipients', () => {
  assert.deepEqual(shown('mail'), [
    [9, 0],
    [5, 3],
  ]);
  assert.deepEqual(shown('rooms'), [[7, 0]]);
  assert.deepEqual(shown('to-you'), [[9, 0]]);
});

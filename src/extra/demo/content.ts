// Demo content (`--demo`): a neighbourhood that runs a garden. This file has the board and the mails, in many languages
// and formats; the other rooms are in rooms.ts.

import { FORMAT } from '../../backend/store/records.ts';
import {
  alternative,
  attachment,
  type DemoEntry,
  forward,
  html,
  inline,
  multipart,
  picture,
  plainText,
} from './bodies.ts';
import { events, rooms } from './rooms.ts';

const DAY = 24 * 3600;

/** Oldest first; `now` is Unix time. */
export function demoEntries(now: number): DemoEntry[] {
  const ago = (days: number) => now - Math.round(days * DAY);
  return [...board(ago), ...rooms(ago), ...events(now), ...mail(ago)].sort((a, b) => a.time - b.time);
}

function board(ago: (days: number) => number): DemoEntry[] {
  const room = 'Town Square';
  const sun = picture(96, 64);
  return [
    {
      by: 'alice',
      room,
      time: ago(30),
      key: 'hello',
      subject: 'Hello, neighbours',
      body: plainText('Welcome to our new board.\n\nSay hello, and tell us which bed in the garden is yours.'),
    },
    {
      by: 'bob',
      room,
      time: ago(29.8),
      key: 'hello2',
      replyTo: ['hello'],
      subject: 'Re: Hello, neighbours',
      body: plainText('> which bed in the garden is yours\n\nNumber 7, the one with too many courgettes.\n\n-- \nBob'),
    },
    {
      by: 'alice',
      room,
      time: ago(29.7),
      replyTo: ['hello', 'hello2'],
      subject: 'Re: Hello, neighbours',
      body: plainText('>> which bed in the garden is yours\n> Number 7\n\nWe noticed. :-)'),
    },
    {
      by: 'bob',
      room,
      time: ago(25),
      subject: 'Grüße aus Köln – wer hat Tomaten übrig?',
      body: plainText(
        'Hallo zusammen,\n\nmeine Setzlinge sind erfroren. Hat jemand noch ein paar übrig?\n' +
          'Ich tausche gegen Zucchini, größere Mengen möglich.\n\nSchöne Grüße\nBob',
      ),
    },
    {
      by: 'alice',
      room,
      time: ago(22),
      subject: '日本語のテスト',
      body: plainText('こんにちは。\nこの掲示板では日本語も使えます。\n絵文字も大丈夫です 🌱🍅'),
    },
    {
      by: 'bob',
      room,
      time: ago(21),
      subject: 'مرحبا بالجميع',
      body: plainText('مرحبا،\nهذه رسالة قصيرة من اليمين إلى اليسار.\nشكرا لكم'),
    },
    {
      by: 'alice',
      room,
      time: ago(18),
      key: 'harvest',
      subject: 'Harvest festival: first ideas',
      body: alternative(
        'Some ideas:\n\n * soup for everybody\n * a swap table\n * music from seven\n',
        '<h2>Some ideas</h2>\n<ul><li><b>soup</b> for everybody</li><li>a <i>swap table</i></li>' +
          '<li>music from seven</li></ul>\n' +
          '<p>More at <a href="https://example.org/festival">the festival page</a>.</p>',
      ),
    },
    {
      by: 'bob',
      room,
      time: ago(17.9),
      replyTo: ['harvest'],
      subject: 'Re: Harvest festival: first ideas',
      body: html('<blockquote>music from seven</blockquote>\n<p>I know a band. They know <em>three</em> songs.</p>'),
    },
    {
      by: 'alice',
      room,
      time: ago(12),
      subject: 'Sunrise over bed 3',
      body: multipart('mixed', [
        multipart('related', [
          html('<p>This morning at six:</p>\n<p><img src="cid:sunrise@demo" alt="Sunrise"></p>'),
          inline('sunrise.png', 'image/png', sun, 'sunrise@demo'),
        ]),
        attachment('rainfall.csv', 'text/csv; charset=utf-8', 'date,mm\n2026-06-01,4\n2026-06-02,0\n2026-06-03,11\n'),
      ]),
    },
    {
      by: 'bob',
      room,
      time: ago(9),
      subject: 'Minutes of the meeting',
      body: multipart('mixed', [
        plainText('The minutes are attached as a text file. Corrections until Friday, please.'),
        attachment(
          'minutes.txt',
          'text/plain; charset=utf-8',
          'Present: eleven people and a dog.\n1. The fence is repaired.\n2. The water butt is not.\n' +
            '3. Next meeting in a month.\n',
        ),
      ]),
    },
    {
      by: 'alice',
      room,
      time: ago(6),
      format: FORMAT.variable,
      subject: 'An old-fashioned one',
      body:
        'This is written in the text format of old, which is folded to the width of the reader, so that a long ' +
        'paragraph like this one needs no line breaks of its own.\n The second paragraph begins with a blank.\n',
    },
    {
      by: 'bob',
      room,
      time: ago(4),
      format: FORMAT.fixed,
      subject: 'Fixed width: who waters when',
      body: '        Mon  Wed  Fri\nalice    x         x\nbob           x\n',
    },
    {
      by: 'alice',
      room,
      time: ago(1),
      subject: 'Fwd: Seeds have shipped',
      body: multipart('mixed', [
        plainText('They are on their way, see below.'),
        forward(
          'From: Seed Shop <orders@example.com>\nTo: alice@example.org\nSubject: Seeds have shipped\n' +
            'Date: Mon, 01 Jun 2026 09:30:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n' +
            'Dear customer,\n\nyour order of 12 packets has left our shop.\n',
        ),
      ]),
    },
  ];
}

function mail(ago: (days: number) => number): DemoEntry[] {
  return [
    {
      by: 'alice',
      to: 'bob',
      time: ago(3.2),
      key: 'lunch',
      subject: 'Lunch?',
      body: plainText('Hi Bob,\n\ndo you have time on Tuesday?\n\nAlice'),
    },
    {
      by: 'bob',
      to: 'alice',
      time: ago(3.1),
      key: 'lunch2',
      replyTo: ['lunch'],
      subject: 'Re: Lunch?',
      body: plainText('> do you have time on Tuesday?\n\nYes. Twelve, at the usual place?\n\nBob'),
    },
    {
      by: 'alice',
      to: 'bob',
      time: ago(3),
      replyTo: ['lunch', 'lunch2'],
      subject: 'Re: Lunch?',
      body: multipart('mixed', [
        alternative('See you there.', '<p>See you <b>there</b>.</p>'),
        attachment('menu.txt', 'text/plain; charset=utf-8', 'Soup du jour\nCrème brûlée\n'),
      ]),
    },
    {
      by: 'bob',
      to: 'alice, bob',
      time: ago(0.5),
      subject: '¿Quién tiene las llaves?',
      body: plainText('El cobertizo está cerrado y mi café está dentro.'),
    },
  ];
}

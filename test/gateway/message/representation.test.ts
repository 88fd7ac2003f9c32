// What is true of every message that is served.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contentHeaders, FOREIGN_CONTENT, messageEtag, timeOf } from '../../../src/gateway/message/representation.ts';
import type { MessageHead } from '../../../src/room-server/messages.ts';

const head = (time: string, headers: [string, string][] = []) =>
  ({
    fields: new Map([['time', time]]),
    headers: headers.map(([name, value]) => ({ name, value })),
  }) as Partial<MessageHead> as MessageHead;

it('a message never runs in the origin of the gateway, whatever it is found by', () => {
  for (const segment of ['12', 'a.html', 'uid.ics']) {
    assert.match(String(contentHeaders(segment)['Content-Security-Policy']), /^sandbox;.*default-src 'none'/);
    assert.match(String(contentHeaders(segment)['Cache-Control']), /^private\b/);
  }
});

it('what a number means may be kept; what a name means is asked for again', () => {
  assert.match(String(contentHeaders('12')['Cache-Control']), /immutable/);
  for (const name of ['a.txt', '012', '0', '']) assert.equal(contentHeaders(name), FOREIGN_CONTENT);
});

it('its entity tag is strong, and another one for each message', () => {
  assert.equal(messageEtag(12), '"12"');
  assert.notEqual(messageEtag(12), messageEtag(21));
});

it('its time is that at which it was written, be it posted again by a copy', () => {
  assert.equal(timeOf(head('1795221150')), 1795221150);
  assert.equal(timeOf(head('1795221150', [['X-Vestibule-Original-time', '1000000000']])), 1_000_000_000);
  assert.equal(timeOf(head('1795221150', [['X-Vestibule-Original-time', 'long ago']])), 1795221150);
});

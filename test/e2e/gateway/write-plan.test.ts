// Where a calendar object or card goes that is PUT: what it replaces, what it is called, and what forbids it.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_OBJECT_BYTES } from '../../../src/limits/backend.ts';
import { isObjectType } from '../../../src/mime/stored-content.ts';
import { startGateway } from '../../support/gateway.ts';
import { event } from '../../support/member-world.ts';

const gateway = await startGateway({ after }, { users: [{ name: 'ann', password: 'ann' }] });
const ann = gateway.as('ann');
const CALENDAR = 'text/calendar; charset=utf-8';
const CARD = 'text/vcard; charset=utf-8';
const card = (uid: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:Ann\r\nN:;Ann;;;\r\nEND:VCARD\r\n`;

async function put(path: string, body: string | Uint8Array, type = CALENDAR) {
  const answer = await ann(`r/${path}`, { method: 'PUT', headers: { 'content-type': type }, body });
  const text = await answer.text();
  const number = Number(answer.headers.get('etag')?.slice(1, -1));
  return { status: answer.status, number, text };
}

const read = async (path: string) => {
  const answer = await ann(`r/${path}`);
  return answer.status === 200 ? /UID:(.*)\r/.exec(await answer.text())?.[1] : answer.status;
};

describe('an object that is PUT', () => {
  it('is found under the name that it was given, by its UID, and by its number', async () => {
    const { status, number } = await put('Calendar/first.ics', event('uid-1'));
    assert.equal(status, 201);
    for (const path of ['first.ics', 'uid-1', 'uid-1.ics', String(number)]) {
      assert.equal(await read(`Calendar/${path}`), 'uid-1', path);
    }
  });

  it('replaces what has its name, and by its UID what has its UID', async () => {
    assert.equal((await put('Calendar/a.ics', event('uid-2'))).status, 201);
    const again = await put('Calendar/a.ics', event('uid-2', '20240601T100000Z'));
    assert.equal(again.status, 204);
    assert.equal((await put('Calendar/uid-2.ics', event('uid-2', '20240701T100000Z'))).status, 204);
    assert.equal(await read('Calendar/a.ics'), 'uid-2', 'it has kept its name');
    const numbered = await put(`Calendar/${(await put('Calendar/a.ics', event('uid-2'))).number}`, event('uid-2'));
    assert.equal(numbered.status, 204);
  });

  it('is a conflict where its UID is that of another object, or its name that of another UID', async () => {
    await put('Calendar/b.ics', event('uid-3'));
    await put('Calendar/c.ics', event('uid-4'));
    for (const [path, uid] of [
      ['Calendar/new.ics', 'uid-3'],
      ['Calendar/c.ics', 'uid-3'],
      ['Calendar/c.ics', 'uid-new'],
    ] as const) {
      const { status } = await put(path, event(uid));
      assert.equal(status, 409, `${path} ${uid}`);
    }
    assert.deepEqual([await read('Calendar/c.ics'), await read('Calendar/new.ics')], ['uid-4', 404]);
  });

  it('goes by its UID where the address is a placeholder', async () => {
    const first = await put('Calendar/new', event('uid-5'));
    const second = await put('Calendar/new', event('uid-5', '20240601T100000Z'));
    assert.deepEqual([first.status, second.status], [201, 204]);
    assert.equal(await read(`Calendar/${first.number}`), 404, 'the first one was replaced');
    assert.equal(await read('Calendar/uid-5'), 'uid-5');
  });
});

describe('what a room that keeps objects refuses under a name', () => {
  it('is another type, and what is no object; other charsets are taken', async () => {
    assert.equal((await put('Calendar/x.ics', 'hello', 'text/plain')).status, 403);
    assert.equal((await put('Calendar/x.ics', card('u'), CARD)).status, 403);
    assert.equal((await put('Contacts/x.vcf', event('u'))).status, 403);
    assert.equal((await put('Calendar/latin.ics', Buffer.from(event('u\xff'), 'latin1'))).status, 201);
    assert.equal(await read('Calendar/latin.ics'), 'u\xff');
    assert.equal((await put('Calendar/x.ics', 'BEGIN:VCALENDAR\r\n')).status, 403);
    assert.equal((await put('Tasks/x.ics', event('u'))).status, 403, 'no event is a task');
    for (const path of ['Calendar/x.ics', 'Contacts/x.vcf', 'Tasks/x.ics']) assert.equal(await read(path), 404, path);
    assert.equal((await put('Contacts/x.vcf', card('card-1'), CARD)).status, 201);
  });

  it('is more than an object may have', async () => {
    const sized = (size: number) => {
      const rest = size - event('large', undefined, 'X-A:').length;
      return event('large', undefined, `X-A:${'x'.repeat(rest)}`);
    };
    assert.equal((await put('Calendar/large.ics', sized(MAX_OBJECT_BYTES + 1))).status, 403);
    assert.equal((await put('Calendar/large.ics', sized(MAX_OBJECT_BYTES))).status, 201);
  });
});

it('an object is told by its media type, whatever its parameters', () => {
  for (const type of [CALENDAR, CARD, 'TEXT/CALENDAR', 'text/x-vcard;version=3.0']) assert.ok(isObjectType(type), type);
  for (const type of ['text/plain', '', 'text/calendarx', 'application/json']) assert.ok(!isObjectType(type), type);
});

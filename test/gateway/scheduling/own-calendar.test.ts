// Which rooms are calendars of the caller, by which addresses he is known, and what lies in them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  holdsCalendar,
  isOwnCalendar,
  ownAddressKeys,
  storedObject,
} from '../../../src/gateway/scheduling/conditions.ts';
import { mayBeScheduled } from '../../../src/mime/scheduling/object.ts';
import { type EnteredRoom, ROOM_FLAG2, VIEW } from '../../../src/model.ts';
import { askedServer, listing } from '../../support/asked-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const room = (of: Partial<EnteredRoom>): EnteredRoom =>
  ({ name: 'Calendar', defaultView: VIEW.calendar, flags: 0, flags2: 0, isPersonal: true, ...of }) as EnteredRoom;

it('calendars and task lists hold calendars, whosever they are', () => {
  for (const defaultView of [VIEW.calendar, VIEW.tasks]) assert.ok(holdsCalendar({ defaultView, flags: 0 }));
  for (const defaultView of [VIEW.board, VIEW.addressBook, VIEW.files])
    assert.ok(!holdsCalendar({ defaultView, flags: 0 }));
});

it('one’s own is personal, no inbox, and not that of somebody whom one administers', () => {
  assert.ok(isOwnCalendar(room({})));
  assert.ok(isOwnCalendar(room({ defaultView: VIEW.tasks })));
  for (const other of [
    room({ isPersonal: false }),
    room({ flags2: ROOM_FLAG2.system }),
    room({ name: '0000000003.Calendar' }),
    room({ defaultView: VIEW.mailbox }),
  ]) {
    assert.ok(!isOwnCalendar(other));
  }
});

it('only what has an organizer may be scheduled', () => {
  for (const text of ['ORGANIZER:mailto:a@x', 'BEGIN:VEVENT\r\norganizer;CN=A:mailto:a@x\r\n'])
    assert.ok(mayBeScheduled(text));
  for (const text of ['', 'SUMMARY:ORGANIZER:a', 'X-ORGANIZER:a', 'ORGANIZERS:a'])
    assert.ok(!mayBeScheduled(text), text);
});

it('he is known by all his addresses, in any case', async (t) => {
  const { server } = await askedServer(t, { CHEK: '200 0|0|0|Ann@vm|\n', GVEA: listing('Ann@vm', 'a.b@x.org') });
  const keys = await ownAddressKeys(contextsAt(t, server.path)('ann', 'Calendar'));
  assert.ok(keys.has('mailto:ann@vm') && keys.has('mailto:a.b@x.org'), [...keys].join());
});

it('an object is what its message holds; what is gone or none is undefined', async (t) => {
  const text = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  const part = (content: string) => `600 ${content.length}|-1||text/calendar|\n${content}`;
  const { server } = await askedServer(t, {
    'DLAT 5|1': part(text),
    'DLAT 6|1': '550 gone\n',
    'DLAT 7|1': part('no calendar'),
  });
  const context = contextsAt(t, server.path)('ann', 'Calendar');
  assert.equal((await storedObject(context, 5))?.components[0]?.name, 'VEVENT');
  assert.equal(await storedObject(context, 6), undefined);
  assert.equal(await storedObject(context, 7), undefined);
});

// A change of a calendar object: whom it concerns hears of it, and a change that is not allowed changes nothing.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { meetingOf, startPeople } from '../../../support/meetings.ts';

const { api, addresses, put, get, remove } = await startPeople({ after }, ['anna', 'ben']);
const { anna: ANNA, ben: BEN } = addresses as { anna: string; ben: string };

const hasCome = (name: string, uid: string, pattern: RegExp) =>
  eventually(async () => pattern.test(await get(name, uid)), true);

describe('a PUT', () => {
  it('of a meeting tells its guests, with the status of each in what is stored', async () => {
    const answer = await put('anna', meetingOf('plan-1', ANNA, [BEN, 'mailto:x@elsewhere']));
    assert.equal(answer.status, 201);
    assert.match(answer.headers.get('schedule-tag')!, /^"\d+"$/);
    assert.equal(answer.headers.get('etag'), null, 'what is stored is not what came');
    const stored = await get('anna', 'plan-1');
    assert.match(stored, new RegExp(`SCHEDULE-STATUS=1\\.2:${BEN}`));
    assert.match(stored, /SCHEDULE-STATUS=5\.2:mailto:x@elsewhere/);
    await hasCome('ben', 'plan-1', /ORGANIZER/);
  });

  it('of an event without guests is only stored, as it came', async () => {
    const plain = meetingOf('plan-2', ANNA, []);
    plain.text = plain.text.replace(/ORGANIZER.*\r\n/, '');
    const answer = await put('anna', plain);
    assert.deepEqual([answer.status, answer.headers.get('schedule-tag')], [201, null]);
    assert.match(answer.headers.get('etag')!, /^"\d+"$/);
    assert.equal(await get('anna', 'plan-2'), plain.text);
  });

  it('in a room that is no calendar of one’s own tells nobody', async () => {
    assert.equal((await api('anna')('r/Shared/', { method: 'MKCOL' })).status, 201);
    const answer = await put('anna', meetingOf('plan-3', ANNA, [BEN]), {}, 'Shared');
    assert.equal(answer.headers.get('schedule-tag'), null);
    assert.equal(await get('ben', 'plan-3'), '');
  });

  it('of a guest changes his answer and nothing of the invitation', async () => {
    await put('anna', meetingOf('plan-4', ANNA, [BEN]));
    await hasCome('ben', 'plan-4', /ORGANIZER/);
    const copy = await get('ben', 'plan-4');
    const moved = { uid: 'plan-4', text: copy.replace('DTSTART:20260105T10', 'DTSTART:20260105T09') };
    assert.equal((await put('ben', moved)).status, 403);
    assert.equal((await put('ben', moved, { 'if-match': '"1"' })).status, 412, 'who has missed a change is told that');
    assert.equal(await get('ben', 'plan-4'), copy);
    const accepted = copy.replace(/PARTSTAT=NEEDS-ACTION/, 'PARTSTAT=ACCEPTED');
    assert.equal((await put('ben', { uid: 'plan-4', text: accepted })).status, 204);
    await hasCome('anna', 'plan-4', /PARTSTAT=ACCEPTED/);
  });

  it('of an object that another calendar of the caller has is refused, with its address', async () => {
    await put('anna', meetingOf('plan-5', ANNA, [BEN]));
    assert.equal((await api('anna')('r/Second/', { method: 'MKCALENDAR' })).status, 201);
    const answer = await put('anna', meetingOf('plan-5', ANNA, [BEN]), { accept: 'application/xml' }, 'Second');
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /unique-scheduling-object-resource[\s\S]*\/svc\/r\/Calendar\//);
  });
});

describe('a DELETE', () => {
  it('by the organizer takes the meeting back', async () => {
    await put('anna', meetingOf('plan-6', ANNA, [BEN]));
    await hasCome('ben', 'plan-6', /ORGANIZER/);
    assert.equal(await remove('anna', 'plan-6'), 204);
    await hasCome('ben', 'plan-6', /STATUS:CANCELLED/);
  });

  it('by a guest declines, unless he asks for silence', async () => {
    for (const [uid, headers, partstat] of [
      ['plan-7', {}, 'DECLINED'],
      ['plan-8', { 'schedule-reply': 'F' }, 'NEEDS-ACTION'],
    ] as const) {
      await put('anna', meetingOf(uid, ANNA, [BEN]));
      await hasCome('ben', uid, /ORGANIZER/);
      assert.equal(await remove('ben', uid, headers), 204);
      await hasCome('anna', uid, new RegExp(`ATTENDEE[^\\r]*PARTSTAT=${partstat}[^\\r]*:${BEN}`));
    }
  });

  it('with another tag than the invitation has changes nothing', async () => {
    await put('anna', meetingOf('plan-9', ANNA, [BEN]));
    assert.equal(await remove('anna', 'plan-9', { 'if-schedule-tag-match': '"1"' }), 412);
    assert.match(await get('anna', 'plan-9'), /UID:plan-9/);
  });
});

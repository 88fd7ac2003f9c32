// Preconditions of a change of an invitation: by Schedule-Tag, and by entity tag.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  requireMatch,
  requireScheduleTag,
  scheduleTagHeader,
  scheduleTagIn,
  scheduleTagOf,
  scheduleTagsIn,
  scheduleTagWanted,
  schedulingRefusal,
} from '../../../src/gateway/scheduling/conditions.ts';
import { type EnteredRoom, VIEW } from '../../../src/model.ts';
import type { CachedHead } from '../../../src/room-server/collections.ts';
import { askedServer, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const CALENDAR = entered('Calendar', { view: VIEW.calendar, isPersonal: true });
const OWN: Answers = { INFO: ownInfo(), GOTO: CALENDAR, 'SCHD tags|5|1': listing('5|t5'), SCHD: listing() };

async function start(t: TestContext, answers: Answers, headers: Record<string, string> = {}) {
  const { server, sent } = await askedServer(t, answers);
  const context = contextsAt(t, server.path)('ann', 'Calendar', { headers });
  const { entered: room } = await context.app.pool.readInRoom(context.caller.identity, context.room, []);
  return { context, room, sent };
}

/** The head of a message whose content, where it is given, was read with it. */
function headIn(room: EnteredRoom, content?: string): CachedHead {
  const part = { length: 1, filename: '', contentType: 'text/calendar', charset: '' };
  const row = { ...part, name: '', partnum: '1', disposition: 'inline', contentId: '', language: '' };
  const head = { entered: room, fields: new Map(), parts: [row], multipart: '', headers: [] };
  const parts = new Map(content === undefined ? [] : [['1', { ...part, bytes: Buffer.from(content) }]]);
  return { ...head, cached: { fields: head.fields, head, parts, text: undefined } };
}

describe('the tag of a scheduling object', () => {
  it('is kept by our own server, for those that are one', async (t) => {
    const { context } = await start(t, OWN);
    assert.equal(await scheduleTagOf(context, 5), '"t5"');
    assert.equal(await scheduleTagOf(context, 6), undefined);
    assert.equal(await scheduleTagIn(context, 5), '"t5"');
  });

  it('is the entity tag on any other', async (t) => {
    const { context, room, sent } = await start(t, { GOTO: CALENDAR });
    assert.equal(await scheduleTagOf(context, 5), '"5"');
    assert.deepEqual([...(await scheduleTagsIn(context, room))], []);
    assert.deepEqual(sent(/^SCHD/), []);
  });

  it('is none outside of one’s own calendars', async (t) => {
    const { context, room } = await start(t, { ...OWN, GOTO: entered('Calendar', { view: VIEW.calendar }) });
    assert.equal(await scheduleTagIn(context, 5), undefined);
    assert.deepEqual([...(await scheduleTagsIn(context, room))], []);
    assert.deepEqual(await scheduleTagHeader({ ...context, msgnum: 5 }, headIn(room)), {});
  });

  it('goes with an answer, unless the content shows that there is none', async (t) => {
    const { context, room, sent } = await start(t, OWN);
    const message = { ...context, msgnum: 5 };
    const tagged = { 'Schedule-Tag': '"t5"' };
    assert.deepEqual(await scheduleTagHeader(message, headIn(room)), tagged);
    assert.deepEqual(await scheduleTagHeader(message, headIn(room, 'ORGANIZER:mailto:a@x')), tagged);
    const asked = sent(/^SCHD/).length;
    assert.deepEqual(await scheduleTagHeader(message, headIn(room, 'SUMMARY:lunch')), {});
    assert.equal(sent(/^SCHD/).length, asked);
  });

  it('is not asked for where it came with the head', async (t) => {
    const { context, room, sent } = await start(t, OWN);
    const message = { ...context, msgnum: 5 };
    const headerOf = (scheduleTag: string) => scheduleTagHeader(message, { ...headIn(room), scheduleTag });
    assert.deepEqual(await headerOf('"t6"'), { 'Schedule-Tag': '"t6"' });
    assert.deepEqual(await headerOf(''), {}, 'no scheduling object');
    assert.deepEqual(sent(/^SCHD/), []);
  });
});

describe('If-Schedule-Tag-Match', () => {
  it('holds for the tag that the object has', async (t) => {
    for (const [wanted, holds] of [
      ['"t5"', true],
      [' "t5" ', true],
      ['"t4"', false],
      ['t5', false],
    ] as const) {
      const { context } = await start(t, OWN, { 'if-schedule-tag-match': wanted });
      assert.equal(scheduleTagWanted(context.exchange), wanted.trim());
      if (holds) await requireScheduleTag(context, 5);
      else await assert.rejects(requireScheduleTag(context, 5), failsWith('precondition_failed'));
      await assert.rejects(requireScheduleTag(context, undefined), failsWith('precondition_failed'));
    }
  });

  it('costs nothing where it is not sent', async (t) => {
    const { context, sent } = await start(t, OWN);
    await requireScheduleTag(context, 5);
    assert.deepEqual(sent(/^(SCHD|INFO)/), []);
  });
});

it('If-Match holds for the message that is there', async (t) => {
  const exchange = async (headers: Record<string, string>) => (await start(t, OWN, headers)).context.exchange;
  requireMatch(await exchange({ 'if-match': '"5"' }), 5);
  requireMatch(await exchange({}), undefined);
  const other = await exchange({ 'if-match': '"4"' });
  for (const msgnum of [5, undefined])
    assert.throws(() => requireMatch(other, msgnum), failsWith('precondition_failed'));
  const none = await exchange({ 'if-none-match': '*' });
  requireMatch(none, undefined);
  assert.throws(() => requireMatch(none, 5), failsWith('precondition_failed'));
});

it('a refusal names its condition in the namespace of CalDAV, and what is in the way', () => {
  const { code, condition } = schedulingRefusal('allowed-organizer-scheduling-object-change', ['/svc/r/Calendar/5']);
  assert.deepEqual(
    [code, condition?.namespace, condition?.name, condition?.hrefs],
    ['forbidden', 'urn:ietf:params:xml:ns:caldav', 'allowed-organizer-scheduling-object-change', ['/svc/r/Calendar/5']],
  );
});

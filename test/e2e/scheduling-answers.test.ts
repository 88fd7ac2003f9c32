// Answers to invitations and what becomes of them (RFC 6638 sections 3.2 and 4): Schedule-Tags, merged versions,
// instances, events that are cancelled and made again, and many changes at the same moment.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { meetingOf, requestIn, startPeople } from '../support/meetings.ts';

const GUESTS = ['ben', 'cora', 'dora', 'emil', 'fred', 'gina'];
const { api, addresses, put, get, remove } = await startPeople({ after }, ['anna', ...GUESTS]);
const { anna: ANNA, ben: BEN, cora: CORA, dora: DORA } = addresses as Record<'anna' | 'ben' | 'cora' | 'dora', string>;

/** Deliveries may go on in the background. */
const has = (name: string, uid: string, pattern: RegExp) =>
  eventually(async () => pattern.test(await get(name, uid)), true);

const tagOf = async (name: string, uid: string) =>
  (await api(name)(`r/Calendar/${uid}.ics`)).headers.get('schedule-tag')!;

/** Its events, each with its lines. */
const eventsIn = (text: string): string[][] =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => event.split('\r\n'));

/** of the series, or of the instance at 10 o'clock on that day */
function partstat(text: string, address: string, day?: string): string {
  const event = eventsIn(text).find((lines) => {
    const id = lines.find((line) => line.startsWith('RECURRENCE-ID'));
    return day === undefined ? !id : id?.includes(day);
  });
  const line = event?.find((one) => one.startsWith('ATTENDEE') && one.endsWith(`:${address}`));
  return line === undefined ? '' : (/PARTSTAT=([A-Z-]+)/.exec(line)?.[1] ?? 'NEEDS-ACTION');
}

const said = (text: string, address: string, answer: string): string =>
  text.replaceAll(new RegExp(`^ATTENDEE.*:${address}\r$`, 'gm'), `ATTENDEE;PARTSTAT=${answer}:${address}\r`);

async function answer(name: string, uid: string, partstat: string): Promise<number> {
  const text = said(await get(name, uid), addresses[name]!, partstat);
  return (await put(name, { uid, text })).status;
}

/** An override of the weekly series, with these lines after its times. */
function instanceOf(uid: string, day: string, lines: readonly string[]): string {
  const times = [`RECURRENCE-ID:${day}T100000Z`, `DTSTART:${day}T100000Z`, `DTEND:${day}T110000Z`];
  const inner = [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...times, 'SUMMARY:Plan', ...lines];
  return ['BEGIN:VEVENT', ...inner, 'END:VEVENT', ''].join('\r\n');
}

const withInstance = (text: string, instance: string) => text.replace('END:VCALENDAR', `${instance}END:VCALENDAR`);
const people = (...guests: string[]) => [`ORGANIZER:${ANNA}`, ...guests.map((one) => `ATTENDEE;RSVP=TRUE:${one}`)];

let count = 0;
/** Stored by Anna; the guests have it. */
async function invite(guests: readonly string[], lines: readonly string[] = []) {
  const made = meetingOf(`answers-${++count}`, ANNA, [ANNA, ...guests.map((name) => addresses[name]!)], lines);
  const response = await put('anna', made);
  assert.equal(response.status, 201);
  for (const name of guests) await has(name, made.uid, /ORGANIZER/);
  return { ...made, tag: response.headers.get('schedule-tag')! };
}

const WEEKLY = ['RRULE:FREQ=WEEKLY;COUNT=5'];

describe('a Schedule-Tag', () => {
  it('stays where a guest has answered, for all instances or for one', async () => {
    const { uid, tag } = await invite(['ben', 'cora'], WEEKLY);
    const other = await tagOf('cora', uid);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    const text = withInstance(
      await get('ben', uid),
      instanceOf(uid, '20260112', [...people(CORA), `ATTENDEE;PARTSTAT=DECLINED:${BEN}`]),
    );
    assert.equal((await put('ben', { uid, text })).status, 204);
    for (const name of ['anna', 'cora']) {
      await has(name, uid, /RECURRENCE-ID/);
      assert.equal(partstat(await get(name, uid), BEN), 'ACCEPTED');
      assert.equal(partstat(await get(name, uid), BEN, '20260112'), 'DECLINED');
    }
    assert.equal(await tagOf('anna', uid), tag);
    assert.equal(await tagOf('cora', uid), other);
  });

  it('stays where the organizer asks again, and changes with the event', async () => {
    const { uid, text } = await invite(['ben']);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    const tag = await tagOf('ben', uid);
    const forced = text.replace(`RSVP=TRUE:${BEN}`, `RSVP=TRUE;SCHEDULE-FORCE-SEND=REQUEST:${BEN}`);
    assert.equal((await put('anna', { uid, text: forced })).status, 204);
    assert.equal(partstat(await get('anna', uid), BEN), 'NEEDS-ACTION');
    assert.equal(await tagOf('ben', uid), tag, 'only his own answer has changed');
    assert.equal((await put('anna', { uid, text: text.replace('SUMMARY:Plan', 'SUMMARY:Talk') })).status, 204);
    await has('ben', uid, /SUMMARY:Talk/);
    assert.notEqual(await tagOf('ben', uid), tag);
  });
});

describe('the organizer’s PUT of what was read before the answers', () => {
  it('is merged with them, those to single instances included', async () => {
    const { uid, text, tag } = await invite(['ben', 'cora'], WEEKLY);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    const declined = withInstance(
      await get('cora', uid),
      instanceOf(uid, '20260112', [...people(BEN), `ATTENDEE;PARTSTAT=DECLINED:${CORA}`]),
    );
    assert.equal((await put('cora', { uid, text: declined })).status, 204);
    await has('anna', uid, /RECURRENCE-ID/);
    const named = { uid, text: text.replace('SUMMARY:Plan', 'SUMMARY:Talk') };
    assert.equal((await put('anna', named, { 'if-schedule-tag-match': tag })).status, 204);
    const stored = await get('anna', uid);
    assert.deepEqual(
      [partstat(stored, BEN), partstat(stored, CORA), partstat(stored, CORA, '20260112')],
      ['ACCEPTED', 'NEEDS-ACTION', 'DECLINED'],
    );
    assert.equal(stored.match(/SUMMARY:Talk/g)?.length, 2, 'the instance follows its series');
    await has('ben', uid, /SUMMARY:Talk/);
    assert.equal(partstat(await get('ben', uid), CORA, '20260112'), 'DECLINED');
    assert.equal((await put('anna', named, { 'if-schedule-tag-match': tag })).status, 412, 'that has changed it');
  });

  it('takes away an override that says more than an answer, and one that the new rule leaves out', async () => {
    const { uid, text } = await invite(['ben'], WEEKLY);
    const talk = instanceOf(uid, '20260112', people(ANNA, BEN)).replace('SUMMARY:Plan', 'SUMMARY:Talk');
    assert.equal((await put('anna', { uid, text: withInstance(text, talk) })).status, 204);
    await has('ben', uid, /SUMMARY:Talk/);
    assert.equal((await put('anna', { uid, text })).status, 204);
    assert.doesNotMatch(await get('anna', uid), /RECURRENCE-ID/);
    const last = instanceOf(uid, '20260202', [...people(ANNA), `ATTENDEE;PARTSTAT=DECLINED:${BEN}`]);
    const copy = (await get('ben', uid)).replace(
      /BEGIN:VEVENT(?:(?!END:VEVENT)[\s\S])*RECURRENCE-ID[\s\S]*?END:VEVENT\r\n/,
      '',
    );
    assert.equal((await put('ben', { uid, text: withInstance(copy, last) })).status, 204);
    await has('anna', uid, /RECURRENCE-ID:20260202/);
    assert.equal((await put('anna', { uid, text: text.replace('COUNT=5', 'COUNT=3') })).status, 204);
    assert.doesNotMatch(await get('anna', uid), /RECURRENCE-ID/);
  });

  it('loses nothing where all guests answer at the same moment', async () => {
    const { uid, text, tag } = await invite(GUESTS, WEEKLY);
    const copies = await Promise.all(GUESTS.map((name) => get(name, uid)));
    const answers = ['ACCEPTED', 'DECLINED', 'TENTATIVE'];
    const answerOf = (i: number) => answers[i % answers.length]!;
    const named = { uid, text: text.replace('SUMMARY:Plan', 'SUMMARY:Talk') };
    const [own, ...others] = await Promise.all([
      put('anna', named, { 'if-schedule-tag-match': tag }),
      ...GUESTS.map((name, i) => put(name, { uid, text: said(copies[i]!, addresses[name]!, answerOf(i)) })),
    ]);
    assert.deepEqual([own!.status, ...others.map(({ status }) => status)], [204, ...GUESTS.map(() => 204)]);
    for (const reader of ['anna', ...GUESTS]) {
      await has(reader, uid, /SUMMARY:Talk/);
      for (const [i, name] of GUESTS.entries()) {
        await eventually(async () => partstat(await get(reader, uid), addresses[name]!), answerOf(i));
      }
    }
  });
});

describe('a guest', () => {
  it('of single instances drops one of them', async () => {
    const alone = [`ATTENDEE;RSVP=TRUE:${ANNA}`];
    const made = meetingOf(`answers-${++count}`, ANNA, [], [...alone, ...WEEKLY]);
    const { uid } = made;
    const [first, second] = ['20260112', '20260119'].map((day) => instanceOf(uid, day, people(ANNA, BEN)));
    const text = withInstance(withInstance(made.text, first!), second!);
    assert.equal((await put('anna', { uid, text })).status, 201);
    await has('ben', uid, /RECURRENCE-ID:20260119/);
    const copy = await get('ben', uid);
    assert.equal(eventsIn(copy).length, 2);
    const [head = '', one = ''] = copy.split('BEGIN:VEVENT');
    assert.equal((await put('ben', { uid, text: `${head}BEGIN:VEVENT${one}END:VCALENDAR\r\n` })).status, 204);
    await eventually(async () => partstat(await get('anna', uid), BEN, '20260119'), 'DECLINED');
    assert.equal(partstat(await get('anna', uid), BEN, '20260112'), 'NEEDS-ACTION');
    // it stays away while only other things change
    assert.equal((await put('anna', { uid, text: text.replaceAll('SUMMARY:Plan', 'SUMMARY:Talk') })).status, 204);
    await has('ben', uid, /SUMMARY:Talk/);
    assert.deepEqual(eventsIn(await get('ben', uid)).length, 1);
  });

  it('who has declined and deleted it is left alone, until it is at another time', async () => {
    const { uid, text } = await invite(['ben', 'cora']);
    assert.equal(await remove('ben', uid), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'DECLINED');
    assert.equal((await put('anna', { uid, text: text.replace('SUMMARY:Plan', 'SUMMARY:Talk') })).status, 204);
    await has('cora', uid, /SUMMARY:Talk/);
    assert.equal(await answer('cora', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), CORA), 'ACCEPTED');
    assert.equal(await get('ben', uid), '');
    assert.equal((await put('anna', { uid, text: text.replaceAll('T1', 'T2') })).status, 204);
    await has('ben', uid, /DTSTART:20260105T200000Z/);
    assert.equal(partstat(await get('ben', uid), BEN), 'NEEDS-ACTION');
  });

  it('who has deleted it in silence does not get it back by the answer of another', async () => {
    const { uid } = await invite(['ben', 'cora']);
    assert.equal(await remove('ben', uid, { 'schedule-reply': 'F' }), 204);
    assert.equal(await answer('cora', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), CORA), 'ACCEPTED');
    assert.deepEqual([await get('ben', uid), partstat(await get('anna', uid), BEN)], ['', 'NEEDS-ACTION']);
  });

  it('has the status of the reply at the organizer only, who has that of the request at the guest only', async () => {
    const { uid } = await invite(['ben']);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    const statuses = async (name: string) =>
      (await get(name, uid)).split('\r\n').filter((line) => line.includes('SCHEDULE-STATUS'));
    assert.deepEqual(await statuses('ben'), [`ORGANIZER;SCHEDULE-STATUS=1.2:${ANNA}`]);
    await has('anna', uid, /SCHEDULE-STATUS=2\.0/);
    assert.match((await statuses('anna')).join(), new RegExp(`^ATTENDEE[^,]*:${BEN}$`));
  });

  it('who has answered is asked again with RSVP when the event moves', async () => {
    const { uid } = await invite(['ben']);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    const read = await get('anna', uid);
    assert.doesNotMatch(read, new RegExp(`RSVP=TRUE[^\r]*:${BEN}`));
    assert.equal((await put('anna', { uid, text: read.replaceAll('T1', 'T2') })).status, 204);
    await has('ben', uid, /DTSTART:20260105T20/);
    for (const name of ['anna', 'ben']) {
      const [line = ''] = (await get(name, uid)).split('\r\n').filter((one) => one.endsWith(`:${BEN}`));
      assert.match(line, /PARTSTAT=NEEDS-ACTION/);
      assert.match(line, /RSVP=TRUE/);
    }
  });

  it('who answers does not become the author of the organizer’s event', async () => {
    const { uid } = await invite(['ben']);
    const authorAt = async (name: string) => {
      const { from } = (await (await api(name)(`r/Calendar/${uid}.ics/json`)).json()) as { from: string };
      return from;
    };
    assert.equal(await authorAt('anna'), 'anna');
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    assert.equal(await authorAt('anna'), 'anna');
  });

  it('answers an invitation that came as mail in the same way', async () => {
    const { uid, text } = await invite(['ben']);
    await has('ben', uid, /ORGANIZER/);
    const headers = { 'content-type': 'text/calendar; method=REQUEST' };
    const sent = await api('anna')('r/_MAIL_/new?mailto=ben', { method: 'PUT', headers, body: requestIn(text) });
    assert.equal(sent.status, 201);
    const { msgs } = (await (await api('ben')('r/_MAIL_/mailbox')).json()) as { msgs: { msgnum: number }[] };
    const body = JSON.stringify({ answer: 'accepted' });
    const json = { 'content-type': 'application/json' };
    const path = `r/_MAIL_/${msgs.at(-1)!.msgnum}/invitation`;
    assert.equal((await api('ben')(path, { method: 'POST', headers: json, body })).status, 200);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    const lines = (await get('ben', uid)).split('\r\n').filter((line) => line.includes('SCHEDULE-STATUS'));
    assert.deepEqual(lines, [`ORGANIZER;SCHEDULE-STATUS=1.2:${ANNA}`]);
  });
});

describe('a cancelled copy', () => {
  it('revives where the event is made anew under its UID', async () => {
    const { uid, text } = await invite(['ben'], ['SEQUENCE:4']);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    assert.equal(await remove('anna', uid), 204);
    await has('ben', uid, /STATUS:CANCELLED/);
    const anew = text.replace('SEQUENCE:4\r\n', '').replace('SUMMARY:Plan', 'SUMMARY:Talk');
    assert.equal((await put('anna', { uid, text: anew })).status, 201);
    await has('ben', uid, /SUMMARY:Talk/);
    const copy = await get('ben', uid);
    assert.doesNotMatch(copy, /STATUS:CANCELLED/);
    assert.equal(partstat(copy, BEN), 'NEEDS-ACTION', 'he has not answered to the new one');
    assert.equal(await answer('ben', uid, 'TENTATIVE'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'TENTATIVE');
  });

  it('revives where its guest is invited again, to all of it or to an instance', async () => {
    const { uid, text } = await invite(['ben', 'cora'], WEEKLY);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    const without = text.replace(new RegExp(`ATTENDEE.*:${BEN}\r\n`), '');
    assert.equal((await put('anna', { uid, text: without })).status, 204);
    await has('ben', uid, /STATUS:CANCELLED/);
    assert.equal((await put('anna', { uid, text })).status, 204);
    await eventually(async () => /STATUS:CANCELLED/.test(await get('ben', uid)), false);
    assert.equal(partstat(await get('ben', uid), BEN), 'NEEDS-ACTION');
    // and of one instance
    const of = (...guests: string[]) => withInstance(text, instanceOf(uid, '20260112', people(ANNA, ...guests)));
    assert.equal((await put('anna', { uid, text: of(CORA) })).status, 204);
    await has('ben', uid, /EXDATE:20260112/);
    assert.equal((await put('anna', { uid, text: of(BEN, CORA) })).status, 204);
    await has('ben', uid, /RECURRENCE-ID:20260112/);
    assert.doesNotMatch(await get('ben', uid), /EXDATE/);
  });
});

describe('an organizer', () => {
  it('invites one more person to an instance', async () => {
    const { uid, text } = await invite(['ben'], WEEKLY);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    const more = withInstance(text, instanceOf(uid, '20260112', people(ANNA, BEN, DORA)));
    assert.equal((await put('anna', { uid, text: more })).status, 204);
    await has('dora', uid, /RECURRENCE-ID:20260112/);
    assert.equal(eventsIn(await get('dora', uid)).length, 1);
    assert.equal(partstat(await get('anna', uid), BEN, '20260112'), 'ACCEPTED');
    assert.equal(await answer('dora', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), DORA, '20260112'), 'ACCEPTED');
    assert.equal(partstat(await get('anna', uid), DORA), '');
  });

  it('invites people whose addresses are written without mailto: or in EMAIL', async () => {
    const uid = `answers-${++count}`;
    const mail = (address: string) => address.replace('mailto:', '');
    const guests = [`ATTENDEE:${mail(BEN)}`, `ATTENDEE;EMAIL=${mail(CORA)}:urn:uuid:1`];
    const made = meetingOf(uid, mail(ANNA), [], guests);
    assert.equal((await put('anna', made)).status, 201);
    for (const [name, line] of [
      ['ben', guests[0]!],
      ['cora', guests[1]!],
    ] as const) {
      await has(name, uid, /ORGANIZER/);
      const text = (await get(name, uid)).replace(line, line.replace('ATTENDEE', 'ATTENDEE;PARTSTAT=ACCEPTED'));
      assert.equal((await put(name, { uid, text })).status, 204);
    }
    await eventually(async () => (await get('anna', uid)).match(/PARTSTAT=ACCEPTED/g)?.length, 2);
    assert.equal((await get('anna', uid)).match(/SCHEDULE-STATUS=2\.0/g)?.length, 2);
  });

  it('splits a series as programs do: the old one ends earlier, the rest has another UID', async () => {
    const { uid, text } = await invite(['ben'], ['RRULE:FREQ=WEEKLY']);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    const ended = text.replace('FREQ=WEEKLY', 'FREQ=WEEKLY;UNTIL=20260119T100000Z');
    assert.equal((await put('anna', { uid, text: ended })).status, 204);
    await has('ben', uid, /UNTIL=20260119/);
    for (const name of ['anna', 'ben']) assert.equal(partstat(await get(name, uid), BEN), 'ACCEPTED');
    const rest = meetingOf(`${uid}-rest`, ANNA, [ANNA, BEN], ['RRULE:FREQ=WEEKLY', `RELATED-TO:${uid}`]);
    const moved = rest.text.replaceAll('20260105T1', '20260126T2');
    assert.equal((await put('anna', { uid: rest.uid, text: moved })).status, 201);
    await has('ben', rest.uid, /DTSTART:20260126T20/);
    assert.equal(partstat(await get('ben', rest.uid), BEN), 'NEEDS-ACTION');
  });

  it('whose program writes the event in other words asks nobody again', async () => {
    const { uid, text } = await invite(['ben'], WEEKLY);
    assert.equal(await answer('ben', uid, 'ACCEPTED'), 204);
    await eventually(async () => partstat(await get('anna', uid), BEN), 'ACCEPTED');
    const tag = await tagOf('ben', uid);
    const other = text
      .replace('DTEND:20260105T110000Z', 'DURATION:PT60M')
      .replace('FREQ=WEEKLY;COUNT=5', 'COUNT=5;FREQ=WEEKLY;INTERVAL=1;WKST=MO')
      .replace('SUMMARY:Plan', 'SUMMARY:Plan\r\nPRIORITY:0\r\nLOCATION:\r\nSTATUS:CONFIRMED');
    assert.equal((await put('anna', { uid, text: other })).status, 204);
    assert.equal(partstat(await get('anna', uid), BEN), 'ACCEPTED');
    assert.equal(await tagOf('ben', uid), tag);
    const rule = other.replace('COUNT=5;FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260202T100000Z');
    assert.equal((await put('anna', { uid, text: rule })).status, 204);
    assert.equal(partstat(await get('anna', uid), BEN), 'ACCEPTED');
  });
});

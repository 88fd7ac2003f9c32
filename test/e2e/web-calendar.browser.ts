// The calendar of the web client in a browser, as a person uses it: with mouse, keyboard and finger.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const PHONE = { width: 390, height: 844 };
/** a week without anything of the demo's */
const WEEK = '2031-05-12';

const object = (uid: string, ...lines: string[]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', 'BEGIN:VEVENT', `UID:${uid}`],
    ...['DTSTAMP:20310101T000000Z', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');

async function put(user: string, room: string, uid: string, ...lines: string[]) {
  const headers = { 'content-type': 'text/calendar' };
  const answer = await gateway.as(user)(`r/${room}/${uid}`, { method: 'PUT', headers, body: object(uid, ...lines) });
  assert.ok(answer.ok, `not stored: ${answer.status}`);
}

const stored = async (user: string, room: string, uid: string) => {
  const answer = await gateway.as(user)(`r/${room}/${uid}`, { headers: { accept: 'text/calendar' } });
  return answer.ok ? answer.text() : `${answer.status}`;
};

const event = (page: Page, title: string) =>
  page.locator('.calendar-body').getByRole('button', { name: new RegExp(`^${title}\\b`) });

const openCalendar = async (page: Page) => page.locator('.calendar-body[aria-busy="false"]').waitFor();

/** From one place in a column of hours to another. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

/** Where it is, also when the view is just being drawn anew. */
async function boxOf(thing: Locator) {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  const look = async () => {
    box = await thing.boundingBox();
    return box !== null;
  };
  await eventually(look, true);
  return box! as { x: number; y: number; width: number; height: number };
}

const columnOf = (page: Page, day: string) => boxOf(page.locator(`.week-day[data-day="${day}"]`));
const hourAt = (column: { x: number; y: number; height: number }, hour: number) => ({
  x: column.x + 30,
  y: column.y + (column.height * hour) / 24 + 1,
});

describe('a week', () => {
  it('takes an event that is drawn into it, which can be moved, made longer and taken back', async () => {
    const page = await openAs('alice', `#/r/Calendar/week/${WEEK}`, { timezoneId: 'Europe/Berlin' });
    await openCalendar(page);
    await drag(page, hourAt(await columnOf(page, WEEK), 9), hourAt(await columnOf(page, WEEK), 10.5));
    await page.getByPlaceholder('Title').fill('Choir');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Choir” added to Calendar.').waitFor();
    await eventually(() => event(page, 'Choir').getAttribute('title'), /12 May 2031.* 09:00\s?–\s?10:30/);

    const box = await boxOf(event(page, 'Choir'));
    const grip = { x: box.x + 20, y: box.y + 10 };
    const hour = box.height / 1.5;
    const wednesday = (await columnOf(page, '2031-05-14')).x - (await columnOf(page, WEEK)).x;
    await drag(page, grip, { x: grip.x + wednesday, y: grip.y + 2 * hour });
    await page.getByText('“Choir” moved.').waitFor();
    await eventually(() => event(page, 'Choir').getAttribute('title'), /14 May 2031.* 11:00\s?–\s?12:30/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => event(page, 'Choir').getAttribute('title'), /12 May 2031.* 09:00\s?–\s?10:30/);

    const again = await boxOf(event(page, 'Choir'));
    const edge = { x: again.x + again.width / 2, y: again.y + again.height - 2 };
    await drag(page, edge, { x: edge.x, y: edge.y + hour });
    await eventually(() => event(page, 'Choir').getAttribute('title'), /09:00\s?–\s?11:30/);

    await event(page, 'Choir').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await eventually(() => event(page, 'Choir').getAttribute('title'), /13 May 2031.* 09:00\s?–\s?11:30/);
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await eventually(() => event(page, 'Choir').getAttribute('title'), /09:00\s?–\s?11:15/);
    await checkPage(page);

    await page.keyboard.press('Delete');
    await page.getByText('“Choir” deleted.').waitFor();
    assert.equal(await event(page, 'Choir').count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await event(page, 'Choir').waitFor();
  });

  it('takes one where it is clicked, with its time', async () => {
    const page = await openAs('alice', '#/r/Calendar/week/2031-06-02', { timezoneId: 'UTC' });
    await openCalendar(page);
    const { x, y } = hourAt(await columnOf(page, '2031-06-03'), 15);
    await page.mouse.click(x, y + 2);
    await page.getByPlaceholder('Title').fill('Tea');
    await page.keyboard.press('Enter');
    await eventually(() => event(page, 'Tea').getAttribute('title'), /3 June 2031.* 15:00/);
  });

  it('asks where a change was too late, and shows what there is', async () => {
    await put('alice', 'Calendar', 'late', 'DTSTART:20310512T100000Z', 'DTEND:20310512T110000Z', 'SUMMARY:Mine');
    const page = await openAs('alice', `#/r/Calendar/day/${WEEK}`, { timezoneId: 'UTC' });
    await openCalendar(page);
    await event(page, 'Mine').waitFor();
    let isFirst = true;
    await page.route('**/r/Calendar/late', async (route) => {
      if (isFirst && route.request().method() === 'PUT') {
        isFirst = false;
        await put('alice', 'Calendar', 'late', 'DTSTART:20310512T140000Z', 'DTEND:20310512T150000Z', 'SUMMARY:Theirs');
      }
      await route.continue();
    });
    await event(page, 'Mine').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('This was changed on another device').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Use the other version' }).click();
    await event(page, 'Theirs').waitFor();
    assert.match(await stored('alice', 'Calendar', 'late'), /DTSTART:20310512T140000Z/);
  });
});

describe('a series', () => {
  it('is made in words, and changed for one, for those that follow, or for all', async () => {
    const page = await openAs('alice', '#/r/Calendar/month/2031-07-07', { timezoneId: 'UTC' });
    await openCalendar(page);
    await page.keyboard.press('n');
    await page.getByLabel('Title').fill('Rehearsal');
    await page.getByLabel('Repeats').selectOption({ label: 'Every week on Monday' });
    await page.getByText('Every week on Monday', { exact: true }).last().waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Save' }).click();
    // it is shown while it is being sent, below the form
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => event(page, 'Rehearsal').count(), 4);

    await event(page, 'Rehearsal').nth(1).focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByLabel('Only this event').check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.locator('td[data-day="2031-07-15"]').getByText('Rehearsal').waitFor();
    assert.equal(await event(page, 'Rehearsal').count(), 4);

    await page.locator('td[data-day="2031-07-21"]').getByRole('button').focus();
    await page.keyboard.press('Delete');
    await page.getByLabel('This and all following events').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => event(page, 'Rehearsal').count(), 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => event(page, 'Rehearsal').count(), 4);

    await event(page, 'Rehearsal').first().click();
    await page.getByRole('dialog').getByText('Every week on Monday').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Location').fill('Hall');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('The whole series').check();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await eventually(() => event(page, 'Rehearsal').last().getAttribute('title'), /Hall/);
  });
});

describe('an invitation', () => {
  it('reaches the other person, whose answer the one who invites sees', async () => {
    const page = await openAs('alice', `#/r/Calendar/new/${WEEK}`, { timezoneId: 'UTC' });
    await openCalendar(page);
    await page.getByLabel('Title').fill('Talk');
    await page.getByLabel('Attendees').last().fill('bo');
    await page.getByRole('option', { name: /bob/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Talk” added to Calendar.').waitFor();

    const other = await openAs('bob', `#/r/Calendar/day/${WEEK}`, { timezoneId: 'UTC', colorScheme: 'dark' });
    await openCalendar(other);
    await event(other, 'Talk').click();
    await other.getByText('Invited by alice').waitFor();
    await checkPage(other);
    await other.getByRole('button', { name: 'Maybe' }).click();
    await other.getByText('You answered “maybe”.').waitFor();

    await page.goto(`${gateway.url}svc/a/landing.html#/r/Calendar/day/${WEEK}`);
    await page.reload();
    await openCalendar(page);
    await event(page, 'Talk').click();
    await page.getByText('may come').waitFor();
  });

  it('to a series is answered, or taken away, for one of it', async () => {
    const host = await hostOf();
    const people = [`ORGANIZER:mailto:alice@${host}`, `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@${host}`];
    const times = ['DTSTART:20310602T100000Z', 'DTEND:20310602T110000Z', 'RRULE:FREQ=DAILY;COUNT=4'];
    await put('alice', 'Calendar', 'daily', ...times, 'SUMMARY:Daily', ...people);
    const page = await openAs('bob', '#/r/Calendar/day/2031-06-03', { timezoneId: 'UTC' });
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await openCalendar(page);
    await event(page, 'Daily').click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('Only this event').waitFor();
    assert.equal(await dialog.getByText('This and all following events').count(), 0);
    await checkPage(page);
    await dialog.getByRole('button', { name: 'Send response' }).click();
    await page.getByText('You declined.').waitFor();
    const parts = async (user: string) => (await stored(user, 'Calendar', 'daily')).split('BEGIN:VEVENT').slice(1);
    for (const user of ['bob', 'alice']) {
      await eventually(async () => (await parts(user)).length, 2);
      const [series = '', one = ''] = await parts(user);
      assert.doesNotMatch(series, /DECLINED/);
      assert.match(one, /RECURRENCE-ID:20310603T100000Z/);
      assert.match(one.replaceAll('\r\n ', ''), /PARTSTAT=DECLINED/);
    }
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Calendar/day/2031-06-04`);
    await openCalendar(page);
    await event(page, 'Daily').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Only this event').waitFor();
    assert.equal(await dialog.getByText('This and all following events').count(), 0);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Calendar/day/2031-06-02`);
    await eventually(async () => (await parts('alice')).length, 3);
    assert.doesNotMatch((await parts('alice'))[0]!, /DECLINED/);
    await openCalendar(page);
    await event(page, 'Daily').click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await dialog.getByText('The whole series').click();
    await dialog.getByRole('button', { name: 'Send response' }).click();
    await eventually(async () => (await parts('alice'))[0]!, /PARTSTAT=ACCEPTED/);
  });
});

/** A mail from bob that brings this to alice. */
async function mail(subject: string, method: string, text: string) {
  const said = text.replace('VERSION:2.0', `VERSION:2.0\r\nMETHOD:${method}`);
  const body = [
    '--x\r\nContent-Type: text/plain\r\n\r\nPlease look.\r\n',
    `--x\r\nContent-Type: text/calendar; method=${method}; charset=utf-8\r\n\r\n${said}\r\n--x--\r\n`,
  ].join('');
  const headers = { 'content-type': 'multipart/alternative; boundary=x' };
  const sent = await gateway.as('bob')(`r/_MAIL_/new?subj=${subject}&mailto=alice`, { method: 'PUT', headers, body });
  assert.equal(sent.status, 201);
}

const hostOf = async () => {
  const { email } = (await (await gateway.as('alice')('a/whoami')).json()) as { email: string };
  return email.split('@')[1]!;
};

describe('an invitation by mail', () => {
  it('is answered in the message, and is then in the calendar', async () => {
    const host = await hostOf();
    const people = [`ORGANIZER;CN=Bob:mailto:bob@${host}`, `ATTENDEE;RSVP=TRUE:mailto:alice@${host}`];
    const lines = ['DTSTART:20310515T100000Z', 'DTEND:20310515T110000Z', 'SUMMARY:Soil', 'LOCATION:Bed 3', ...people];
    await mail('Soil', 'REQUEST', object('by-mail', ...lines));

    const page = await openAs('alice', '#/r/Mail', { timezoneId: 'UTC', viewport: PHONE });
    await page.getByRole('list', { name: 'Mail' }).getByRole('link', { name: /Soil/ }).click();
    const card = page.getByRole('region', { name: 'Invitation' });
    await card.getByText('Invited by Bob').waitFor();
    await card.getByText(/15 May 2031/).waitFor();
    assert.equal(await card.getByText(/on behalf of/).count(), 0);
    await checkPage(page);
    await card.getByRole('button', { name: 'Accept' }).click();
    await card.getByText('You accepted.').waitFor();
    assert.match(await stored('alice', 'Calendar', 'by-mail'), /PARTSTAT=ACCEPTED/);
    await card.getByRole('button', { name: 'Decline' }).click();
    await card.getByText('You declined.').waitFor();
    assert.equal(await card.getByRole('button', { pressed: true }).textContent(), 'Decline');
    await card.getByRole('link', { name: 'Show in calendar' }).click();
    await page.getByRole('dialog', { name: 'Soil' }).waitFor();
  });

  it('that is cancelled is so in the calendar when it is taken over', async () => {
    const host = await hostOf();
    const people = [`ORGANIZER;CN=Bob:mailto:bob@${host}`, `ATTENDEE;PARTSTAT=ACCEPTED:mailto:alice@${host}`];
    const lines = ['DTSTART:20310516T100000Z', 'DTEND:20310516T110000Z', 'SUMMARY:Compost', ...people];
    await mail('Compost', 'REQUEST', object('called-off', ...lines));
    const page = await openAs('alice', '#/r/Mail', { timezoneId: 'UTC' });
    await page
      .getByRole('list', { name: 'Mail' })
      .getByRole('link', { name: /Compost/ })
      .click();
    const card = page.getByRole('region', { name: 'Invitation' });
    await card.getByRole('button', { name: 'Accept' }).click();
    await card.getByText('You accepted.').waitFor();

    await mail('Called%20off', 'CANCEL', object('called-off', ...lines, 'SEQUENCE:1', 'STATUS:CANCELLED'));
    await page
      .getByRole('list', { name: 'Mail' })
      .getByRole('link', { name: /Called off/ })
      .click();
    await card.getByText('Cancelled').waitFor();
    assert.equal(await card.getByRole('button', { name: 'Accept' }).count(), 0);
    await checkPage(page);
    await card.getByRole('button', { name: 'Add to calendar' }).click();
    await card.getByText('Added to your calendar.').waitFor();
    assert.match(await stored('alice', 'Calendar', 'called-off'), /STATUS:CANCELLED/);
    assert.equal(await card.getByRole('button', { name: 'Add to calendar' }).count(), 0);
  });

  it('is answered by a guest from elsewhere, whose answer is taken over where the event is', async () => {
    const host = await hostOf();
    const lines = [
      'DTSTART:20310517T100000Z',
      'DTEND:20310517T110000Z',
      'SUMMARY:Pruning',
      `ORGANIZER:mailto:alice@${host}`,
    ];
    const guest = 'ATTENDEE;CN=Gwen;PARTSTAT=';
    const at = ':mailto:gwen@elsewhere.example';
    const answer = await gateway.as('alice')('r/Calendar/pruning', {
      method: 'PUT',
      headers: { 'content-type': 'text/calendar' },
      body: object('pruning', ...lines, `${guest}NEEDS-ACTION;SCHEDULE-AGENT=CLIENT${at}`),
    });
    assert.ok(answer.ok, `not stored: ${answer.status}`);
    await mail('Re:%20Pruning', 'REPLY', object('pruning', ...lines, `${guest}ACCEPTED${at}`));

    const page = await openAs('alice', '#/r/Mail', { timezoneId: 'UTC' });
    await page
      .getByRole('list', { name: 'Mail' })
      .getByRole('link', { name: /Re: Pruning/ })
      .click();
    const card = page.getByRole('region', { name: 'Invitation' });
    await card.getByText('Gwen is coming').waitFor();
    await card.getByText(`This mail was sent by bob <bob@${host}> on behalf of Gwen.`).waitFor();
    await checkPage(page);
    await card.getByRole('button', { name: 'Add to calendar' }).click();
    await card.getByText('Added to your calendar.').waitFor();
    assert.match(await stored('alice', 'Calendar', 'pruning'), /PARTSTAT=ACCEPTED/);

    await mail('Re:%20Felling', 'REPLY', object('felling', ...lines, `${guest}ACCEPTED${at}`));
    await page
      .getByRole('list', { name: 'Mail' })
      .getByRole('link', { name: /Re: Felling/ })
      .click();
    await card.getByRole('button', { name: 'Add to calendar' }).click();
    await card.getByRole('alert').getByText('This invitation is out of date or already in your calendar.').waitFor();
  });
});

describe('the form of an event', () => {
  it('keeps its zone, its place and its note, takes whole days, and is not lost by a slip', async () => {
    const page = await openAs('alice', `#/r/Calendar/new/${WEEK}`, { timezoneId: 'Europe/Berlin' });
    await page.getByLabel('Title').fill('Far call');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByLabel('Location').fill('By phone');
    await page.getByLabel('Notes').fill('Bring figures.');
    await page.getByRole('button', { name: 'Save' }).click();
    await event(page, 'Far call').click();
    await page.getByRole('dialog').getByText('Bring figures.').waitFor();
    await page
      .getByRole('dialog')
      .getByText(/America\/New_York/)
      .waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('All day').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      const rows = await (await gateway.as('alice')('r/Calendar/mailbox')).json();
      const { msgnum } = (rows as { msgs: { subject: string; msgnum: number }[] }).msgs.findLast(
        ({ subject }) => subject === 'Far call',
      )!;
      return stored('alice', 'Calendar', String(msgnum));
    }, /DTSTART;VALUE=DATE:20310512/);
  });

  it('goes with the view that it was opened from', async () => {
    const page = await openAs('alice', '#/r/Calendar/month/2031-05-12', { timezoneId: 'UTC' });
    await openCalendar(page);
    await page.keyboard.press('w');
    await openCalendar(page);
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New event' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'New event' }).waitFor({ state: 'detached' });
    await page.locator('.month').waitFor();
  });
});

describe('files', () => {
  it('of events are brought in and taken out', async () => {
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-01-01', { timezoneId: 'UTC' });
    await openCalendar(page);
    await page.getByText('No events on these days.').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import events' }).click();
    const text = object('brought', 'DTSTART:20290105T100000Z', 'SUMMARY:Brought', 'X-OWN:kept');
    await (await choosing).setFiles({ name: 'x.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('One added.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await event(page, 'Brought').waitFor();
    assert.match(await stored('alice', 'Calendar', 'brought'), /X-OWN:kept/);

    await event(page, 'Brought').click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export event' }).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'Brought.ics');
    assert.match(await readFile(await saved.path(), 'utf8'), /X-OWN:kept/);
  });

  it('of events that were brought in go again, but for those that were there before', async () => {
    const there = object('there', 'DTSTART:20290205T100000Z', 'SUMMARY:There');
    await put('alice', 'Calendar', 'there', 'DTSTART:20290205T100000Z', 'SUMMARY:There');
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-02-01', { timezoneId: 'UTC' });
    await event(page, 'There').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import events' }).click();
    const text = there + object('comes', 'DTSTART:20290206T100000Z', 'SUMMARY:Comes');
    await (await choosing).setFiles({ name: 'x.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Import' }).click();
    await event(page, 'Comes').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await event(page, 'Comes').waitFor({ state: 'detached' });
    assert.match(await stored('alice', 'Calendar', 'there'), /There/);
  });
});

describe('views', () => {
  it('lead to each other by keys, remember the last one, and hide calendars that are not wanted', async () => {
    await put('alice', 'Events', 'fair', 'DTSTART;VALUE=DATE:20310514', 'DTEND;VALUE=DATE:20310517', 'SUMMARY:Fair');
    const page = await openAs('alice', `#/r/Calendar/month/${WEEK}`, { timezoneId: 'UTC', viewport: WIDE });
    await openCalendar(page);
    await eventually(() => event(page, 'Fair').count(), 3);
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: /^12\s?–\s?18 May 2031/ }).waitFor();
    await eventually(() => event(page, 'Fair').count(), 1);
    await page.getByRole('checkbox', { name: 'Events' }).uncheck();
    await eventually(() => event(page, 'Fair').count(), 0);
    await page.getByRole('checkbox', { name: 'Events' }).check();
    await event(page, 'Fair').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /^19\s?–\s?25 May 2031/ }).waitFor();
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Calendar`);
    await page.locator('.week').waitFor();
    await page.keyboard.press('m');
    await page.locator('.month td[data-selected] > a').focus();
    await page.keyboard.press('PageDown');
    await checkPage(page);
  });

  it('fit a phone: dots, the day below, one day of a week', async () => {
    await put('alice', 'Calendar', 'phone', 'DTSTART:20310512T080000Z', 'DTEND:20310512T090000Z', 'SUMMARY:Small');
    const options = { viewport: PHONE, hasTouch: true, isMobile: true, timezoneId: 'UTC' };
    const page = await openAs('alice', '#/r/Calendar/month/2031-05-01', options);
    await openCalendar(page);
    await page.locator('td[data-day="2031-05-12"] > a').tap();
    await page
      .locator('.agenda')
      .getByRole('button', { name: /^Small/ })
      .tap();
    await page.getByRole('dialog', { name: 'Small' }).waitFor();
    await page.keyboard.press('Escape');
    await checkPage(page);
    await page.locator('.calendar-steps').getByText('Week').tap();
    await event(page, 'Small').waitFor();
    await checkPage(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(Number(width) <= PHONE.width, `${width} wide`);
  });
});

// What the service worker has kept and is changed without a connection: it is shown so over reloads, and done once. The
// days of a calendar that are kept around today.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { calendarObject, putObject } from '../support/calendar-object.ts';
import { eventually } from '../support/eventually.ts';
import { go, startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');

const offline = (page: Page, isOffline = true) => page.context().setOffline(isOffline);
const banner = (page: Page) => page.getByText('Offline.', { exact: true });
const link = (page: Page, count: number) => page.getByRole('link', { name: `Waiting to be sent: ${count}` });
/** Whether an answer that is kept of the room has these words. */
const isKept = (page: Page, room: string, words: string) =>
  page.evaluate<boolean>(`(async () => {
    for (const name of await caches.keys()) {
      if (name.includes(' shell ')) continue;
      const cache = await caches.open(name);
      for (const key of await cache.keys()) {
        const text = await (await cache.match(key)).text();
        if (key.url.includes('/r/${room}/') && text.includes('${words}')) return true;
      }
    }
    return false;
  })()`);

async function openWithWorker(hash: string) {
  const page = await openAs('alice', '#/r/Town%20Square', { serviceWorkers: 'allow', timezoneId: 'UTC' });
  await page.locator('.stage .row').first().waitFor();
  await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null'), true);
  await page.reload();
  await page.locator('.stage .row').first().waitFor();
  await go(page, hash);
  return page;
}

async function reloadOffline(page: Page) {
  await offline(page);
  await page.reload();
  await banner(page).waitFor();
}

const put = (path: string, type: string, body: string) => putObject(alice, path, type, body);

async function subjects(room: string) {
  const { msgs } = (await (await alice(`r/${room}/mailbox`)).json()) as { msgs: { subject: string }[] };
  return msgs.map(({ subject }) => subject);
}
const stored = async (path: string) => (await alice(path)).text();

/** The first of the month that is so many after this one. */
function monthFromNow(count: number) {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1)).toISOString().slice(0, 10);
}

/** It is changed here without a connection, and done once when there is one. */
async function settled(page: Page, path: string, expected: RegExp) {
  const room = path.split('/')[1]!;
  const before = (await subjects(room)).length;
  await link(page, 1).waitFor();
  await page.reload();
  await link(page, 1).waitFor();
  assert.doesNotMatch(await stored(path), expected);
  return {
    async online() {
      await offline(page, false);
      await eventually(() => stored(path), expected);
      await eventually(() => page.getByRole('link', { name: /^(Waiting for|Not sent)/ }).count(), 0);
      assert.equal((await subjects(room)).length, before);
    },
  };
}

describe('what was kept is changed without a connection, and done once:', () => {
  it('a task', async () => {
    await put('r/Tasks/oats', 'text/calendar', calendarObject('VTODO', 'oats', ['SUMMARY:Sow oats']));
    const page = await openWithWorker('#/r/Tasks');
    const box = page.getByRole('checkbox', { name: 'Done: Sow oats' });
    await box.waitFor();
    await eventually(() => isKept(page, 'Tasks', 'SUMMARY:Sow oats'), true);
    await reloadOffline(page);
    await box.click();
    const { online } = await settled(page, 'r/Tasks/oats', /STATUS:COMPLETED/);
    await online();
  });

  it('a contact', async () => {
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', 'UID:una', 'FN:Una Holm', 'N:Holm;Una;;;', 'TITLE:Baker', 'X-KEEP:1'];
    await put('r/Contacts/una', 'text/vcard', [...lines, 'END:VCARD', ''].join('\r\n'));
    const page = await openWithWorker('#/r/Contacts/card/una');
    await page.getByText('Baker').first().waitFor();
    await eventually(() => isKept(page, 'Contacts', 'FN:Una Holm'), true);
    await reloadOffline(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Job title').fill('Miller');
    await page.getByRole('button', { name: 'Save' }).click();
    const { online } = await settled(page, 'r/Contacts/una', /TITLE:Miller/);
    await page.getByText('Miller').first().waitFor();
    await online();
    assert.match(await stored('r/Contacts/una'), /X-KEEP:1/);
  });

  it('a note', async () => {
    const lines = ['BEGIN:VNOTE', 'VERSION:1.1', 'UID:broth', 'SUMMARY:Broth', 'BODY:Leek', 'END:VNOTE'];
    await put('r/Notes/broth', 'text/vnote', [...lines, ''].join('\r\n'));
    const page = await openWithWorker('#/r/Notes/note/broth');
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    await eventually(() => isKept(page, 'Notes', 'Leek'), true);
    await reloadOffline(page);
    await text.fill('Leek and barley');
    const { online } = await settled(page, 'r/Notes/broth', /BODY[^\n]*barley/);
    await eventually(() => text.inputValue(), 'Leek and barley');
    await online();
  });

  it('an event', async () => {
    const day = monthFromNow(0);
    const start = `DTSTART:${day.replaceAll('-', '')}`;
    await put(
      'r/Calendar/fete',
      'text/calendar',
      calendarObject('VEVENT', 'fete', [`${start}T080000Z`, 'DURATION:PT1H', 'SUMMARY:Fete']),
    );
    const page = await openWithWorker(`#/r/Calendar/week/${day}`);
    const event = page.locator('.calendar-body').getByRole('button', { name: /^Fete\b/ });
    await event.waitFor();
    await eventually(() => isKept(page, 'Calendar', 'SUMMARY:Fete'), true);
    await reloadOffline(page);
    await event.focus();
    await event.press('Shift+Alt+ArrowDown');
    const { online } = await settled(page, 'r/Calendar/fete', /DURATION:PT1H15M|DURATION:PT1H30M|DTEND/);
    await eventually(() => event.getAttribute('title'), /Waiting for the connection/);
    await online();
    await eventually(() => event.getAttribute('title'), /^(?!.*Waits)/);
  });
});

it('a calendar has the month before and the three after without a connection, and says of others why not', async () => {
  for (const [name, count] of [
    ['Before', -1],
    ['After', 3],
    ['Later', 6],
  ] as const) {
    const start = `DTSTART:${monthFromNow(count).replaceAll('-', '')}`;
    await put(
      `r/Calendar/${name}`,
      'text/calendar',
      calendarObject('VEVENT', name, [`${start}T080000Z`, `SUMMARY:${name}`]),
    );
  }
  const page = await openWithWorker(`#/r/Calendar/day/${monthFromNow(0)}`);
  await eventually(() => isKept(page, 'Calendar', 'SUMMARY:After'), true);
  await reloadOffline(page);
  const event = (name: string) => page.locator('.calendar-body [data-event]').filter({ hasText: name });
  for (const view of ['month', 'week']) {
    await go(page, `#/r/Calendar/${view}/${monthFromNow(-1)}`);
    await event('Before').waitFor();
    await go(page, `#/r/Calendar/${view}/${monthFromNow(3)}`);
    await event('After').waitFor();
  }
  assert.equal(await page.getByRole('alert').count(), 0);
  await go(page, `#/r/Calendar/month/${monthFromNow(6)}`);
  await page.getByRole('alert').getByText('No connection').waitFor();
  assert.equal(await event('Later').count(), 0);
});

it('what was kept of a calendar and of what is due is there in the days after, also in the next month', async () => {
  const next = monthFromNow(1);
  const [start, due] = [next, new Date().toISOString().slice(0, 10)].map((day) => day.replaceAll('-', ''));
  await put(
    'r/Calendar/turn',
    'text/calendar',
    calendarObject('VEVENT', 'turn', [`DTSTART:${start}T080000Z`, 'SUMMARY:Turn']),
  );
  await put(
    'r/Tasks/late',
    'text/calendar',
    calendarObject('VTODO', 'late', [`DUE;VALUE=DATE:${due}`, 'SUMMARY:Weed']),
  );
  const page = await openWithWorker('#/r/Calendar');
  await eventually(() => isKept(page, 'Calendar', 'SUMMARY:Turn'), true);
  await go(page, '#/today');
  const task = page.getByRole('checkbox', { name: 'Done: Weed' });
  await task.waitFor();
  await eventually(() => isKept(page, 'Tasks', 'SUMMARY:Weed'), true);
  await page.clock.install({ time: new Date(`${next}T10:00:00Z`) });
  await reloadOffline(page);
  await task.waitFor();
  await page.locator('.agenda').getByText('Turn').waitFor();
  await go(page, '#/r/Calendar/month');
  await page.locator('.calendar-body [data-event]').filter({ hasText: 'Turn' }).first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

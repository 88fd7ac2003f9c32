// What tells of something beside what the reader does. Notifications of the browser, for who asks for them: reminders
// of events, mail, instant messages; they are the real ones, the page is only overheard. What the page itself says.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { calendarObject, putObject } from '../support/calendar-object.ts';
import { eventually } from '../support/eventually.ts';
import { go, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
const bob = gateway.as('bob');

/** What the page asks the browser for, and what the browser has shown. */
const OVERHEAR = `
  globalThis.asked = 0;
  globalThis.made = [];
  globalThis.shown = [];
  globalThis.Notification = class extends Notification {
    static requestPermission() {
      asked++;
      return super.requestPermission();
    }
    constructor(title, options) {
      super(title, options);
      made.push(this);
      this.addEventListener('show', () => shown.push([title, options.body].filter(Boolean).join(': ')));
    }
  };
`;
const shown = (page: Page) => page.evaluate<string[]>('shown');
/** bob to alice */
async function write(subject: string) {
  const path = `r/Mail/new?mailto=alice&subj=${encodeURIComponent(subject)}`;
  assert.equal((await bob(path, { method: 'PUT', body: 'x' })).status, 201);
}

/** bob to alice, who is here */
async function say(text: string) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ to: 'alice', text });
  await eventually(async () => (await bob('a/im', { method: 'POST', headers, body })).status, 204);
}

/** `20261122T103000Z` */
const utc = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().replace(/[-:]|\.\d+/g, '');

/** alice at `hash`, in a browser that allows notifications or does not. */
async function openOverheard(hash: string, isAllowed = true) {
  const page = await open({ timezoneId: 'UTC' });
  await page.context().grantPermissions(isAllowed ? ['notifications'] : []);
  await page.addInitScript(OVERHEAR);
  const data = { username: 'alice', password: 'alice' };
  assert.equal((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).status(), 200);
  await page.goto(`${gateway.url}svc/a/landing.html${hash}`);
  return page;
}

/** As somebody does who goes to another window, and comes back. */
const leave = (page: Page, isAway: boolean) =>
  page.evaluate(`
    const value = '${isAway ? 'hidden' : 'visible'}';
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

async function turnReminders(page: Page) {
  await page.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitemcheckbox', { name: 'Reminders on this device' }).click();
}

describe('reminders', () => {
  it('are asked for in the menu of the calendar, and come when their time has come', async () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM'];
    const lines = [`DTSTART:${utc(20)}`, 'DURATION:PT1H', 'SUMMARY:Chimney sweep', 'LOCATION:Roof', ...alarm];
    await putObject(alice, 'r/Calendar/sweep', 'text/calendar', calendarObject('VEVENT', 'sweep', lines));
    const page = await openOverheard('#/r/Calendar');
    await page.locator('.calendar-body[aria-busy="false"]').waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator('.calendar-body[aria-busy="false"]').waitFor();
    assert.equal(await page.evaluate('asked'), 0);
    await turnReminders(page);
    await page.getByText('Reminders are shown while this page is open.').waitFor();
    assert.equal(await page.evaluate('asked'), 1);
    await page.clock.fastForward('03:00');
    assert.deepEqual(await shown(page), []);
    await go(page, '#/r/Lobby');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await page.clock.fastForward('03:00');
    await eventually(async () => (await shown(page)).join('; '), /^Chimney sweep: \d?\d:\d\d, Roof$/);
    await page.clock.fastForward('03:00');
    await page.evaluate(`made[0].dispatchEvent(new Event('click'))`);
    await page.getByRole('dialog').getByText('Chimney sweep').first().waitFor();
    assert.equal((await shown(page)).length, 1);
  });

  it('are off where the browser does not allow them, which is said', async () => {
    const page = await openOverheard('#/r/Calendar', false);
    await page.locator('.calendar-body[aria-busy="false"]').waitFor();
    await turnReminders(page);
    await page.getByText('The browser blocks notifications from this site.').waitFor();
    assert.equal(await page.evaluate('asked'), 1);
    assert.equal(await page.evaluate(`localStorage.getItem('reminders')`), null);
  });
});

describe('messages', () => {
  it('that come while the page is out of sight are shown to who has asked for it, and to nobody else', async () => {
    const page = await openOverheard('#/settings/notifications');
    const box = page.getByLabel('New mail and messages');
    await box.waitFor();
    assert.equal(await page.evaluate('asked'), 0);
    await box.check();
    await eventually(() => page.evaluate('asked'), 1);
    await go(page, '#/r/Lobby');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await write('Seen as it comes');
    await page.getByText('You have new mail.').waitFor();
    assert.deepEqual(await shown(page), []);

    await leave(page, true);
    await write('Not seen');
    await eventually(() => shown(page), ['You have new mail.']);
    await say('Where are you?');
    await eventually(() => shown(page), ['You have new mail.', 'bob: Where are you?']);
    await page.evaluate(`made[1].dispatchEvent(new Event('click'))`);
    await page.getByLabel('Message to bob').waitFor();

    await leave(page, false);
    await go(page, '#/settings/notifications');
    await box.uncheck();
    await go(page, '#/r/Lobby');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await leave(page, true);
    await say('Still there?');
    // it is looked for once more
    await leave(page, true);
    await page.getByText('Still there?').waitFor();
    assert.equal(await page.evaluate('made.length'), 2);
  });
});

/** How many toasts are in sight, and which buttons, links, fields and errors stand below one, as far as they show. */
const COVERED = `(() => {
  const boxOf = (node) => {
    let { left, top, right, bottom } = node.getBoundingClientRect();
    for (let each = node.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflow === 'visible') continue;
      const around = each.getBoundingClientRect();
      left = Math.max(left, around.left);
      top = Math.max(top, around.top);
      right = Math.min(right, around.right);
      bottom = Math.min(bottom, around.bottom);
    }
    return { left, top, right, bottom };
  };
  const toasts = [...document.querySelectorAll('.toast')].map(boxOf);
  const covers = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const others = 'a[href], button, input, textarea, select, iframe, [role=alert], .error';
  const covered = [...document.querySelectorAll(others)]
    .filter((node) => !node.closest('.toast') && node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => toasts.some((toast) => covers(toast, boxOf(node))))
    .map((node) => node.outerHTML.slice(0, 120));
  return { toasts: toasts.length, covered };
})()`;

describe('what the page says covers neither buttons nor errors', () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    it(`at ${viewport.width} px`, async () => {
      await write(`Brick ${viewport.width}`);
      await write(`Stone ${viewport.width}`);
      const page = await openAs('alice', '#/r/Mail', { viewport });
      const toasts = page.locator('.toast');
      await page.getByRole('link', { name: new RegExp(`Brick ${viewport.width}`) }).click();
      await page.getByRole('button', { name: 'Delete' }).first().click();
      // it stays while it has the focus
      await page.getByRole('button', { name: 'Undo' }).focus();
      assert.deepEqual(await page.evaluate(COVERED), { toasts: 1, covered: [] });

      for (const text of ['Are you there?', 'I have a long question. '.repeat(20), 'So?']) await say(text);
      await eventually(() => toasts.count(), 4);
      await page.getByRole('button', { name: 'Undo' }).focus();
      assert.deepEqual(await page.evaluate(COVERED), { toasts: 4, covered: [] });

      await go(page, '#/r/Mail/new');
      await page.getByRole('button', { name: 'Send' }).first().click();
      await page.getByRole('alert').first().waitFor();
      await eventually(() => toasts.count(), 3);
      assert.deepEqual(await page.evaluate(COVERED), { toasts: 3, covered: [] });
      await page.getByRole('button', { name: 'Send' }).first().click({ trial: true });

      await go(page, '#/r/Nowhere');
      await page.getByText('Room not found').last().waitFor();
      assert.deepEqual(await page.evaluate(COVERED), { toasts: 3, covered: [] });
      for (let left = 3; left > 0; left--) await toasts.getByRole('button', { name: 'Close' }).first().click();
      assert.equal(await toasts.count(), 0);
    });
  }
});

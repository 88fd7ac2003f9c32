// The first view of the web client: what is new, what is on today, who is here; and what tells of news wherever the
// reader is.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, go, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const bob = gateway.as('bob');
const alice = gateway.as('alice');

const DESK = { width: 1440, height: 900 };
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
/** `20261122T103000Z` */
const utc = (minutes: number) => `${new Date(Date.now() + minutes * 60_000).toISOString().replace(/[-:]|\.\d+/g, '')}`;
const day = (days = 0) => {
  const date = new Date(Date.now() + days * 86_400_000);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
};

async function put(room: string, uid: string, component: string, lines: string[], who = alice): Promise<void> {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x//EN', `BEGIN:${component}`, `UID:${uid}`];
  const body = [...text, 'DTSTAMP:20260101T000000Z', ...lines, `END:${component}`, 'END:VCALENDAR', ''].join('\r\n');
  const headers = { 'content-type': 'text/calendar; charset=utf-8' };
  const { ok, status } = await who(`r/${encodeURIComponent(room)}/${uid}`, { method: 'PUT', headers, body });
  assert.ok(ok, `${room}/${uid}: ${status}`);
}

describe('the inbox', () => {
  it('has today at its side: events, what is due, which is ticked there, and who is here', async () => {
    await put('Calendar', 'whole', 'VEVENT', [`DTSTART;VALUE=DATE:${day()}`, 'SUMMARY:Open house', 'LOCATION:Hall']);
    await put('Calendar', 'late', 'VEVENT', [`DTSTART;VALUE=DATE:${day(1)}`, 'SUMMARY:Tomorrow']);
    await put('Tasks', 'due', 'VTODO', [`DUE;VALUE=DATE:${day()}`, 'SUMMARY:Pay the insurance']);
    await put('Tasks', 'far', 'VTODO', [`DUE;VALUE=DATE:${day(30)}`, 'SUMMARY:Far away']);
    await bob('a/whoami');
    const page = await openAs('alice', '#/', { viewport: DESK });
    const side = page.getByRole('complementary', { name: 'Today' });
    await side.getByRole('link', { name: /Open house/ }).waitFor();
    await side.getByRole('link', { name: 'bob' }).waitFor();
    assert.equal(await side.getByText('Tomorrow').count(), 0);
    assert.equal(await side.getByText('Far away').count(), 0);
    await checkPage(page);
    await side.getByRole('checkbox', { name: 'Done: Pay the insurance' }).click();
    await eventually(() => side.getByText('Pay the insurance').count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await side.getByRole('link', { name: 'Pay the insurance' }).waitFor();
    // what another device plans comes by itself
    await put('Calendar', 'soon', 'VEVENT', [`DTSTART;VALUE=DATE:${day()}`, 'SUMMARY:Just planned']);
    await side.getByRole('link', { name: /Just planned/ }).waitFor();
    await side.getByRole('link', { name: /Open house/ }).click();
    await page.getByRole('dialog').getByText('Open house').first().waitFor();
  });

  it('has it behind an icon where there is no room for it', async () => {
    await put('Calendar', 'phone', 'VEVENT', [`DTSTART;VALUE=DATE:${day()}`, 'SUMMARY:Pocket event']);
    for (const viewport of [NARROW, { width: 800, height: 1000 }]) {
      const page = await openAs('alice', '#/', { viewport });
      await heading(page, 'Inbox').filter({ visible: true }).waitFor();
      await page.getByRole('link', { name: 'Today' }).filter({ visible: true }).click();
      await page.getByRole('link', { name: /Pocket event/ }).waitFor();
      await checkPage(page);
    }
  });

  it('is no wider than its window', async () => {
    for (const width of [320, 720, 768, 900, 1024, 1100]) {
      const page = await openAs('alice', '#/', { viewport: { width, height: 700 } });
      await page.getByRole('link', { name: /Welcome/ }).waitFor();
      await checkPage(page);
      const parts = 'main :is(.pane, .pane-head > *, .row, .row-time, .chip, button)';
      const over = `[...document.querySelectorAll('${parts}')].filter(
        (each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.className)`;
      assert.deepEqual(await page.evaluate(over), [], `${width}`);
    }
  });

  it('has its rooms as icons between phone and desk, and unfolds them over the room until one goes there', async () => {
    const page = await openAs('alice', '#/', { viewport: { width: 800, height: 900 } });
    await heading(page, 'Inbox').waitFor();
    const names = () => page.locator('.sidebar .name').filter({ visible: true }).count();
    const edge = async () => (await page.locator('main').boundingBox())!.x;
    const fold = page.getByRole('button', { name: 'Sidebar' });
    await eventually(names, 0);
    const at = await edge();
    assert.ok(at < 70, `the room begins at ${at}`);
    await fold.click();
    await page.locator('.sidebar').getByText('Lobby', { exact: true }).click();
    await heading(page, 'Lobby').waitFor();
    await eventually(names, 0);
    await fold.click();
    assert.equal(await edge(), at);
    await page.keyboard.press('Escape');
    await eventually(names, 0);
    await page.setViewportSize(DESK);
    await page.locator('.sidebar').getByText('Lobby', { exact: true }).waitFor();
    await fold.click();
    await eventually(names, 0);
    await page.reload();
    await heading(page, 'Lobby').waitFor();
    await eventually(names, 0);
  });

  it('tells apart what is to you, mail and rooms, and keeps up with what comes', async () => {
    const page = await openAs('alice', '#/', { viewport: DESK });
    const badge = 'async (count) => { globalThis.badge = count; }';
    await page.addInitScript(`Object.assign(Navigator.prototype, { setAppBadge: ${badge}, clearAppBadge: ${badge} })`);
    await page.reload();
    const news = page.getByRole('tabpanel');
    await news.getByRole('link', { name: /Fwd: Seeds/ }).waitFor();
    await page.getByRole('tab', { name: 'Rooms' }).click();
    await news.getByRole('link', { name: /Fwd: Seeds/ }).waitFor();
    assert.equal(await news.getByText('Mail', { exact: true }).count(), 0);
    await page.getByRole('tab', { name: 'To you' }).click();
    await eventually(() => news.getByRole('link', { name: /Fwd: Seeds/ }).count(), 0);
    await checkPage(page);
    await bob('r/Mail/new?mailto=alice&subj=Only%20for%20you', { method: 'PUT', body: 'First line.' });
    await news.getByRole('link', { name: /Unread:.*bob.*Only for you.*First line\./ }).waitFor();
    await eventually(() => page.title(), /^\(\d+\) Inbox – /);
    await eventually(() => page.locator('link[rel=icon]').getAttribute('href'), '../s/favicon-unread.svg');
    const shown = Number(/^\((\d+)\)/.exec(await page.title())![1]);
    await eventually(() => page.evaluate('globalThis.badge'), shown);
  });
});

describe('wherever the reader is', () => {
  it('reminders come from the time the page is open, and only to who wants them', async () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM'];
    const times = [`DTSTART:${utc(10)}`, `DTEND:${utc(70)}`];
    await put('Calendar', 'soon-due', 'VEVENT', [...times, 'SUMMARY:Boiler man', 'LOCATION:Cellar', ...alarm]);
    const told = async (isOn: boolean) => {
      const page = await openAs('alice', '#/login');
      await page.addInitScript(`
        globalThis.told = [];
        globalThis.Notification = class extends EventTarget {
          static permission = 'granted';
          constructor(title, { body }) { super(); told.push(title + ': ' + body); }
        };
        ${isOn ? "localStorage.setItem('reminders', 'on')" : "localStorage.removeItem('reminders')"};
      `);
      const asked: string[] = [];
      page.on('request', (request) => request.method() === 'REPORT' && asked.push(request.url()));
      await page.goto(`${gateway.url}svc/a/landing.html#/r/Lobby`);
      await page.reload();
      await page.getByRole('link', { name: /Welcome/ }).waitFor();
      return { asked, told: () => page.evaluate<string[]>('told') };
    };
    const on = await told(true);
    await eventually(async () => (await on.told()).join(), /^Boiler man: .*Cellar$/);
    assert.ok(on.asked.length <= 4, 'one request a calendar');
    const off = await told(false);
    assert.deepEqual([await off.told(), off.asked], [[], []]);
  });

  it('reminders and news are notifications of the system, once the browser has allowed them', async () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM'];
    await put('Calendar', 'due', 'VEVENT', [`DTSTART:${utc(12)}`, `DTEND:${utc(70)}`, 'SUMMARY:Sweep', ...alarm]);
    const page = await openAs('alice', '#/settings/notifications', { serviceWorkers: 'allow' });
    await page.waitForFunction('navigator.serviceWorker.ready');
    const notices = () =>
      page.evaluate<string[]>(
        `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
          .then((all) => all.map(({ title, body }) => title + ': ' + body))`,
      );
    const remind = page.getByLabel('Event reminders');
    await remind.click();
    await page.getByText('The browser blocks notifications.').waitFor();
    assert.equal(await remind.isChecked(), false);
    await page.context().grantPermissions(['notifications'], { origin: gateway.url });
    await remind.check();
    await page.getByLabel('New mail and messages').check();
    await eventually(async () => (await notices()).some((each) => each.startsWith('Sweep: ')), true);
    const mail = async () => (await notices()).filter((each) => /^You have .*new/.test(each)).length;
    await bob('r/Mail/new?mailto=alice&subj=In%20sight', { method: 'PUT', body: 'x' });
    await page.getByText('You have new mail.').first().waitFor();
    assert.equal(await mail(), 0);
    // a page in a window that is behind others
    await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
    await bob('r/Mail/new?mailto=alice&subj=Out%20of%20sight', { method: 'PUT', body: 'x' });
    await eventually(mail, 1);
  });

  it('what comes elsewhere is counted at the side and read out; entries that change are, too', async () => {
    const page = await openAs('alice', '#/r/Lobby');
    await page.getByRole('link', { name: /Welcome/ }).waitFor();
    await put('To Do', 'heard', 'VTODO', ['SUMMARY:Hear this'], bob);
    const heard = page.locator('#heard');
    await eventually(() => heard.textContent(), 'New in To Do.');
    assert.equal(await heard.getAttribute('role'), 'status');
    await go(page, '#/r/To%20Do');
    await page.getByRole('link', { name: 'Hear this' }).waitFor();
    await put('To Do', 'heard', 'VTODO', ['SUMMARY:Hear that'], bob);
    await page.getByRole('link', { name: 'Hear that' }).waitFor();
    await eventually(() => heard.textContent(), 'One new or changed entry in To Do.');
  });

  it('one key leads to the next unread message, also to one that is out of sight', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Attic', kind: 'public', view: 1 });
    assert.equal((await bob('r/', { method: 'POST', headers, body })).status, 201);
    for (let n = 1; n <= 80; n++) await bob(`r/Attic/new?subj=Box%20${n}`, { method: 'PUT', body: 'x' });
    const { msgs } = (await (await alice('r/Attic/mailbox')).json()) as { msgs: { msgnum: number }[] };
    const seen = JSON.stringify({ msgnums: msgs.slice(1).map(({ msgnum }) => msgnum), seen: true });
    assert.ok((await alice('r/Attic/mailbox', { method: 'PATCH', headers, body: seen })).ok);
    const page = await openAs('alice', '#/r/Attic');
    await page.getByRole('link', { name: /Box 80/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 2, name: 'Box 1', exact: true }).waitFor();
  });

  it('a room where only the newest message was read is told with all that is new', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Cellar', kind: 'public', view: 1 });
    assert.equal((await bob('r/', { method: 'POST', headers, body })).status, 201);
    for (let n = 1; n <= 5; n++) await bob(`r/Cellar/new?subj=Jar%20${n}`, { method: 'PUT', body: 'x' });
    const { msgs } = (await (await alice('r/Cellar/mailbox')).json()) as { msgs: { msgnum: number }[] };
    const newest = JSON.stringify({ msgnums: [msgs.at(-1)!.msgnum], seen: true });
    assert.ok((await alice('r/Cellar/mailbox', { method: 'PATCH', headers, body: newest })).ok);
    const page = await openAs('alice', '#/');
    const row = page.locator('[data-room="Cellar"][data-unread]');
    await eventually(() => row.locator('.badge').innerText(), /^4/);
  });

  it('what one sends is not unread among what one has sent', async () => {
    const sent = await alice('r/_MAIL_/new?subj=Sent%20away&mailto=bob', { method: 'PUT', body: 'x' });
    assert.equal(sent.status, 201);
    const page = await openAs('alice', '#/');
    await page.locator('[data-room="Sent Items"]').waitFor();
    assert.equal(await page.locator('[data-room="Sent Items"] .badge').count(), 0);
    assert.equal(await page.locator('[data-room="Sent Items"][data-unread]').count(), 0);
  });

  it('single keys can be switched off, and on again; Ctrl+K stays', async () => {
    const page = await openAs('alice', '#/settings/look');
    const box = page.getByLabel('Single-key shortcuts');
    const help = page.getByRole('heading', { name: 'Keyboard shortcuts' });
    const palette = page.getByRole('dialog').getByRole('combobox');
    await box.uncheck();
    await go(page, '#/r/Lobby');
    await heading(page, 'Lobby').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('c');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    assert.equal(await help.count(), 0);
    assert.match(page.url(), /#\/r\/Lobby$/);
    await page.keyboard.press('Escape');
    await go(page, '#/settings/look');
    await box.check();
    await go(page, '#/r/Lobby');
    await heading(page, 'Lobby').waitFor();
    await page.keyboard.press('?');
    await help.waitFor();
  });

  it('the row of the room that is entered is in sight, also in a floor that is folded', async () => {
    const page = await openAs('alice', '#/', { viewport: { width: WIDE.width, height: 460 } });
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    await rooms.getByText('Community', { exact: true }).click();
    await eventually(() => rooms.getByRole('link', { name: /^Town Square/ }).isVisible(), false);
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Town%20Square`);
    await page.reload();
    const row = rooms.getByRole('link', { name: /^Town Square/ });
    await row.waitFor();
    await eventually(async () => ((await row.boundingBox())?.y ?? 999) < 460, true);
    await go(page, '#/');
    await page.reload();
    await heading(page, 'Inbox').waitFor();
    await eventually(() => row.isVisible(), false);
  });

  it('nothing is asked for that is not there: no room without a picture is asked for one', async () => {
    const page = await openAs('alice');
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) missing.push(`${response.status()} ${response.url()}`);
    });
    for (const room of ['Lobby', 'Town Square', 'Handbook', 'Garden Diary', 'Events', 'To Do']) {
      await go(page, `#/r/${encodeURIComponent(room)}`);
      await heading(page, room).waitFor();
      await page.waitForTimeout(200);
    }
    assert.deepEqual(missing, []);
  });

  it('the address that a calendar gives for other programs answers them', async () => {
    const page = await openAs('alice', '#/r/Events', { viewport: DESK });
    const address = (await page.locator('code').first().textContent())!;
    const body = '<D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/></D:prop></D:propfind>';
    const headers = { Authorization: `Basic ${btoa('alice:alice')}`, Depth: '0' };
    const answer = await fetch(address, { method: 'PROPFIND', headers, body });
    assert.equal(answer.status, 207);
    assert.match(await answer.text(), /<C:calendar\/>/);
  });
});

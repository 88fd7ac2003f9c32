// The parts of the web client, each used by keyboard, on a page of their own (parts.html) under the security policy
// that the client has. No gateway: the files are served as they are.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { EVENTUALLY_MS, eventually } from '../../support/eventually.ts';
import { checkPage, launchBrowser } from '../../support/web-client.ts';

const HERE = import.meta.dirname;
const STATIC = join(HERE, '../../../static');
const ORIGIN = 'http://parts.example';
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; object-src 'none'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'self'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** pictures of the page for whoever looks: PARTS_SCREENS=folder */
const SCREENS = process.env.PARTS_SCREENS;

const browser = await launchBrowser();
let contexts: BrowserContext[] = [];
let complaints: string[] = [];
after(() => browser.close());
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  const found = complaints;
  complaints = [];
  assert.deepEqual(found, []);
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(EVENTUALLY_MS);
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/svc\/[as]\//, '');
    const file = [join(HERE, path), join(STATIC, path)].find((each) => existsSync(each));
    if (!file) return route.fulfill({ status: 404 });
    const headers = { 'content-type': TYPES[extname(file)]!, 'content-security-policy': POLICY };
    return route.fulfill({ body: await readFile(file), headers });
  });
  await page.goto(`${ORIGIN}/svc/a/parts.html`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  return page;
}

const heard = (page: Page) => page.evaluate<string[]>('heard.splice(0)');
const focusedName = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');

describe('the parts of the web client', () => {
  it('have names, contrast and room at every size, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [name, width, height] of [
        ['desk', 1440, 900],
        ['tablet', 1024, 768],
        ['phone', 390, 844],
        ['small', 320, 640],
      ] as const) {
        const page = await open({ colorScheme, viewport: { width, height } });
        // the heading of the page is in the top bar of phones
        if (width > 767) await checkPage(page);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, name);
        if (SCREENS) await page.screenshot({ path: join(SCREENS, `${name}-${colorScheme}.png`) });
      }
    }
  });

  it('a menu is used by arrows and letters, and Escape gives the focus back', async () => {
    const page = await open();
    const opener = page.getByRole('button', { name: 'Message', exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    assert.equal(await page.getByRole('menu', { name: 'Message' }).getByRole('menuitemcheckbox').count(), 1);
    await page.keyboard.press('d');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await page.evaluate('document.activeElement.textContent'), 'ArchiveE');
    if (SCREENS) await page.screenshot({ path: join(SCREENS, 'menu.png') });
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.equal(await opener.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await page.keyboard.press('m');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('menu').count(), 1, 'what is disabled does nothing');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.deepEqual(await heard(page), ['menu delete']);
    assert.equal(await focusedName(page), 'Message');
    await opener.click();
    await opener.click();
    assert.equal(await page.getByRole('menu').count(), 0);
  });

  it('a popover leaves the page in use; Escape and a press elsewhere close it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Event', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Boiler' }).waitFor();
    if (SCREENS) await page.screenshot({ path: join(SCREENS, 'popover.png') });
    await page.keyboard.press('Tab');
    assert.equal(await focusedName(page), 'Accept');
    await page.keyboard.press('Escape');
    assert.equal(await focusedName(page), 'Event');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Parts', exact: true }).click();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('a dialog begins at the safe choice or the first field, and stays open where it fails', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Delete room' }).click();
    await page.getByRole('alertdialog', { name: 'Delete the room Garden?' }).waitFor();
    if (SCREENS) await page.screenshot({ path: join(SCREENS, 'dialog.png') });
    assert.equal(await focusedName(page), 'Keep it');
    await page.keyboard.press('Escape');
    assert.deepEqual(await heard(page), ['dialog undefined']);
    assert.equal(await focusedName(page), 'Delete room');

    await page.getByRole('button', { name: 'New room' }).click();
    await page.keyboard.type('Lobby');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'There is a room Lobby already.' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'new-room');
    await page.getByLabel('Room name').last().fill('Garden');
    await page.keyboard.press('Enter');
    await eventually(() => heard(page), ['room make Garden']);
  });

  it('a toast offers one action, and waits while it has the focus', async () => {
    const page = await open();
    await page.clock.install();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('status').filter({ hasText: 'Note deleted' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.clock.runFor(20_000);
    await page.keyboard.press('Enter');
    assert.deepEqual(await heard(page), ['undo']);
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.mouse.move(1000, 20);
    await page.clock.runFor(8_100);
    assert.equal(await page.getByText('Note deleted').count(), 0);
  });

  it('toasts with an action stay beside what is said later, of which the latest three stay', async () => {
    const page = await open();
    const shown = () => page.getByRole('status').locator('p > span').allTextContents();
    for (const name of ['Send mail', 'Delete note', 'Say', 'Say', 'Say', 'Say'])
      await page.getByRole('button', { name }).click();
    assert.deepEqual(await shown(), ['Sending', 'Note deleted', 'Said 2', 'Said 3', 'Said 4']);
    const undo = page.getByRole('button', { name: 'Undo' });
    const about = await undo.getAttribute('aria-describedby');
    assert.equal(await page.locator(`#${about}`).textContent(), 'Note deleted');
    await page.getByRole('button', { name: 'Say' }).focus();
    await undo.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Say');
    assert.deepEqual(await shown(), ['Sending', 'Said 2', 'Said 3', 'Said 4']);
  });

  it('toasts wait, all of them, while the pointer is on one; what expires is told so once', async () => {
    const page = await open();
    await page.clock.install();
    await page.getByRole('button', { name: 'Send mail' }).click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByText('Note deleted').hover();
    await page.clock.runFor(60_000);
    assert.deepEqual(await heard(page), []);
    await page.getByRole('button', { name: 'Call back' }).waitFor();
    await page.mouse.move(1000, 20);
    await page.clock.runFor(8_100);
    assert.deepEqual([await heard(page), await page.getByRole('status').locator('p').count()], [['sent'], 0]);
    await page.getByRole('button', { name: 'Send mail' }).click();
    await page.getByRole('button', { name: 'Call back' }).click();
    await page.mouse.move(1000, 20);
    await page.clock.runFor(60_000);
    assert.deepEqual(await heard(page), ['back']);
  });

  it('tabs and segments are chosen by arrows', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'Topics' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('tab', { name: 'Files' }).getAttribute('aria-selected'), 'true');
    await page.getByRole('radio', { name: 'Normal' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await heard(page), ['tab files', 'density roomy']);
  });

  it('a day is chosen by keyboard, and written as the language writes it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Thursday, 14 May 2026' }).focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'PageDown', 'Home']) await page.keyboard.press(key);
    assert.equal(await focusedName(page), 'Monday, 22 June 2026');
    await page.keyboard.press('Enter');
    await page.getByLabel('Due', { exact: true }).fill('31.2.');
    await page.keyboard.press('Tab');
    await page.getByText('Enter a date such as 31/12/2026.').waitFor();
    await page.getByLabel('Due', { exact: true }).fill('1.7.26');
    await page.keyboard.press('Tab');
    assert.equal(await page.getByLabel('Due', { exact: true }).inputValue(), '01/07/2026');
    await page.getByRole('button', { name: 'Open calendar: Due' }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await focusedName(page), 'Open calendar: Due');
    assert.deepEqual(await heard(page), ['day 2026-06-22', 'due', 'due 2026-07-01', 'due 2026-07-08']);
  });

  it('chips come from suggestions, commas and pasted lists, and go by Backspace; a wrong one says why', async () => {
    const page = await open();
    const field = page.getByRole('combobox', { name: 'To' });
    await field.pressSequentially('le');
    await page.getByRole('option', { name: /^Leila/ }).waitFor();
    if (SCREENS) await page.screenshot({ path: join(SCREENS, 'chips.png') });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Leon Abara added' }).waitFor();
    await field.pressSequentially('"Doe, J" <j@x.example>,nobody,');
    await page.getByText('nobody: There is nobody of that name.').waitFor();
    await page.keyboard.press('Backspace');
    await field.evaluate((node) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as Record<
        string,
        new (
          ...values: unknown[]
        ) => Event
      >;
      const clipboardData = new DataTransfer!() as unknown as { setData(type: string, text: string): void };
      clipboardData.setData('text/plain', 'a@x.example; b@x.example\nc@x.example');
      (node as unknown as EventTarget).dispatchEvent(new ClipboardEvent!('paste', { clipboardData, cancelable: true }));
    });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focusedName(page), 'Remove b@x.example');
    await page.keyboard.press('Delete');
    const last = (await heard(page)).at(-1);
    assert.equal(last, 'to Ines Duarte|Tomas Beck|Leon Abara|"Doe, J" <j@x.example>|a@x.example|c@x.example');
    assert.equal(await page.getByText('There is nobody of that name.').count(), 0);
  });

  it('the editor writes form as it is typed, by its toolbar and by Markdown', async () => {
    const page = await open();
    const area = page.getByRole('textbox', { name: 'Message' });
    const html = () => page.evaluate<string>('text.value().html');
    await area.click();
    await page.keyboard.press('Control+End');
    for (const line of ['I **am** _so_ `x` [it](https://x.example/) ok', '- one', 'two', '', '> said']) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(line);
    }
    if (SCREENS) await page.screenshot({ path: join(SCREENS, 'editor.png') });
    const written =
      '<p>Hello both,</p><p>I <b>am</b> <i>so</i> <code>x</code> <a href="https://x.example/">it</a> ok</p>' +
      '<ul><li>one</li><li>two</li></ul><blockquote><p>said</p></blockquote>';
    assert.equal(await html(), written);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('end ');
    await page.keyboard.press('Alt+F10');
    assert.equal(await focusedName(page), 'Bold');
    await page.keyboard.press('Enter');
    await page.keyboard.type('bold');
    assert.equal(await html(), `${written}<p>end <b>bold</b></p>`);
    assert.equal(await page.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed'), 'true');
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an email address or a web address').waitFor();
    await page.getByLabel('Address').fill('x.example/a');
    await page.keyboard.press('Enter');
    assert.equal(await html(), `${written}<p>end <b><a href="https://x.example/a">bold</a></b></p>`);
    assert.match(
      await page.evaluate<string>('text.value().text'),
      /^Hello both,\n\nI am so x it \(https:\/\/x\.example\/\) ok\n\n- one\n- two\n\n> said\n\nend bold \(/,
    );
  });

  it('what is pasted keeps its form and nothing else', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Message' }).click();
    await page.keyboard.press('Control+A');
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', \`<style>p{}</style><p style="color:red" onclick="x()">A
        <span style="font-weight:700">b</span> <a href="javascript:x()">c</a><a href="https://x.example/">d</a></p>
        <div>e<img src="https://evil.example/x.png" alt="f" onerror="x()"><script>x()</script></div>
        <ul><li><p>g</p><ul><li>h</li></ul></li></ul><svg><text>i</text></svg><form><button>j</button>k</form>\`);
      const paste = new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true });
      document.activeElement.dispatchEvent(paste);
    }`);
    assert.equal(
      await page.evaluate('text.value().html'),
      '<p>A <b>b</b> c<a href="https://x.example/">d</a></p><p>ef</p><ul><li>g<ul><li>h</li></ul></li></ul><p>k</p>',
    );
    assert.equal(await page.evaluate(`document.querySelectorAll('.editor [style], .editor [onclick]').length`), 0);
    await page.keyboard.press('Control+Z');
    assert.equal(await page.evaluate('text.value().text'), 'Hello both,');
  });
});

// The web client in a browser: what a member does, with a mouse and without.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { postedNumber } from '../support/gateway.ts';
import { checkPage, focused, go, logIn, logOut, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, open, openAs, otherHosts } = await startWebClient({ after, afterEach });

// run in the browser, whose types the rest of the code does not have
type Picture = { naturalWidth: number; decode(): Promise<void> };
const widthOf = (image: unknown) => (image as Picture).decode().then(() => (image as Picture).naturalWidth);

const multipart = (boundary: string, ...parts: string[]): string =>
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;

/** Puts a message into Town Square, and answers its number. */
async function post(type: string, body: string): Promise<number> {
  const headers = { 'content-type': type };
  return postedNumber(await gateway.as('bob')('r/Town%20Square/new', { method: 'PUT', headers, body }));
}

describe('a member', () => {
  it('logs in, reads, posts with an attachment and logs out', async () => {
    const page = await open();
    await page.goto(gateway.url);
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await logIn(page, 'alice');

    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Rooms' })
      .getByRole('link', { name: /^Town Square/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Town Square' }).waitFor();
    await page.getByRole('link', { name: /Sunrise over bed 3/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Sunrise over bed 3' }).waitFor();
    await textOf(page).getByText('This morning at six:').waitFor();
    const picture = textOf(page).getByRole('img', { name: 'Sunrise' });
    await picture.waitFor();
    assert.equal(await picture.evaluate(widthOf), 96);
    await eventually(() => page.title(), /^(\(\d+\) )?Sunrise over bed 3 – Town Square – /);

    await page.getByRole('link', { name: 'New topic', exact: true }).click();
    await page.getByLabel('Subject', { exact: true }).fill('Schlüssel & <b>locks</b>');
    await page.getByLabel('Message', { exact: true }).fill('First line\n000\nעוד שורה');
    const file = { name: 'plan <1>.txt', mimeType: 'text/plain', buffer: Buffer.from('bed 1, bed 2\n') };
    await page.getByLabel('Attach files').setInputFiles(file);
    await page.getByRole('button', { name: 'Remove plan <1>.txt' }).waitFor();
    await page.getByRole('button', { name: 'Post' }).click();

    await page.getByRole('heading', { level: 2, name: 'Schlüssel & <b>locks</b>' }).waitFor();
    await eventually(() => textOf(page).getByRole('paragraph').allInnerTexts(), ['First line', '000', 'עוד שורה']);
    const row = page.getByRole('link', { name: /Schlüssel.*Me/ });
    await eventually(() => row.getAttribute('aria-current'), 'true');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /^plan <1>\.txt/ }).click();
    assert.equal(await readFile(await (await download).path(), 'utf8'), 'bed 1, bed 2\n');

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: /Schlüssel/ }).waitFor({ state: 'detached' });

    await logOut(page);
    await page.getByLabel('User name').waitFor();
    await eventually(() => page.getByRole('navigation').count(), 0);
    await page.reload();
    await page.getByLabel('User name').waitFor();
  });

  it('writes mail, and the other answers it', async () => {
    const page = await openAs('alice', '#/r/Mail/new');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Add at least one recipient.').waitFor();
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('bob');
    await page.getByLabel('Subject', { exact: true }).fill('Ladder');
    await page.getByLabel('Message', { exact: true }).fill('May I borrow it?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Sending to bob').waitFor();
    await page.goto('about:blank');

    const other = await openAs('bob', '#/r/Mail');
    await other.getByRole('link', { name: /Unread: alice.*Ladder/ }).click();
    await other.getByRole('link', { name: 'Reply', exact: true }).click();
    await other.getByRole('button', { name: 'Remove alice' }).waitFor();
    await eventually(() => other.getByLabel('Subject', { exact: true }).inputValue(), 'Re: Ladder');
    await other.getByRole('textbox', { name: 'Message' }).locator('blockquote').getByText('May I borrow it?').waitFor();
    await other.getByRole('button', { name: 'Send' }).click();
    await other.getByText('Sending to alice').waitFor();
  });

  it('sees what has been read as read, also after a reload', async () => {
    const page = await openAs('bob', '#/r/Announcements');
    const unread = page.getByRole('list', { name: 'Announcements' }).getByRole('link', { name: /^Unread/ });
    await eventually(() => unread.count(), 2);
    const other = (await unread.first().getAttribute('href'))!;
    await unread.nth(1).click();
    await eventually(() => unread.count(), 1);
    await eventually(() => unread.first().getAttribute('href'), other);
    await go(page, '#/'); // opening the message once more would mark it once more
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.reload();
    await go(page, '#/r/Announcements');
    await eventually(() => unread.count(), 1);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Announcements', exact: true }).waitFor();
    await eventually(() => unread.count(), 0);
  });

  it('finds events and contacts as facts, and the address for other programs', async () => {
    const page = await openAs('alice', '#/r/Members/7');
    await page.getByText('bob@example.org').waitFor();
    assert.equal(await page.getByText('BEGIN:').count(), 0);
    await go(page, '#/r/Events');
    await page.getByText(`${gateway.url}svc/r/Events/`).waitFor();
  });

  it('loads pictures from elsewhere only when told to, and does not say from where', async (t) => {
    const asked: (string | undefined)[] = [];
    const site = createServer((request, response) => {
      asked.push(request.headers.referer);
      response
        .setHeader('Content-Type', 'image/svg+xml')
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="9"/>');
    }).listen(0, '127.0.0.1');
    t.after(() => site.close());
    await once(site, 'listening');
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/a.svg`;
    otherHosts.push(address);
    const number = await post('text/html', `<p style="color: #333">Look: <img src="${address}" alt="The sale"></p>`);

    const page = await openAs('alice', `#/r/Town%20Square/${number}`);
    await textOf(page).getByText('Look: The sale').waitFor();
    await checkPage(page);
    assert.equal(asked.length, 0);
    await page.getByRole('button', { name: 'Load pictures' }).click();
    // looked at from outside: a browser complains of the driver's own scripts in a frame that runs none
    const inFrame = (words: string) => `document.querySelector('iframe')?.contentDocument?.${words}`;
    const width = inFrame('querySelector(\'img[alt="The sale"]\')?.naturalWidth');
    await eventually(() => page.evaluate(width), 48);
    assert.deepEqual(asked, [undefined]);
    await eventually(() => page.getByRole('button', { name: 'Load pictures' }).count(), 0);
    await eventually(() => focused(page), '(no subject)');
    await eventually(() => page.evaluate(inFrame("querySelector('p').style.color")), 'rgb(51, 51, 51)');
    await page.evaluate(inFrame("body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))"));
    await page.getByRole('heading', { level: 2 }).waitFor({ state: 'hidden' });
  });

  it('opens a message that came with another one, with its files, and goes back', async () => {
    const file = 'Content-Type: text/csv\nContent-Disposition: attachment; filename=beds.csv\n\nbed,crop';
    const text = 'Content-Type: text/plain\n\nInside.';
    const inner =
      'From: Cleo <cleo@example.org>\nSubject: Beds\nContent-Type: multipart/mixed; boundary=i\n\n' +
      `${multipart('i', text, file)}`;
    const packed =
      'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n' +
      `${Buffer.from(inner).toString('base64')}`;
    const open = `Content-Type: message/rfc822\nContent-Disposition: attachment; filename=beds.eml\n\n${inner}`;
    const number = await post(
      'multipart/mixed; boundary=o',
      multipart('o', 'Content-Type: text/plain\n\nSee below.', open, packed),
    );

    const page = await openAs('alice', `#/r/Town%20Square/${number}`);
    await textOf(page).getByText('See below.').waitFor();
    await checkPage(page);
    assert.equal(await page.getByRole('link', { name: /beds\.csv/ }).count(), 0);
    for (const name of [/^Open beds/, /^Open Beds/]) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 2, name: 'Beds' }).waitFor();
      await textOf(page).getByText('Inside.').waitFor();
      await page.getByText('Cleo <cleo@example.org>').waitFor();
      await checkPage(page);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: /^beds\.csv/ }).click();
      assert.equal((await readFile(await (await download).path(), 'utf8')).trim(), 'bed,crop');
      await page.keyboard.press('Escape');
      await textOf(page).getByText('See below.').waitFor();
    }
  });

  it('shows the text of a message that is all that another one brings, and opens it with its files', async () => {
    const file = 'Content-Type: text/csv\nContent-Disposition: attachment; filename=beds.csv\n\nbed,crop';
    const parts = multipart('i', 'Content-Type: text/plain\n\nInside.', file);
    const inner = `From: Cleo <cleo@example.org>\nSubject: Beds\nContent-Type: multipart/mixed; boundary=i\n\n${parts}`;
    for (const whole of [inner, inner.replaceAll('\n', '\r\n')]) {
      const number = await post('message/rfc822', whole);
      const page = await openAs('alice', `#/r/Town%20Square/${number}`);
      await textOf(page).getByText('Inside.').waitFor();
      await page.getByRole('link', { name: /^Open message/ }).click();
      await page.getByRole('heading', { level: 2, name: 'Beds' }).waitFor();
      await page.getByRole('link', { name: /^beds\.csv/ }).waitFor();
    }
  });

  it('comes back to where the address says', async () => {
    const page = await openAs('alice', '#/r/Town%20Square/2');
    const title = page.getByRole('heading', { level: 2 });
    await title.getByText('Hello, neighbours', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Previous', exact: true }).click();
    await title.getByText('Grüße aus Köln').waitFor();
    await page.goBack();
    await title.getByText('Hello, neighbours', { exact: true }).waitFor();
    await page.reload();
    await title.getByText('Hello, neighbours', { exact: true }).waitFor();
  });
});

describe('without a mouse', () => {
  it('logs in, opens a room, moves along the list, reads, goes back and logs out', async () => {
    const page = await open();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto(gateway.url);
    await page.getByLabel('User name').waitFor();
    await page.keyboard.type('alice');
    await press('Tab');
    await page.keyboard.type('alice');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();

    await page.getByRole('searchbox').focus();
    await page.keyboard.type('town');
    await press('ArrowDown', 'Enter');
    const room = page.getByRole('heading', { level: 1, name: 'Town Square' });
    await room.waitFor();
    await page.getByRole('list', { name: 'Town Square' }).getByRole('link').first().waitFor();
    const isInList = () => page.evaluate<boolean>('document.activeElement.matches(".row-main")');
    for (let i = 0; i < 6 && !(await isInList()); i++) await press('Tab');
    await press('End');
    await eventually(() => focused(page), /Hello, neighbours/);
    await press('k', 'ArrowUp', 'j');
    await eventually(() => focused(page), /Grüße aus Köln/);
    await press('Enter');
    await page.getByRole('heading', { level: 2, name: /Grüße aus Köln/ }).waitFor();
    await press('j');
    await page.getByRole('heading', { level: 2, name: 'Hello, neighbours', exact: true }).waitFor();
    await textOf(page, 1).getByText('Number 7').waitFor();
    await textOf(page).getByText('Welcome to our new board.').click(); // the focus is in the frame now
    await press('Escape');
    await page.getByRole('heading', { level: 2 }).waitFor({ state: 'hidden' });
    await eventually(() => focused(page), /Hello, neighbours/);

    await press('Escape');
    await eventually(() => focused(page), /^Town Square/);
    await page.getByRole('button', { name: 'Account of alice' }).focus();
    await press('Enter', 'End', 'Enter');
    await page.getByLabel('User name').waitFor();
  });

  it('skips to the content', async () => {
    const page = await openAs('alice');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.keyboard.press('Tab');
    await eventually(() => focused(page), 'Skip to content');
    await page.keyboard.press('Enter');
    await eventually(() => focused(page), 'Inbox');
  });
});

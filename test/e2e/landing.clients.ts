// The web client in a browser: what a member does, with a mouse and without.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, describe, it } from 'node:test';
import { focused, go, logIn, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });

// run in the browser, whose types the rest of the code does not have
type Picture = { naturalWidth: number; decode(): Promise<void> };
const widthOf = (image: unknown) => (image as Picture).decode().then(() => (image as Picture).naturalWidth);
describe('a member', () => {
  it('logs in, reads, posts with an attachment and logs out', async () => {
    const page = await open();
    await page.goto(gateway.url);
    await page.getByRole('heading', { level: 1, name: 'Vestibule' }).waitFor();
    await logIn(page, 'alice');

    await page.getByRole('heading', { name: 'Welcome, alice' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Rooms' })
      .getByRole('link', { name: /^Town Square/ })
      .click();
    await page.getByRole('heading', { level: 2, name: 'Town Square' }).waitFor();
    await page.getByRole('link', { name: /Sunrise over bed 3/ }).click();
    await page.getByRole('heading', { level: 3, name: 'Sunrise over bed 3' }).waitFor();
    await textOf(page).getByText('This morning at six:').waitFor();
    const picture = textOf(page).getByRole('img', { name: 'Sunrise' });
    await picture.waitFor();
    assert.equal(await picture.evaluate(widthOf), 96);
    assert.match(await page.title(), /^Sunrise over bed 3 – Town Square – /);

    await page.getByRole('link', { name: 'New message', exact: true }).click();
    await page.getByLabel('Subject').fill('Schlüssel & <b>locks</b>');
    await page.getByLabel('Message', { exact: true }).fill('First line\n000\nעוד שורה');
    const file = { name: 'plan <1>.txt', mimeType: 'text/plain', buffer: Buffer.from('bed 1, bed 2\n') };
    await page.getByLabel('Attach files').setInputFiles(file);
    await page.getByRole('button', { name: 'Remove plan <1>.txt' }).waitFor();
    await page.getByRole('button', { name: 'Post' }).click();

    await page.getByRole('heading', { level: 3, name: 'Schlüssel & <b>locks</b>' }).waitFor();
    assert.equal(await textOf(page).innerText(), 'First line\n000\nעוד שורה');
    assert.equal(await page.getByRole('link', { name: /alice.*Schlüssel/ }).getAttribute('aria-current'), 'true');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /^plan <1>\.txt/ }).click();
    assert.equal(await readFile(await (await download).path(), 'utf8'), 'bed 1, bed 2\n');

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: /Schlüssel/ }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('User name').waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0);
    await page.reload();
    await page.getByLabel('User name').waitFor();
  });

  it('writes mail, and the other answers it', async () => {
    const page = await openAs('alice', '#/r/Mail/new');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('To whom?').waitFor();
    await page.getByLabel('To', { exact: true }).fill('bob');
    await page.getByLabel('Subject').fill('Ladder');
    await page.getByLabel('Message', { exact: true }).fill('May I borrow it?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your message to bob is on its way.').waitFor();

    const other = await openAs('bob', '#/r/Mail');
    await other.getByRole('link', { name: /Unread: alice.*Ladder/ }).click();
    await other.getByRole('link', { name: 'Reply' }).click();
    assert.equal(await other.getByLabel('To', { exact: true }).inputValue(), 'alice');
    assert.equal(await other.getByLabel('Subject').inputValue(), 'Re: Ladder');
    assert.match(await other.getByLabel('Message', { exact: true }).inputValue(), /^> May I borrow it\?$/m);
    await other.getByRole('button', { name: 'Send' }).click();
    await other.getByText('Your message to alice is on its way.').waitFor();
  });

  it('sees what has been read as read, also after a reload', async () => {
    const page = await openAs('bob', '#/r/Garden%20Diary');
    const unread = page.getByRole('list', { name: 'Garden Diary' }).getByRole('link', { name: /^Unread/ });
    await unread.first().waitFor();
    assert.equal(await unread.count(), 3);
    await unread.nth(1).click();
    await page.getByText('1 new').waitFor();
    await go(page, '#/'); // opening the message once more would mark it once more
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    await page.reload();
    await go(page, '#/r/Garden%20Diary');
    await page.getByText('1 new').waitFor();
    assert.equal(await unread.count(), 1);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Garden Diary Blog', exact: true }).waitFor();
    assert.equal(await unread.count(), 0);
  });

  it('finds events and contacts as facts, and the address for other programs', async () => {
    const page = await openAs('alice', '#/r/Members/7');
    await page.getByText('bob@example.org').waitFor();
    assert.equal(await page.getByText('BEGIN:').count(), 0);
    await go(page, '#/r/Events');
    await page.getByText(`${gateway.url}svc/r/Events/`).waitFor();
  });

  it('comes back to where the address says', async () => {
    const page = await openAs('alice', '#/r/Town%20Square/2');
    const title = page.getByRole('heading', { level: 3 });
    await title.getByText('Hello, neighbours', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await title.getByText('Re: Hello, neighbours').waitFor();
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
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();

    await page.getByRole('searchbox').focus();
    await page.keyboard.type('town');
    await press('Enter');
    const room = page.getByRole('heading', { level: 2, name: 'Town Square' });
    await room.waitFor();
    const isInList = () => page.evaluate<boolean>('document.activeElement.matches(".messages a")');
    for (let i = 0; i < 4 && !(await isInList()); i++) await press('Tab');
    await press('Home');
    assert.match(await focused(page), /Hello, neighbours$/);
    await press('j', 'ArrowDown', 'k');
    assert.match(await focused(page), /^(Unread: )?bob.*Re: Hello, neighbours$/);
    await press('Enter');
    await page.getByRole('heading', { level: 3, name: 'Re: Hello, neighbours' }).waitFor();
    await textOf(page).getByText('Number 7').waitFor();
    await press('k');
    await page.getByRole('heading', { level: 3, name: 'Hello, neighbours', exact: true }).waitFor();
    await textOf(page).getByText('Welcome to our new board.').click(); // the focus is in the frame now
    await press('Escape');
    await page.getByRole('heading', { level: 3 }).waitFor({ state: 'hidden' });
    assert.match(await focused(page), /Hello, neighbours$/);

    await press('Escape');
    assert.match(await focused(page), /^Town Square/);
    await page.getByRole('button', { name: 'Log out' }).focus();
    await press('Enter');
    await page.getByLabel('User name').waitFor();
  });

  it('skips to the content', async () => {
    const page = await openAs('alice');
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Welcome, alice');
  });
});

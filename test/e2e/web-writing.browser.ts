// Writing, searching and settings in the web client, as somebody does them: people as chips, drafts that other devices
// go on with, time to call a mail back, files, the search that stays beside what is open.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { go, NARROW, startWebClient, textOf } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const to = (page: Page) => page.getByRole('combobox', { name: 'To', exact: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface Row {
  msgnum: number;
  subject: string;
}

const rowsOf = async (user: string, room: string, subject: string): Promise<Row[]> => {
  const answer = await gateway.as(user)(`r/${room}/mailbox`);
  const { msgs } = (await answer.json()) as { msgs: Row[] };
  return msgs.filter((row) => row.subject === subject);
};
const countOf = async (user: string, room: string, subject: string) => (await rowsOf(user, room, subject)).length;

async function write(page: Page, subject: string, words: string): Promise<void> {
  await to(page).fill('bob');
  await page.keyboard.press('Enter');
  await button(page, 'Remove bob').waitFor();
  await page.getByLabel('Subject', { exact: true }).fill(subject);
  await text(page).click();
  await page.keyboard.type(words);
}

describe('a mail', () => {
  it('names who is not known and what is broken before it is sent', async () => {
    const page = await openAs('alice', '#/r/Mail/new');
    await to(page).pressSequentially('bob, "Bob');
    await page.keyboard.press('Enter');
    await page.getByText('neither a name nor an address').first().waitFor();
    await page.keyboard.type('harold,');
    await page.getByText('Nobody here is called “harold”.').first().waitFor();
    await page.getByLabel('Subject', { exact: true }).fill('Nobody');
    await text(page).fill('Text');
    await button(page, 'Send').click();
    await page.getByRole('alert').getByText('neither a name').waitFor();
    assert.equal(await countOf('alice', '_SENT_', 'Nobody'), 0);
  });

  for (const [screen, viewport] of [
    ['a desk', undefined],
    ['a phone', NARROW],
  ] as const) {
    it(`is called back on ${screen}, and goes as text and HTML when the page is left`, async () => {
      const subject = `Called back on ${screen}`;
      const page = await openAs('alice', '#/r/Mail/new', viewport && { viewport });
      await write(page, subject, 'A **bold** word');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Sending to bob').waitFor();
      await button(page, 'Undo').click();
      await text(page).locator('b').getByText('bold').waitFor();
      assert.deepEqual(
        [await countOf('alice', '_SENT_', subject), await countOf('alice', '_DRAFTS_', subject)],
        [0, 1],
      );
      await button(page, 'Send').first().click();
      await page.getByText('Sending to bob').waitFor();
      await page.goto('about:blank');
      await eventually(() => countOf('bob', '_MAIL_', subject), 1);
      // it goes when the mail is there already
      await eventually(() => countOf('alice', '_DRAFTS_', subject), 0);
      const [sent] = await rowsOf('alice', '_SENT_', subject);
      const source = await (await gateway.as('alice')(`r/_SENT_/${sent!.msgnum}?format=rfc822`)).text();
      assert.match(source, /multipart\/alternative/);
      assert.match(source, /A bold word/);
      assert.match(source, /A <b>bold<\/b> word/);
    });
  }

  it('is kept among the drafts while it is written, and another device goes on with it', async () => {
    const subject = 'From the train';
    const page = await openAs('alice', '#/r/Mail/new');
    await write(page, subject, 'First');
    await page.getByText(/^Draft saved/).waitFor();
    await page.keyboard.type(' and second');
    await eventually(() => countOf('alice', '_DRAFTS_', subject), 1);
    await go(page, '#/r/Lobby');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    const other = await openAs('alice', '#/r/Drafts');
    await other.getByRole('link', { name: new RegExp(subject) }).click();
    await eventually(() => text(other).textContent(), 'First and second');
    await button(other, 'Remove bob').waitFor();
    assert.equal(await countOf('alice', '_DRAFTS_', subject), 1, 'one draft, replaced');
    await other.getByRole('button', { name: 'Discard' }).click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await eventually(() => countOf('alice', '_DRAFTS_', subject), 0);
  });

  it('takes files that are chosen and pictures within its text', async () => {
    const subject = 'With a picture';
    const page = await openAs('alice', '#/r/Mail/new');
    await write(page, subject, 'Look: ');
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    await page
      .locator('.rich-editor input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
    await page.locator('#files').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await button(page, 'Remove a.txt').waitFor();
    await button(page, 'Send').click();
    await page.getByText('Sending to bob').waitFor();
    await page.goto('about:blank');
    await eventually(() => countOf('bob', '_MAIL_', subject), 1);
    const [mail] = await rowsOf('bob', '_MAIL_', subject);
    const other = await openAs('bob', `#/r/Mail/${mail!.msgnum}`);
    await other.getByRole('link', { name: /^a\.txt/ }).waitFor();
    const shown = (await textOf(other).locator('img').getAttribute('src'))!;
    const picture = await gateway.as('bob')(shown.replace(/^.*\/svc\//, ''));
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
  });

  it('quotes what is selected, and is answered from Sent to whom it went', async () => {
    const put = await gateway.as('alice')('r/_MAIL_/new?subj=Quoted&mailto=bob', {
      method: 'PUT',
      body: 'One two three',
    });
    assert.equal(put.status, 201);
    const [sent] = await rowsOf('alice', '_SENT_', 'Quoted');
    const page = await openAs('alice', `#/r/Sent%20Items/${sent!.msgnum}`);
    await textOf(page)
      .getByText('One two three')
      .dblclick({ position: { x: 4, y: 8 } });
    await page.getByRole('link', { name: 'Reply', exact: true }).click();
    await button(page, 'Remove bob').waitFor();
    await eventually(() => text(page).locator('blockquote').textContent(), 'One');
  });
});

describe('a search', () => {
  it('shows where the words stand, how many there are, and the one that is open beside them', async () => {
    const put = (n: number) =>
      gateway.as('bob')(`r/Lobby/new?subj=Quince%20${n}`, { method: 'PUT', body: `Jelly of quinces ${n}` });
    for (let n = 1; n <= 35; n++) assert.equal((await put(n)).status, 201);
    const page = await openAs('alice');
    await page.getByRole('searchbox').fill('quin');
    await page.keyboard.press('Enter');
    await page.getByText('35 messages').waitFor();
    const hits = page.locator('.hit');
    assert.equal(await hits.count(), 30);
    await eventually(() => hits.first().locator('p mark').textContent(), 'quinces');
    await button(page, 'Show 5 more').click();
    await eventually(() => hits.count(), 35);
    await page.getByRole('link', { name: 'Quince 33' }).click();
    await textOf(page).getByText('Jelly of quinces 33').waitFor();
    assert.equal(await hits.count(), 35);
    await page.getByLabel('From').fill('alice');
    await page.getByText('No results.').waitFor();
  });
});

describe('settings', () => {
  it('keep a signature on the server, which stands below what is written', async () => {
    const page = await openAs('bob', '#/settings/writing');
    await page.getByLabel('Signature').fill('Bob & Sons');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const other = await openAs('bob', '#/r/Mail/new');
    await text(other).getByText('Bob & Sons').waitFor();
  });

  it('hold the look of the page over a reload', async () => {
    const page = await openAs('alice', '#/settings/look');
    await page.getByLabel('Colours').selectOption('Dark');
    await page.getByLabel('Density').selectOption('Compact');
    await page.reload();
    await page.getByLabel('Density').waitFor();
    const chosen = (await page.evaluate('({ ...document.documentElement.dataset })')) as Record<string, string>;
    assert.deepEqual([chosen.theme, chosen.density], ['dark', 'compact']);
  });

  it('are the language of days and times, too, whatever that of the browser is', async () => {
    const page = await openAs('alice', '#/', { locale: 'ar' });
    await page.getByRole('heading', { name: 'Today', level: 2 }).waitFor();
    await go(page, '#/settings/look');
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByLabel('Sprache').waitFor();
    await go(page, '#/');
    await page.getByRole('heading', { name: 'Heute', level: 2 }).waitFor();
  });
});

// Mail in the web client, as somebody goes through it: rows dragged to rooms and pushed aside by a finger, spam, lists
// that are left, who has written, files at a glance, paper.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { postedNumber } from '../support/gateway.ts';
import { checkPage, go, hear, NARROW, startWebClient, textOf } from '../support/web-client.ts';
import { WireClient } from '../support/wire-client.ts';

const { gateway, openAs } = await startWebClient(
  { after, afterEach },
  { words: ['--line-listen', 'tcp://127.0.0.1:0'] },
);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const put = (user: string, path: string, body: string, type = 'text/plain; charset=utf-8') =>
  gateway.as(user)(path, { method: 'PUT', headers: { 'content-type': type }, body });
const mail = async (from: string, to: string, subject: string, body = `About ${subject}`, type?: string) => {
  const path = `r/_MAIL_/new?mailto=${to}&subj=${encodeURIComponent(subject)}`;
  return postedNumber(await put(from, path, body, type));
};
const subjects = async (user: string, room: string) => {
  const { msgs } = (await (await gateway.as(user)(`r/${room}/mailbox`)).json()) as { msgs: { subject: string }[] };
  return msgs.map(({ subject }) => subject);
};
const row = (page: Page, subject: string) => page.locator('.virtual').getByRole('link', { name: new RegExp(subject) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor();

const placeOf = async (page: Page, subject: string) => {
  const { x, y, width, height } = (await row(page, subject).boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

/** As a mailing list writes. */
async function listMail(to: string, subject: string, unsubscribe: string, more = ''): Promise<void> {
  const { hostname: host, port } = new URL(gateway.lineUrl!);
  const wire = await WireClient.login({ host, port: Number(port) }, 'alice', 'alice');
  await wire.expect('GOTO _MAIL_', 200);
  const text = `List-Unsubscribe: ${unsubscribe}\n${more}Content-type: text/plain\n\nNews`;
  await wire.send(`ENT0 1|${to}||4|${subject}`, text);
  await wire.expect('NOOP', 200);
  wire.close();
}

describe('rows of mail', () => {
  it('are dragged to a room, all that are selected, and come back', async () => {
    for (const subject of ['Oak', 'Pine']) await mail('bob', 'alice', subject);
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Pine').focus();
    await page.keyboard.press('x');
    await page.getByRole('checkbox', { name: /Oak$/ }).click();
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    await row(page, 'Oak').dragTo(rooms.getByRole('link', { name: /^Events/ }));
    assert.equal(await row(page, 'Oak').count(), 1, 'a calendar takes no mail');
    await row(page, 'Oak').dragTo(rooms.getByRole('link', { name: /^Town Square/ }));
    await said(page, '2 messages moved to Town Square');
    await button(page, 'Undo').click();
    await row(page, 'Oak').waitFor();
    await row(page, 'Pine').dragTo(rooms.getByRole('link', { name: /^Trash$/ }));
    await row(page, 'Pine').waitFor({ state: 'detached' });
    await go(page, '#/r/Trash');
    await row(page, 'Pine').waitFor();
    assert.ok(!(await subjects('alice', 'Trash')).includes('Oak'), 'what is not selected goes alone');
  });

  it('are moved by keys alone, to a room of which a part of its name is typed', async () => {
    const body = JSON.stringify({ name: 'Oak shelf', kind: 'personal', view: 1 });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await gateway.as('alice')('r/', { method: 'POST', headers, body })).status, 201);
    await mail('bob', 'alice', 'Maple');
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Maple').focus();
    await page.keyboard.press('v');
    await page.getByRole('combobox', { name: 'Move to which room?' }).waitFor();
    await checkPage(page);
    await page.keyboard.type('shel');
    await page.keyboard.press('Enter');
    await said(page, 'Moved to Oak shelf');
    await row(page, 'Maple').waitFor({ state: 'detached' });
    await page.reload();
    await eventually(() => subjects('alice', 'Oak%20shelf'), ['Maple']);
    assert.ok(!(await subjects('alice', 'Mail')).includes('Maple'));
  });

  it('are pushed aside by a finger: to the trash one way, the other mark the other way', async () => {
    await mail('bob', 'alice', 'Willow');
    const page = await openAs('alice', '#/r/Mail', { viewport: NARROW, hasTouch: true });
    await row(page, 'Willow').waitFor();
    const cdp = await page.context().newCDPSession(page);
    const push = async (across: number, hint?: string) => {
      const { x, y } = await placeOf(page, 'Willow');
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
      await touch('touchStart', x);
      for (let step = 1; step <= 6; step++) await touch('touchMove', x + (across * step) / 6);
      if (hint !== undefined) await page.locator('.swipe-hint').getByText(hint).waitFor();
      await touch('touchEnd');
      await eventually(() => page.locator('.swipe-hint').count(), 0);
    };
    await push(40, 'Mark as read');
    await eventually(() => row(page, 'Willow').textContent(), /^Unread/, 'a little push does nothing');
    await push(170, 'Mark as read');
    await eventually(() => row(page, 'Willow').textContent(), /^bob/);
    await push(170, 'Mark as unread');
    await eventually(() => row(page, 'Willow').textContent(), /^Unread/);
    await push(-170, 'Delete');
    await said(page, 'Message deleted');
    await button(page, 'Undo').click();
    await row(page, 'Willow').waitFor();
    assert.equal(await page.evaluate('location.hash'), '#/r/Mail', 'a push opens nothing');
  });

  it('are selected on a phone with a bar that fits, and all actions in reach', async () => {
    await mail('bob', 'alice', 'Yew');
    const page = await openAs('alice', '#/r/Mail', { viewport: { width: 320, height: 640 }, hasTouch: true });
    await row(page, 'Yew').waitFor();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await placeOf(page, 'Yew')] });
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await checkPage(page);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Spam' }).click();
    await said(page, 'Moved to Trash as spam');
    await button(page, 'Undo').click();
    await row(page, 'Yew').click();
    await textOf(page).getByText('About Yew').waitFor();
    await checkPage(page);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await said(page, 'Archived');
    await button(page, 'Undo').click();
  });

  it('that are spam go to the trash by a key, and come back', async () => {
    for (const subject of ['Pills', 'Watches']) await mail('bob', 'alice', subject);
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Pills').focus();
    await page.keyboard.press('x');
    assert.ok(await page.getByRole('checkbox', { name: /Pills$/ }).isChecked(), 'the row that has the focus');
    await page.getByRole('checkbox', { name: /Watches$/ }).click({ modifiers: ['Shift'] });
    await page.keyboard.press('!');
    await said(page, '2 messages moved to Trash as spam');
    await button(page, 'Undo').click();
    await row(page, 'Pills').click();
    await page.getByRole('button', { name: /^Spam/ }).click();
    await said(page, 'Moved to Trash as spam');
    await go(page, '#/r/Trash');
    await row(page, 'Pills').click();
    await textOf(page).getByText('About Pills').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Spam/ }).count(), 0, 'not from the trash');
  });

  it('keep their order for each room, and whether they are conversations', async () => {
    const first = await mail('bob', 'alice', 'Hedge');
    const { msgn } = (await (await gateway.as('alice')(`r/Mail/${first}/json`)).json()) as { msgn: string };
    await put('bob', `r/_MAIL_/new?mailto=alice&subj=Re:%20Hedge&wefw=${msgn}`, 'And again');
    const page = await openAs('alice', '#/r/Mail');
    await eventually(() => row(page, 'Hedge').count(), 1);
    const choose = async (name: string) => {
      await button(page, 'Sort').click();
      await page.getByRole('menuitemcheckbox', { name }).click();
    };
    await choose('Group by conversation');
    await eventually(() => row(page, 'Hedge').count(), 2);
    await choose('Oldest first');
    const last = page.getByRole('list', { name: 'Mail' }).getByRole('listitem').last();
    await eventually(() => last.textContent(), /Re: Hedge/);
    await page.reload();
    await eventually(() => last.textContent(), /Re: Hedge/);
    await go(page, '#/r/Lobby');
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    await button(page, 'More').click();
    const newest = page.getByRole('menuitemcheckbox', { name: 'Newest first' });
    assert.equal(await newest.getAttribute('aria-checked'), 'true', 'another room has its own');
  });
});

describe('a message', () => {
  it('of a mailing list leads out of it: by a mail after a question, or by a page', async () => {
    await listMail('bob', 'Weekly', '<mailto:alice?subject=off>, <https://list.example/off>');
    await listMail('bob', 'Offers', '<https://shop.example/off?u=1>, <mailto:alice>');
    const page = await openAs('bob', '#/r/Mail');
    await row(page, 'Weekly').click();
    await button(page, 'Unsubscribe').click();
    await page.getByRole('dialog').getByText('Sends a request to alice').waitFor();
    await checkPage(page);
    assert.ok(!(await subjects('alice', 'Mail')).includes('off'), 'nothing goes before it is confirmed');
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click();
    await said(page, 'Request sent to alice');
    await eventually(async () => (await subjects('alice', 'Mail')).includes('off'), true);
    await row(page, 'Offers').click();
    const link = page.getByRole('link', { name: 'Unsubscribe' });
    assert.deepEqual(await Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name))), [
      'https://shop.example/off?u=1',
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('is answered where it asks for, or to its mailing list', async () => {
    const more = 'Reply-To: desk@x.example\nList-Post: <mailto:all@list.example>\n';
    await listMail('bob', 'Linden', '<https://list.example/off>', more);
    const page = await openAs('bob', '#/r/Mail');
    await row(page, 'Linden').click();
    await page.keyboard.press('r');
    await button(page, 'Remove desk@x.example').waitFor();
    assert.equal(await button(page, 'Remove alice').count(), 0);
    await go(page, '#/r/Mail');
    await row(page, 'Linden').click();
    await button(page, 'More actions for this message').click();
    await page.getByRole('menuitem', { name: 'Reply to the list' }).click();
    await button(page, 'Remove all@list.example').waitFor();
  });

  it('has a card of who has written, who is kept, written to, and looked for', async () => {
    await mail('bob', 'alice', 'Poplar');
    const page = await openAs('alice', '#/r/Mail');
    const card = page.getByRole('dialog', { name: 'About bob' });
    const open = async () => {
      await row(page, 'Poplar').click();
      await page.getByRole('heading', { level: 3 }).getByRole('button', { name: 'bob' }).click();
      await card.getByText(/^bob@/).waitFor();
    };
    await open();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await open();
    await card.getByRole('link', { name: 'Add to contacts' }).click();
    await eventually(() => page.getByLabel('Email address').first().inputValue(), /^bob@/);
    await go(page, '#/r/Mail');
    await open();
    await card.getByRole('link', { name: 'Send mail' }).click();
    await button(page, 'Remove bob').waitFor();
    await go(page, '#/r/Mail');
    await open();
    await card.getByRole('link', { name: 'All messages from this person' }).click();
    await page.getByRole('heading', { level: 1, name: 'Messages from bob' }).waitFor();
    await page.getByRole('link', { name: 'Poplar' }).waitFor();
    const authors = await page.locator('.hit bdi:first-child').allTextContents();
    assert.ok(authors.length > 1 && !authors.includes('alice'));
  });

  it('writes to the addresses in it, with what they say', async () => {
    const link =
      '<p><a href="mailto:bob?subject=Beds%20and%20paths&body=Dear%20Bob&cc=carol@x.example&bcc=dan@x.example">Bob</a></p>';
    await mail('bob', 'alice', 'Juniper', link, 'text/html');
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Juniper').click();
    await textOf(page).getByRole('link', { name: 'Bob' }).click();
    for (const name of ['bob', 'carol@x.example', 'dan@x.example']) await button(page, `Remove ${name}`).waitFor();
    await eventually(() => page.getByLabel('Subject', { exact: true }).inputValue(), 'Beds and paths');
    await page.getByRole('textbox', { name: 'Message', exact: true }).getByText('Dear Bob').waitFor();
  });

  it('shows pictures at a glance, opens a PDF, and tells true sizes', async () => {
    const part = (type: string, name: string, base64: string) =>
      `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${base64.replaceAll(/.{76}/g, '$&\r\n')}\r\n`;
    const body =
      '--b\r\nContent-Type: text/plain\r\n\r\nFiles\r\n' +
      part('image/png', 'dot.png', PNG) +
      part('application/pdf', 'plan.pdf', Buffer.from('%PDF-1.4\n%%EOF').toString('base64')) +
      `${part('application/octet-stream', 'data.bin', Buffer.alloc(30_000, 1).toString('base64'))}--b--\r\n`;
    await mail('bob', 'alice', 'Larch', body, 'multipart/mixed; boundary=b');
    const page = await openAs('alice', '#/r/Mail');
    await row(page, 'Larch').click();
    const files = page.getByRole('list', { name: 'Attachments' });
    await files
      .getByRole('link', { name: /^data\.bin/ })
      .getByText('30 kB')
      .waitFor();
    await eventually(() => page.evaluate("document.querySelector('.thumbnail img').naturalWidth"), 1);
    await checkPage(page);
    const tab = page.context().waitForEvent('page');
    await files.getByRole('link', { name: /^plan\.pdf/ }).click();
    await eventually(async () => (await tab).url(), /^blob:/);
  });

  it('is shown whole on paper, with who, to whom and when; and as its source', async () => {
    await mail('bob', 'alice', 'Rowan', 'To the end');
    const page = await openAs('alice', '#/r/Mail', { colorScheme: 'dark' });
    await row(page, 'Rowan').click();
    await textOf(page).getByText('To the end').waitFor();
    await button(page, 'More actions for this message').click();
    await page.getByRole('menuitem', { name: 'Print' }).click();
    const paper = page.frameLocator('.print-frame');
    await paper.getByRole('heading', { name: 'Rowan' }).waitFor({ state: 'attached' });
    await paper.getByText('To the end').waitFor({ state: 'attached' });
    await eventually(() => paper.locator('dl').textContent(), /^Frombob.*Toalice.*Date.*\d{4}/);
    assert.equal(await page.locator('.print-frame').getAttribute('sandbox'), 'allow-same-origin allow-modals');
    await button(page, 'More actions for this message').click();
    await page.getByRole('menuitem', { name: 'Message source' }).click();
    const source = page.getByRole('dialog', { name: 'Message source' });
    await eventually(() => source.locator('pre').textContent(), /^Subject: Rowan$[\s\S]*^To the end/m);
    await checkPage(page);
  });

  it('of one’s own is no news', async () => {
    const page = await openAs('alice', '#/r/Town%20Square/new');
    const told = await hear(page);
    await page.getByLabel('Subject', { exact: true }).fill('Mine');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Text');
    await button(page, 'Post').click();
    await said(page, 'Message posted.');
    await row(page, 'Mine').waitFor();
    // what others write afterwards is told, so that what came before it was heard as well
    assert.equal((await put('bob', 'r/Town%20Square/new?subj=Theirs', 'x')).status, 201);
    await said(page, 'One new message.');
    assert.deepEqual(await told(), ['Message posted.', 'One new message.']);
  });
});

// Files and pictures of a message that is written in the web client: chosen, pasted, dropped, stopped, tried again, and
// told at once where they are too large.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { postedNumber } from '../support/gateway.ts';
import { startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

interface Part {
  content_type: string;
  filename: string;
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const files = (page: Page) => page.getByRole('list', { name: 'Attachments' });
const choose = (page: Page, name: string, bytes = 3) =>
  page.locator('#files').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a') });

/** What a browser makes of files that somebody pastes into the text or drops on it. */
async function bring(page: Page, how: 'paste' | 'drop', name: string, type: string, over = '.editor'): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob('${PNG}'), (char) => char.charCodeAt(0));
    data.items.add(new File([bytes], '${name}', { type: '${type}' }));
    const target = document.querySelector('.compose ${over}');
    const common = { bubbles: true, cancelable: true };
    if ('${how}' === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }));
    else {
      const { left, top } = target.getBoundingClientRect();
      const at = { ...common, dataTransfer: data, clientX: left + 20, clientY: top + 20 };
      for (const kind of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, at));
    }
  }`);
}

async function openForm(mostBytes?: number): Promise<Page> {
  const page = await openAs('alice', 'about:blank');
  if (mostBytes !== undefined) {
    await page.route('**/a/start', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), max_message_bytes: mostBytes } });
    });
  }
  await page.goto(`${gateway.url}svc/a/landing.html#/r/Mail/new`);
  await page.reload();
  await text(page).waitFor();
  return page;
}

describe('what is brought along', () => {
  it('is a picture of the text where it is one, and a file where it is not, pasted or dropped', async () => {
    const page = await openForm();
    await text(page).fill('Look');
    for (const how of ['paste', 'drop'] as const) {
      await bring(page, how, `${how}.png`, 'image/png');
      await text(page)
        .getByRole('img', { name: `${how}.png` })
        .waitFor();
      await bring(page, how, `${how}.txt`, 'text/plain');
      await files(page).getByText(`${how}.txt`).waitFor();
    }
    await bring(page, 'drop', 'beside.png', 'image/png', '.pane-head');
    await files(page).getByText('beside.png').waitFor();
    assert.equal(await page.locator('.compose[data-over]').count(), 0, 'nothing waits to be dropped');
    assert.equal(await text(page).getByRole('img').count(), 2);
  });

  it('is stopped while it is on its way, and tried again when it did not arrive', async () => {
    const page = await openForm();
    let isBroken = true;
    const held = Promise.withResolvers<void>();
    await page.route('**/svc/p', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      if (route.request().postData()?.includes('slow.txt')) {
        await held.promise;
        return route.abort().catch(() => {});
      }
      if (!isBroken) return route.continue();
      isBroken = false;
      return route.abort();
    });
    await choose(page, 'slow.txt');
    await files(page).getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor();
    await button(page, 'Stop uploading slow.txt').click();
    held.resolve();
    await eventually(() => files(page).count(), 0);

    await choose(page, 'again.txt');
    await files(page).getByText('Could not attach again.txt.').waitFor();
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('bob');
    await page.keyboard.press('Enter');
    await text(page).fill('With it');
    await button(page, 'Send').click();
    await page.getByRole('alert').getByText('Some files could not be attached.').waitFor();
    await button(page, 'Retry again.txt').click();
    await button(page, 'Remove again.txt').waitFor();
    await page.getByText('3 bytes').waitFor();
    await button(page, 'Send').click();
    await page.getByText('Sending to bob').waitFor();
  });

  it('is measured before it is sent, alone and together', async () => {
    const page = await openForm(137_000);
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
    await choose(page, 'huge.txt', 100_001);
    await files(page).getByText('Larger than the limit of 100 kB').waitFor();
    await button(page, 'Remove huge.txt').click();
    await choose(page, 'half.txt', 60_000);
    await button(page, 'Remove half.txt').waitFor();
    await choose(page, 'other.txt', 60_000);
    await files(page).getByText('Together larger than the limit of 100 kB').waitFor();
    assert.equal(asked.filter((url) => url.endsWith('/svc/p')).length, 1, 'only what fits goes');
    await button(page, 'Remove half.txt').click();
    await button(page, 'Remove other.txt').click();
    await choose(page, 'other.txt', 60_000);
    await eventually(() => files(page).textContent(), /other\.txt60 kB/);
  });

  it('goes with a draft that another program has written, inline or without a name', async () => {
    const part = (head: string, body: string) => `--b\n${head}\n\n${body}\n`;
    const body = [
      part('Content-Type: text/html', '<p>The plan <img src="cid:a@b"></p>'),
      part('Content-Type: application/pdf\nContent-Disposition: inline; filename="plan.pdf"', '%PDF'),
      part('Content-Type: text/calendar', 'BEGIN:VCALENDAR\nEND:VCALENDAR'),
      part('Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <a@b>', PNG),
    ];
    const headers = { 'content-type': 'multipart/mixed; boundary=b' };
    const alice = gateway.as('alice');
    const put = { method: 'PUT', headers, body: `${body.join('')}--b--\n` };
    const draft = postedNumber(await alice('r/_DRAFTS_/new?subj=Inline&mailto=bob', put));
    const page = await openAs('alice', `#/r/Drafts/${draft}/edit`);
    await button(page, 'Remove plan.pdf').waitFor();
    await button(page, 'Remove invitation.ics').waitFor();
    await text(page).locator('img').waitFor({ state: 'attached' });
    await button(page, 'Send').click();
    await page.getByText('Sent to bob').waitFor();
    const { msgs } = (await (await alice('r/_SENT_/mailbox')).json()) as { msgs: { msgnum: number }[] };
    const sent = (await (await alice(`r/_SENT_/${msgs.at(-1)!.msgnum}/json`)).json()) as { parts: Part[] };
    const types = sent.parts.map(({ content_type, filename }) => `${content_type} ${filename}`.trim());
    for (const wanted of ['application/pdf plan.pdf', 'text/calendar invitation.ics', 'image/png picture']) {
      assert.ok(types.includes(wanted), `${wanted} in ${types}`);
    }
    const drafts = (await (await alice('r/_DRAFTS_/msgs.all')).json()) as number[];
    assert.ok(!drafts.includes(draft));
  });

  it('has its own size where it is read, not that of what travels', async () => {
    const page = await openForm();
    const buffer = Buffer.alloc(300_000, '\0\xff\r\n', 'latin1');
    await page.locator('#files').setInputFiles({ name: 'large.bin', mimeType: 'application/x-any', buffer });
    await button(page, 'Remove large.bin').waitFor();
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('bob');
    await page.keyboard.press('Enter');
    await page.getByLabel('Subject', { exact: true }).fill('A large one');
    await text(page).fill('With it');
    await button(page, 'Send').click();
    await page.getByText('Sending to bob').waitFor();
    const reader = await openAs('bob', '#/r/Mail');
    await reader.getByRole('link', { name: /A large one/ }).click();
    await reader.getByRole('link', { name: /^large\.bin\s+300 kB$/ }).waitFor();
  });
});

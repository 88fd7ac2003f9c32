// A newsletter that goes on to somebody else: what is written above it leaves it as it was, in a draft, too.

import assert from 'node:assert/strict';
import { after, afterEach, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, startWebClient } from '../support/web-client.ts';
import { WireClient } from '../support/wire-client.ts';

const { gateway, openAs } = await startWebClient(
  { after, afterEach },
  { words: ['--line-listen', 'tcp://127.0.0.1:0'] },
);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const NEWSLETTER = `<html><body bgcolor="#eef2f7" style="margin:0;color:#222233">
<table width="100%" cellpadding="0" cellspacing="0" bgcolor="#eef2f7"><tr><td align="center">
<table id="sheet" width="600" cellpadding="12" cellspacing="0" border="0" bgcolor="#ffffff">
<tr><td colspan="3" bgcolor="#103050" align="center" height="64"><font color="#ffd700" size="5" face="Georgia">Garden News</font></td></tr>
<tr><td rowspan="2" width="160" valign="top"><img src="cid:logo@news" width="120" height="48" alt="Logo"></td>
<td colspan="2" style="background-color:#fff4e0;font-size:18px;padding:20px">Tulips are <b>in</b></td></tr>
<tr><td width="200" valign="bottom" bgcolor="#e0ffe0">Left</td><td align="right" style="color:#aa0000">Right</td></tr>
<tr><td colspan="3"><img src="https://pictures.example/tulip.png" width="300" height="120" alt="A tulip">
<a href="https://garden.example/order" style="display:inline-block;background:#0a7d32;color:#ffffff;padding:10px 24px;border-radius:4px">Order</a></td></tr>
</table></td></tr></table></body></html>`;
const PARTS = [
  'Content-type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: text/html; charset=utf-8',
  '',
  NEWSLETTER,
  '--r',
  'Content-Type: image/png; name="logo.png"',
  'Content-ID: <logo@news>',
  'Content-Transfer-Encoding: base64',
  '',
  PNG,
  '--r--',
  '--m',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="prices.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjQK',
  '--m--',
];

/** As a server that receives mail writes it. */
async function receive(to: string, cc: string, subject: string, lines: readonly string[]): Promise<number> {
  const { hostname: host, port } = new URL(gateway.lineUrl!);
  const wire = await WireClient.login({ host, port: Number(port) }, 'admin', 'secret');
  await wire.expect('GOTO _MAIL_', 200);
  await wire.send(`ENT0 1|${to}||4|${subject}|||${cc}`, lines.join('\n'));
  await wire.expect('NOOP', 200);
  wire.close();
  return latest('alice', '_MAIL_');
}

async function latest(user: string, room: string): Promise<number> {
  const { msgs } = (await (await gateway.as(user)(`r/${room}/mailbox`)).json()) as { msgs: { msgnum: number }[] };
  return msgs.at(-1)?.msgnum ?? 0;
}

/** What a reader sees of the newsletter: each element with its place in it, and what is computed for it. */
const LOOK = `(() => {
  const page = document.querySelector('iframe.message-frame').contentDocument;
  const sheet = page.getElementById('m-sheet');
  // a narrow place makes it smaller as a whole
  const { zoom } = page.body.style;
  page.body.style.zoom = '1';
  const origin = sheet.getBoundingClientRect();
  const look = [sheet, ...sheet.querySelectorAll('*')].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const style = page.defaultView.getComputedStyle(node);
    return [
      node.tagName, node.colSpan ?? '', node.rowSpan ?? '',
      ...[x - origin.x, y - origin.y, width, height].map((each) => Math.round(each)),
      style.color, style.backgroundColor, style.fontSize, style.fontFamily, style.textAlign, style.verticalAlign, style.padding,
      node.tagName === 'IMG' ? node.naturalWidth : '',
    ].join(' ');
  });
  page.body.style.zoom = zoom;
  return look;
})()`;
const lookOf = async (page: Page) => {
  await eventually(
    () =>
      page.evaluate(
        `document.querySelector('iframe.message-frame')?.contentDocument?.getElementById('m-sheet') !== null`,
      ),
    true,
  );
  await eventually(
    () =>
      page.evaluate(
        `document.querySelector('iframe.message-frame').contentDocument.querySelector('img')?.naturalWidth`,
      ),
    1,
  );
  return (await page.evaluate(LOOK)) as string[];
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('a newsletter is forwarded as it was, through a draft that another window opens', async () => {
  const msgnum = await receive('alice', 'bob', 'Garden News', PARTS);
  const page = await openAs('alice', `#/r/Mail/${msgnum}`);
  const before = await lookOf(page);
  assert.ok(before.length > 15);
  await page.goto(`${gateway.url}svc/a/landing.html#/r/Mail/${msgnum}/forward`);
  await page.getByRole('combobox', { name: 'To' }).waitFor();
  assert.deepEqual(await lookOf(page), before, 'while it is written');
  await checkPage(page);
  const editor = page.getByRole('textbox', { name: 'Message' });
  await editor.click();
  await page.keyboard.type('Look at **this**');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  await page.getByText('Draft saved').waitFor();

  const draft = await latest('alice', '_DRAFTS_');
  const other = await openAs('alice', `#/r/Drafts/${draft}`);
  assert.deepEqual(await lookOf(other), before, 'in another window');
  assert.equal((await other.getByRole('textbox', { name: 'Message' }).innerText()).trim(), 'Look at this');
  await other.getByRole('combobox', { name: 'To' }).fill('bob');
  await other.keyboard.press('Enter');
  await other.getByRole('textbox', { name: 'Message' }).click();
  await other.keyboard.press('Control+End');
  await other.keyboard.type(' now');
  await button(other, 'Send').click();
  await other.getByRole('status').getByText('Sending to').waitFor();
  const was = await latest('bob', '_MAIL_');
  await other.goto('about:blank');
  await eventually(async () => (await latest('bob', '_MAIL_')) > was, true);

  const sent = await latest('bob', '_MAIL_');
  const bob = await openAs('bob', `#/r/Mail/${sent}`);
  assert.deepEqual(await lookOf(bob), before, 'as the recipient sees it');
  const shown = await bob.frameLocator('iframe.message-frame').locator('body').innerText();
  assert.match(
    shown,
    /Look at this now[\s\S]*From: admin <admin@[\s\S]*Date: [\s\S]*Subject: Garden News\s+To: alice\S*\s+Cc: bob/,
  );
  assert.match(shown, /A tulip/);
  await bob.getByText('prices.pdf').waitFor();
  assert.equal(await bob.getByText('logo.png').count(), 0, 'a picture of the text is no file');
  const api = gateway.as('bob');
  const { text } = (await (await api(`r/Mail/${sent}/json?remote=1`)).json()) as { text: string };
  assert.match(text, /<img src="https:\/\/pictures\.example\/tulip\.png" width="300" height="120"/);
  const { text: plain } = (await (await api(`r/Mail/${sent}/json?text=plain`)).json()) as { text: string };
  assert.match(plain, /^Look at this now\n[\s\S]*From: admin <[\s\S]*Tulips are/);
});

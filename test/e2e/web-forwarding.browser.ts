// A newsletter that goes on to somebody else: what is written above it leaves it as it was, in a draft, too.

import assert from 'node:assert/strict';
import { after, afterEach, it } from 'node:test';
import type { Page } from 'playwright-core';
import { contentOf } from '../../src/mime/part.ts';
import { walk } from '../../src/mime/walk.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage, startWebClient } from '../support/web-client.ts';
import { WireClient } from '../support/wire-client.ts';

const { gateway, openAs } = await startWebClient(
  { after, afterEach },
  { words: ['--line-listen', 'tcp://127.0.0.1:0'] },
);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const NEWSLETTER = `<html><head><style>.lead { color: #7030a0; letter-spacing: 2px } @media (max-width: 300px) { .lead { display: none } }
td.side { padding: 31px }</style></head><body bgcolor="#eef2f7" style="margin:0;color:#222233">
<table width="100%" cellpadding="0" cellspacing="0" bgcolor="#eef2f7"><tr><td align="center">
<table id="sheet" width="600" cellpadding="12" cellspacing="0" border="0" bgcolor="#ffffff">
<tr><td colspan="3" bgcolor="#103050" align="center" height="64"><font color="#ffd700" size="5" face="Georgia">Garden News</font></td></tr>
<tr><td rowspan="2" width="160" valign="top"><img src="cid:logo@news" width="120" height="48" alt="Logo"></td>
<td colspan="2" style="background-color:#fff4e0;font-size:18px;padding:20px"><span class="lead">Tulips</span> are <b>in</b></td></tr>
<tr><td width="200" valign="bottom" class="side" bgcolor="#e0ffe0" background="https://pictures.example/leaf.png">Left</td><td align="right" style="color:#aa0000">Right</td></tr>
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
      style.color, style.backgroundColor, style.fontSize, style.fontFamily, style.textAlign, style.letterSpacing, style.verticalAlign, style.padding,
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
/** When it can be called back no more. */
const goesOut = (page: Page) => page.getByRole('status').getByText('Sent to').waitFor({ timeout: 60_000 });
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
  const was = await latest('bob', '_MAIL_');
  await button(other, 'Send').click();
  await goesOut(other);
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
  const bytes = Buffer.from(await (await api(`r/Mail/${sent}?format=rfc822`)).arrayBuffer());
  const [alternative, pdf] = walk(bytes).children;
  const [words, related] = alternative!.children;
  const [page1, logo] = related!.children;
  assert.deepEqual(
    [alternative, words, related, page1, logo, pdf].map((part) => [part?.type, part?.disposition, part?.filename]),
    [
      ['multipart/alternative', '', ''],
      ['text/plain', '', ''],
      ['multipart/related', '', ''],
      ['text/html', '', ''],
      ['image/png', 'inline', 'logo.png'],
      ['application/pdf', 'attachment', 'prices.pdf'],
    ],
  );
  assert.equal(logo?.contentId, 'logo@news');
  assert.deepEqual(
    [logo, pdf].map((part) => contentOf(bytes, part!).toString('base64')),
    [PNG, 'JVBERi0xLjQK'],
  );
  const html = contentOf(bytes, page1!).toString();
  for (const kept of [
    'width="600" cellpadding="12" cellspacing="0" border="0" bgcolor="#ffffff"',
    'colspan="3" bgcolor="#103050" align="center" height="64"',
    '<font color="#ffd700" size="5" face="Georgia">',
    'rowspan="2" width="160" valign="top"',
    '<img src="cid:logo@news" width="120" height="48"',
    '<img src="https://pictures.example/tulip.png" width="300" height="120" alt="A tulip">',
    "background-image: url('https://pictures.example/leaf.png')",
    'background-color: #fff4e0; font-size: 18px; padding: 20px',
    'From: admin &lt;admin@',
    'Cc: bob',
  ]) {
    assert.ok(html.includes(kept), `${kept} in ${html}`);
  }
  assert.match(plain, /^Look at this now\n[\s\S]*From: admin <[\s\S]*Tulips are/);
});

it('what goes on can be taken into the text, taken away and brought back, and be sent without form', async () => {
  const lines = ['Content-type: text/plain; charset=utf-8', '', 'Lunch   at  12?', '> before', '-- ', 'Adm'];
  const msgnum = await receive('alice', '', 'Lunch', lines);
  const page = await openAs('alice', `#/r/Mail/${msgnum}/forward`);
  const block = page.getByRole('region', { name: 'Forwarded message' });
  const inside = block.frameLocator('iframe').locator('body');
  await inside.getByText('Lunch at 12?').waitFor();
  assert.equal(await block.getByRole('button', { name: 'Load pictures' }).count(), 0);
  await block.getByRole('button', { name: 'Remove' }).click();
  await eventually(() => block.count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await inside.getByText('Lunch at 12?').waitFor();

  await button(page, 'More').last().click();
  await page.getByRole('menuitemcheckbox', { name: 'Plain text, no formatting' }).click();
  await block.getByText('> Lunch   at  12?').waitFor();
  await checkPage(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('See below');
  await page.getByRole('combobox', { name: 'To' }).fill('bob');
  await page.keyboard.press('Enter');
  const was = await latest('bob', '_MAIL_');
  await button(page, 'Send').click();
  await goesOut(page);
  await page.evaluate('localStorage.clear()');
  await eventually(async () => (await latest('bob', '_MAIL_')) > was, true);
  const sent = await gateway.as('bob')(`r/Mail/${await latest('bob', '_MAIL_')}`);
  assert.match(sent.headers.get('content-type') ?? '', /^text\/plain/);
  const quoted = '> Lunch   at  12?\n>> before\n> -- \n> Adm\n';
  assert.match(
    await sent.text(),
    /^See below\n\n-{8} Forwarded message -{8}\nFrom: admin <admin@[\s\S]*To: alice\S*\n\n/,
  );
  assert.ok((await (await gateway.as('bob')(`r/Mail/${await latest('bob', '_MAIL_')}`)).text()).endsWith(quoted));

  const bob = await openAs('bob', `#/r/Mail/${await latest('bob', '_MAIL_')}`);
  await bob.frameLocator('iframe.message-frame').getByText('Lunch').last().waitFor();

  const again = await openAs('alice', `#/r/Mail/${msgnum}/forward`);
  await again.getByRole('region', { name: 'Forwarded message' }).getByRole('button', { name: 'Edit' }).click();
  await eventually(
    () => again.getByRole('textbox', { name: 'Message' }).innerText(),
    /Forwarded message[\s\S]*From: admin <[\s\S]*Lunch/,
  );
  await eventually(() => again.getByRole('region', { name: 'Forwarded message' }).count(), 0);
});

it('several messages go on at once as they are, from the list and from the menu of one', async () => {
  for (const subject of ['Elder', 'Rowan'])
    await receive('alice', '', subject, ['Content-type: text/plain', '', subject]);
  const page = await openAs('alice', '#/r/Mail');
  const row = (subject: string) => page.locator('.virtual').getByRole('link', { name: new RegExp(subject) });
  await row('Rowan').focus();
  await page.keyboard.press('x');
  await page.getByRole('checkbox', { name: /Elder$/ }).click();
  await button(page, 'Forward 2 messages as attachments').click();
  await page.getByRole('heading', { name: 'Forward', exact: true }).waitFor();
  await checkPage(page);
  for (const name of ['Rowan.eml', 'Elder.eml']) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  await page.getByRole('combobox', { name: 'To' }).fill('bob');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Message' }).click();
  await page.keyboard.type('Both');
  const was = await latest('bob', '_MAIL_');
  await button(page, 'Send').click();
  await goesOut(page);
  await eventually(async () => (await latest('bob', '_MAIL_')) > was, true);
  const bob = await openAs('bob', `#/r/Mail/${await latest('bob', '_MAIL_')}`);
  await bob.getByRole('link', { name: 'Open Elder' }).click();
  await bob.getByRole('heading', { name: 'Elder' }).waitFor();
  await bob.frameLocator('iframe.message-frame').getByText('Elder').waitFor();

  const one = await openAs('alice', '#/r/Mail');
  await one.locator('.virtual').getByRole('link', { name: /Elder/ }).click();
  await one.getByRole('button', { name: 'More actions for this message' }).click();
  await one.getByRole('menuitem', { name: 'Forward as attachment' }).click();
  await one.getByRole('button', { name: 'Remove Elder.eml' }).waitFor();
});

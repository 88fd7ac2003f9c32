// Files of events and contacts that are brought into rooms: one job, which names what was refused, goes on beside
// other things, and at the next visit where its page was left.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

const event = (uid: string, title: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20240101T000000Z', ...lines, `SUMMARY:${title}`, 'END:VEVENT'].join('\r\n');
const fileOf = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...events, 'END:VCALENDAR', ''].join('\r\n');
const at = (hour: number) => `DTSTART:20290105T${String(hour).padStart(2, '0')}0000Z`;

const titleOf = async (uid: string) => {
  const answer = await gateway.as('alice')(`r/Calendar/${uid}`, { headers: { accept: 'text/calendar' } });
  return answer.ok ? /SUMMARY:(.*?)\r?\n/.exec(await answer.text())?.[1] : answer.status;
};

async function bringIn(page: Page, name: string, text: string, encoding: BufferEncoding = 'utf8') {
  await page.locator('.calendar-body[aria-busy="false"]').waitFor();
  await page.getByRole('button', { name: 'More' }).first().click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Import events' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/calendar', buffer: Buffer.from(text, encoding) });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}

describe('a file of events', () => {
  it('is stored but for what is refused, named with the reason; a second file updates; it can be undone', async () => {
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-01-01', { timezoneId: 'UTC' });
    const wrong = event('imp2', 'two ends before it starts', at(12), 'DTEND:20290105T110000Z');
    await bringIn(page, 'three.ics', fileOf(event('imp1', 'one', at(10)), wrong, event('imp3', 'three', at(14))));
    const dialog = page.getByRole('dialog', { name: 'Import of three.ics' });
    await dialog.getByText('2 added. One could not be imported:').waitFor();
    const refused = await dialog.getByRole('listitem').innerText();
    assert.match(refused, /^two ends before it starts\n.+/);
    assert.deepEqual([await titleOf('imp1'), await titleOf('imp2'), await titleOf('imp3')], ['one', 404, 'three']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await bringIn(page, 'again.ics', fileOf(event('imp1', 'one anew', at(10)), event('imp4', 'four', at(15))));
    const again = page.getByRole('dialog', { name: 'Import of again.ics' });
    await again.getByText('One added. One updated.').waitFor();
    assert.equal(await titleOf('imp1'), 'one anew');
    await again.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => [await titleOf('imp1'), await titleOf('imp4')], ['one', 404]);
  });

  it('may be in Windows-1252 or UTF-16, and one of contacts of vCard 2.1', async () => {
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-01-01', { timezoneId: 'UTC' });
    for (const [uid, encoding] of [
      ['latin', 'latin1'],
      ['wide', 'utf16le'],
    ] as const) {
      await bringIn(page, `${uid}.ics`, fileOf(event(uid, 'Frühstück', at(8))), encoding);
      const dialog = page.getByRole('dialog', { name: `Import of ${uid}.ics` });
      await dialog.getByText('One added.').waitFor();
      assert.equal(await titleOf(uid), 'Frühstück');
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    await page.evaluate("location.hash = '#/r/Contacts'");
    await page.locator('#room-title').filter({ hasText: 'Contacts' }).waitFor();
    await page.getByRole('button', { name: 'More' }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Import contacts' }).click();
    const lines = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'UID:old',
      'N;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg',
      'TEL;CELL:+491',
    ];
    const buffer = Buffer.from([...lines, 'NOTE:Grüße', 'END:VCARD', ''].join('\r\n'), 'latin1');
    await (await chooser).setFiles({ name: 'old.vcf', mimeType: 'text/vcard', buffer });
    await page.getByRole('dialog', { name: 'Import of old.vcf' }).getByText('One added.').waitFor();
    const card = await (await gateway.as('alice')('r/Contacts/old', { headers: { accept: 'text/vcard' } })).text();
    for (const line of ['VERSION:3.0', 'FN:Jörg Müller', 'TEL;TYPE=CELL:+491', 'NOTE:Grüße'])
      assert.ok(card.includes(`\r\n${line}\r\n`), card);
  });

  it('of 500 goes on beside other things, and where its page is left at the next visit', async () => {
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-01-01', { timezoneId: 'UTC' });
    const events = Array.from({ length: 500 }, (_, i) => event(`many${i}`, `event ${i}`, at(i % 24)));
    // the answers take their time, so that there is something to leave
    await page.route('**/r/Calendar/many*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      await route.continue().catch(() => {});
    });
    await bringIn(page, 'many.ics', fileOf(...events));
    const dialog = page.getByRole('dialog', { name: 'Import of many.ics' });
    await dialog.getByText(/^[2-9]\d of 500$/).waitFor();
    await page.evaluate("location.hash = '#/r/Lobby'");
    await eventually(async () => (await titleOf('many120')) !== 404, true);
    // browsers ask before such a page is left
    const asked = page.waitForEvent('dialog').then(async (question) => {
      assert.equal(question.type(), 'beforeunload');
      await question.accept();
    });
    await page.unroute('**/r/Calendar/many*');
    await Promise.all([page.reload(), asked]);
    const offer = page.getByRole('dialog', { name: /^The import of many\.ics stopped at [1-9]\d* of 500\.$/ });
    await offer.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/^\d+ added\./).waitFor({ timeout: 60_000 });
    assert.equal(await titleOf('many499'), 'event 499');
    await page.reload();
    await page.locator('.stage').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is left of it');
  });

  it('waits for whom it is where somebody else logs in meanwhile', async () => {
    const page = await openAs('alice', '#/r/Calendar/agenda/2029-01-01', { timezoneId: 'UTC' });
    const logInAs = async (user: string) => {
      const data = { username: user, password: user };
      assert.ok((await page.context().request.post(`${gateway.url}svc/a/login`, { data })).ok());
    };
    const account = (user: string) => page.getByRole('button', { name: `Account of ${user}` }).waitFor();
    await page.route('**/r/Calendar/hers*', async (route) => {
      if (route.request().url().endsWith('hers9')) await logInAs('bob');
      await route.continue().catch(() => {});
    });
    await bringIn(page, 'hers.ics', fileOf(...Array.from({ length: 40 }, (_, i) => event(`hers${i}`, `${i}`, at(9)))));
    await account('bob');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.unroute('**/r/Calendar/hers*');
    await logInAs('alice');
    // it may have heard of that by itself, and be on its way
    await page.reload().catch(() => {});
    await account('alice');
    await page
      .getByRole('dialog', { name: /^The import of hers/ })
      .getByRole('button', { name: 'Continue' })
      .click();
    await page.getByText(/^\d+ added\./).waitFor();
    for (let i = 0; i < 40; i++) assert.equal(await titleOf(`hers${i}`), String(i));
  });
});

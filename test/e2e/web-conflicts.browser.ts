// Two devices change the same thing at the same time: what each has changed elsewhere in it stays, who has changed the
// same is asked, and there is always a way on.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { calendarObject, putObject } from '../support/calendar-object.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
const put = (path: string, type: string, body: string) => putObject(alice, path, type, body);
const stored = async (path: string) => (await alice(path)).text();
const question = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const choose = (page: Page, name: string) => question(page).getByRole('button', { name }).click();

describe('a task on two devices', () => {
  it('keeps what each changes in the same second', { timeout: 120_000 }, async () => {
    await put('r/Tasks/oats', 'text/calendar', calendarObject('VTODO', 'oats', ['SUMMARY:Sow oats']));
    const pages = await Promise.all([openAs('alice', '#/r/Tasks/task/oats'), openAs('alice', '#/r/Tasks/task/oats')]);
    const [one, other] = pages as [Page, Page];
    for (const page of pages) await page.getByLabel('Note', { exact: true }).waitFor();
    for (let round = 1; round <= 20; round++) {
      await one.getByLabel('Note', { exact: true }).fill(`round ${round}`);
      const priority = ['1', '9'][round % 2]!;
      await Promise.all([
        one.getByLabel('Note', { exact: true }).blur(),
        other.getByLabel('Priority').selectOption(priority),
      ]);
      const text = new RegExp(`(?=.*DESCRIPTION:round ${round}\\r)(?=.*PRIORITY:${priority}\\r)`, 's');
      await eventually(() => stored('r/Tasks/oats'), text);
    }
  });

  it('asks where both have changed the same, and loses neither unseen', async () => {
    await put('r/Tasks/hops', 'text/calendar', calendarObject('VTODO', 'hops', ['SUMMARY:Pick hops']));
    const page = await openAs('alice', '#/r/Tasks/task/hops');
    const note = page.getByLabel('Note', { exact: true });
    await note.fill('From here');
    await put('r/Tasks/hops', 'text/calendar', calendarObject('VTODO', 'hops', ['SUMMARY:Pick', 'DESCRIPTION:There']));
    await note.blur();
    await question(page).getByText('This device: From here').waitFor();
    await question(page).getByText('Other device: There').waitFor();
    await page.keyboard.press('Escape');
    // it waits until it is decided
    await page.getByRole('link', { name: 'Not sent: 1' }).first().click();
    await page.getByRole('button', { name: 'Keep this version' }).click();
    await eventually(() => stored('r/Tasks/hops'), /DESCRIPTION:From here/);
  });
});

describe('a page of a wiki with two editors', () => {
  const text = (page: Page) => page.locator('textarea').last();
  const save = (page: Page) => page.getByRole('button', { name: 'Save page' }).click();

  async function edit(name: string) {
    await put(`r/Handbook/${name}`, 'text/markdown', 'One.\n\nTwo.\n\nThree.\n');
    const page = await openAs('alice', `#/r/Handbook/page/${name}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await eventually(() => text(page).inputValue(), /Two/);
    return page;
  }

  it('has the lines of both', async () => {
    const page = await edit('hedges');
    await text(page).fill('One.\n\nTwo.\n\nThree, from here.\n');
    await put('r/Handbook/hedges', 'text/markdown', 'One, from there.\n\nTwo.\n\nThree.\n');
    await save(page);
    await page.getByText('Three, from here.').waitFor();
    assert.equal(await stored('r/Handbook/hedges'), 'One, from there.\n\nTwo.\n\nThree, from here.\n');
  });

  it('lets the second one choose where both have changed a line, as often as he likes', async () => {
    const page = await edit('lanes');
    await text(page).fill('One.\n\nTwo, from here.\n\nThree.\n');
    await put('r/Handbook/lanes', 'text/markdown', 'One, from there.\n\nTwo, from there.\n\nThree.\n');
    await save(page);
    await question(page).getByText('Two, from there.').waitFor();
    await choose(page, 'Cancel');
    await page.getByText('Not saved').first().waitFor();
    await put('r/Handbook/lanes', 'text/markdown', 'One, once more.\n\nTwo, once more.\n\nThree.\n');
    await save(page);
    await question(page).getByText('Two, once more.').waitFor();
    await choose(page, 'Keep this version');
    await page.getByText('Two, from here.').waitFor();
    assert.equal(await stored('r/Handbook/lanes'), 'One, once more.\n\nTwo, from here.\n\nThree.\n');
  });

  it('asks whether it stays where it was deleted', async () => {
    const page = await edit('ditches');
    await text(page).fill('Still here.');
    assert.equal((await alice('r/Handbook/ditches', { method: 'DELETE' })).status, 204);
    await save(page);
    await choose(page, 'Keep this version');
    await page.getByText('Still here.').waitFor();
    assert.equal(await stored('r/Handbook/ditches'), 'Still here.');
  });
});

describe('what has no versions, with two editors', () => {
  const save = (page: Page, name = 'Save') => page.getByRole('button', { name, exact: true }).first().click();
  const write = async (path: string, text: string) => {
    const headers = { 'content-type': 'text/plain' };
    assert.ok((await alice(path, { method: 'PUT', headers, body: text })).ok);
  };

  it('is asked about where both have changed the same text of a room', async () => {
    await write('r/Town%20Square/info.txt', 'Before');
    const page = await openAs('alice', '#/r/Town%20Square/settings');
    await page.locator('#room-banner').fill('From here');
    await write('r/Town%20Square/info.txt', 'From there');
    await save(page);
    await question(page).getByText('Other device: From there').waitFor();
    await choose(page, 'Cancel');
    await page.getByText('Not saved').first().waitFor();
    assert.equal((await stored('r/Town%20Square/info.txt')).trim(), 'From there');
    await save(page);
    await choose(page, 'Keep this version');
    await eventually(async () => (await stored('r/Town%20Square/info.txt')).trim(), 'From here');
  });

  it('is asked about where a profile was changed before the reader came back to what he had written', async () => {
    await write('u/alice/bio', 'Before');
    const page = await openAs('alice', '#/account');
    await page.locator('#bio').fill('From here');
    await page.context().clearCookies();
    await save(page);
    await page.locator('#username').waitFor();
    await write('u/alice/bio', 'From there');
    await logIn(page, 'alice');
    await eventually(() => page.locator('#bio').inputValue(), 'From here');
    await save(page);
    await question(page).getByText('Other device: From there').waitFor();
    await choose(page, 'Use the other version');
    await eventually(() => page.locator('#bio').inputValue(), 'From there');
    assert.equal((await stored('u/alice/bio')).trim(), 'From there');
  });

  it('has the rules of a room that each has set, and asks about one that both have', async () => {
    const set = async (rules: object) => {
      const headers = { 'content-type': 'application/json' };
      assert.ok((await alice('r/Town%20Square/', { method: 'PATCH', headers, body: JSON.stringify(rules) })).ok);
    };
    const rules = async () => {
      const { is_read_only, is_subject_required, is_guessname } = (await (
        await alice('r/Town%20Square/')
      ).json()) as Record<string, boolean>;
      return { is_read_only, is_subject_required, is_guessname };
    };
    const page = await openAs('alice', '#/r/Town%20Square/settings');
    await page.locator('#rule-who').selectOption('guessname');
    await page.locator('input[name="is_subject_required"]').check();
    await set({ is_read_only: true, kind: 'invitation' });
    await save(page, 'Save rules');
    await question(page).getByText('Other device: Who may enter').waitFor();
    await choose(page, 'Use the other version');
    await eventually(rules, { is_read_only: true, is_subject_required: true, is_guessname: false });
    await page.locator('#toasts').getByText('Saved.').waitFor();
    await page.locator('#rule-who').selectOption('guessname');
    await set({ kind: 'public' });
    await save(page, 'Save rules');
    await choose(page, 'Keep this version');
    await eventually(rules, { is_read_only: true, is_subject_required: true, is_guessname: true });
  });
});

describe('contacts, events and notes with two editors', () => {
  const card = (...lines: string[]) =>
    ['BEGIN:VCARD', 'VERSION:3.0', 'UID:gil', 'N:Hay;Gil;;;', 'FN:Gil Hay', ...lines, 'END:VCARD', ''].join('\r\n');

  it('keep what each has changed in a contact, and ask for the rest', async () => {
    await put('r/Contacts/gil', 'text/vcard', card('TITLE:Smith'));
    const page = await openAs('alice', '#/r/Contacts/card/gil/edit');
    await page.getByLabel('Job title').fill('Farrier');
    await put('r/Contacts/gil', 'text/vcard', card('TITLE:Smith', 'NOTE:From there'));
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => stored('r/Contacts/gil'), /TITLE:Farrier\r\nNOTE:From there/);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Job title').fill('Here');
    await put('r/Contacts/gil', 'text/vcard', card('TITLE:There', 'NOTE:Kept'));
    await page.getByRole('button', { name: 'Save' }).click();
    await choose(page, 'Keep this version');
    await eventually(() => stored('r/Contacts/gil'), /TITLE:Here\r\nNOTE:Kept/);
  });

  it('keep what each has changed in an event', async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const event = (...lines: string[]) =>
      calendarObject('VEVENT', 'fair', [`DTSTART:${day}T120000Z`, `DTEND:${day}T130000Z`, 'SUMMARY:Fair', ...lines]);
    await put('r/Calendar/fair', 'text/calendar', event());
    const page = await openAs('alice', '#/r/Calendar');
    await page.getByText('Fair').first().click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Location').fill('Green');
    await put('r/Calendar/fair', 'text/calendar', event('DESCRIPTION:From there'));
    await question(page).getByRole('button', { name: 'Save' }).click();
    await eventually(() => stored('r/Calendar/fair'), /(?=[\s\S]*LOCATION:Green)(?=[\s\S]*DESCRIPTION:From there)/);
    await page.getByText('Fair').first().click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Location').fill('Here');
    await put('r/Calendar/fair', 'text/calendar', event('LOCATION:There', 'DESCRIPTION:Kept'));
    await question(page).getByRole('button', { name: 'Save' }).click();
    await question(page).getByText('Other device: There').waitFor();
    await choose(page, 'Keep this version');
    await eventually(() => stored('r/Calendar/fair'), /(?=[\s\S]*LOCATION:Here)(?=[\s\S]*DESCRIPTION:Kept)/);
  });
});

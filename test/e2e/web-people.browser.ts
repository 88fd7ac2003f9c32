// The web client in a browser: tasks, notes and contacts, as a person uses them.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

interface Stored {
  msgnum: number;
  subject: string;
}

async function rowsOf(user: string, room: string): Promise<Stored[]> {
  const answer = await gateway.as(user)(`r/${room}/mailbox`);
  return ((await answer.json()) as { msgs: Stored[] }).msgs;
}

/** As it is kept, of the member whose subject this is. */
async function textOf(user: string, room: string, subject: string): Promise<string> {
  const row = (await rowsOf(user, room)).find((each) => each.subject === subject);
  return row ? await (await gateway.as(user)(`r/${room}/${row.msgnum}`)).text() : '';
}

async function put(user: string, room: string, name: string, type: string, lines: string[]): Promise<void> {
  const response = await gateway.as(user)(`r/${room}/${name}`, {
    method: 'PUT',
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: `${lines.join('\r\n')}\r\n`,
  });
  assert.ok(response.ok, `${room}/${name}: ${response.status}`);
}

const todo = (uid: string, ...lines: string[]) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//x//x//EN',
  'BEGIN:VTODO',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VTODO',
  'END:VCALENDAR',
];

const group = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });

describe('tasks', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`are written in one field, ticked, taken back, changed and deleted, ${viewport.width} wide`, async () => {
      const title = `Order tables ${colorScheme}`;
      const page = await openAs('alice', '#/r/Tasks', { colorScheme, viewport });
      const field = page.getByLabel('New task');
      await field.fill(`${title} today !`);
      await page.getByRole('status').getByText('Important').waitFor();
      await field.press('Enter');
      await group(page, 'Today').getByRole('link', { name: title }).waitFor();
      await eventually(() => textOf('alice', 'Tasks', title), /PRIORITY:1\r\n/);
      await checkPage(page);
      await page.getByRole('checkbox', { name: `Done: ${title}` }).click();
      await eventually(() => textOf('alice', 'Tasks', title), /STATUS:COMPLETED\r\n/);
      await page.getByRole('button', { name: 'Undo' }).click();
      await eventually(() => textOf('alice', 'Tasks', title), /STATUS:NEEDS-ACTION\r\n/);
      await group(page, 'Today').getByRole('link', { name: title }).click();
      await page.getByLabel('Note', { exact: true }).fill('Twelve of them.');
      await page.getByPlaceholder('Add a step').fill(`Measure ${colorScheme}`);
      await page.getByPlaceholder('Add a step').press('Enter');
      await page.getByRole('link', { name: `Measure ${colorScheme}` }).waitFor();
      await eventually(() => textOf('alice', 'Tasks', title), /DESCRIPTION:Twelve of them\.\r\n/);
      await eventually(() => textOf('alice', 'Tasks', `Measure ${colorScheme}`), /RELATED-TO/);
      await checkPage(page);
      await page.getByRole('button', { name: 'Delete task' }).click();
      await page.getByText('2 tasks deleted').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await group(page, 'Today').getByRole('link', { name: title }).waitFor();
    });
  }

  it('that are repeated go on when they are ticked, and keep what is not understood', async () => {
    const lines = ['SUMMARY:Paper bins', 'DUE;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY', 'X-KEPT:yes'];
    await put('alice', 'Tasks', 'bins', 'text/calendar', todo('bins', ...lines));
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByRole('checkbox', { name: 'Done: Paper bins' }).click();
    await eventually(() => textOf('alice', 'Tasks', 'Paper bins'), /DUE;VALUE=DATE:20260112\r\n/);
    assert.match(await textOf('alice', 'Tasks', 'Paper bins'), /X-KEPT:yes/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => textOf('alice', 'Tasks', 'Paper bins'), /DUE;VALUE=DATE:20260105\r\n/);
  });

  it('that another device writes come by themselves', async () => {
    const page = await openAs('alice', '#/r/Tasks');
    await page.getByLabel('New task').waitFor();
    await put('alice', 'Tasks', 'far', 'text/calendar', todo('far', 'SUMMARY:From afar'));
    await page.getByRole('link', { name: 'From afar' }).waitFor();
    await put('alice', 'Tasks', 'far', 'text/calendar', todo('far', 'SUMMARY:From afar, again'));
    await page.getByRole('link', { name: 'From afar, again' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'From afar', exact: true }).count(), 0);
  });
});

describe('notes', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`are written in place, pinned, found and deleted, ${viewport.width} wide`, async () => {
      const title = `Seeds ${colorScheme}`;
      const page = await openAs('alice', '#/r/Notes', { colorScheme, viewport });
      await page.getByRole('button', { name: 'New note' }).click();
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('Text', { exact: true }).fill('- beans\n- dill');
      await page.getByText('Saved', { exact: true }).waitFor();
      assert.match(await textOf('alice', 'Notes', title), /^BODY.*beans/m);
      await page.getByRole('button', { name: 'Colour' }).click();
      await page.getByRole('radio', { name: 'Violet' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Pin' }).click();
      await eventually(() => textOf('alice', 'Notes', title), /X-PINNED:TRUE/);
      assert.match(await textOf('alice', 'Notes', title), /X-OUTLOOK-COLOR:#E6DFFF/);
      await checkPage(page);
      await page.getByRole('button', { name: 'Close' }).click();
      const card = group(page, 'Pinned').getByRole('link', { name: new RegExp(title) });
      await card.getByRole('listitem').first().waitFor();
      await checkPage(page);
      await page.getByLabel('Find a note').fill('dill');
      await eventually(() => page.locator('a.sticky').count(), colorScheme === 'light' ? 1 : 2);
      await card.click();
      await page.getByRole('button', { name: 'Delete note' }).click();
      await eventually(() => card.count(), 0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await card.waitFor();
      assert.equal((await rowsOf('alice', 'Notes')).filter(({ subject }) => subject === title).length, 1);
    });
  }

  it('that another device changes are told, and neither version is lost', async () => {
    const lines = (text: string) => [
      'BEGIN:VNOTE',
      'VERSION:1.1',
      'UID:two',
      'SUMMARY:Two',
      `BODY:${text}`,
      'END:VNOTE',
    ];
    await put('alice', 'Notes', 'two', 'text/vnote', lines('first'));
    const page = await openAs('alice', '#/r/Notes/note/two');
    const text = page.getByLabel('Text', { exact: true });
    await eventually(() => text.inputValue(), 'first');
    await put('alice', 'Notes', 'two', 'text/vnote', lines('second'));
    await eventually(() => text.inputValue(), 'second');
    await page.route('**/svc/a/events?*', (route) => route.abort());
    await text.pressSequentially(' mine');
    await put('alice', 'Notes', 'two', 'text/vnote', lines('third'));
    await text.pressSequentially('!');
    await page.getByText('This note was changed on another device').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep this version' }).click();
    await eventually(() => textOf('alice', 'Notes', 'Two'), /BODY:second mine!/);
  });
});

describe('contacts', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`are made, found, changed, written to and deleted, ${viewport.width} wide`, async () => {
      const family = `Feld ${colorScheme}`;
      const name = `Ruth ${family}`;
      const page = await openAs('alice', '#/r/Contacts', { colorScheme, viewport });
      await page.getByRole('link', { name: 'New contact' }).click();
      await page.getByLabel('First name').fill('Ruth');
      await page.getByLabel('Last name').fill(family);
      await page.getByRole('textbox', { name: 'Email address' }).fill('ruth@x.example');
      await page.getByRole('button', { name: 'Add phone number' }).click();
      await page.getByRole('textbox', { name: 'Phone' }).last().fill('020 555 0142');
      await page.getByRole('button', { name: 'Add address' }).click();
      await page.getByLabel('Town or city').fill('Nowhere');
      await page.getByRole('combobox', { name: 'Groups' }).pressSequentially('Garden,');
      await checkPage(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name, level: 2 }).waitFor();
      await page.getByText('Nowhere').waitFor();
      await checkPage(page);
      const kept = await textOf('alice', 'Contacts', name);
      assert.match(kept, /TEL;TYPE=HOME:020 555 0142|TEL;TYPE=CELL:020 555 0142/);
      assert.match(kept, /CATEGORIES:Garden/);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Job title').fill('Warden');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('article').getByText('Warden', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Send mail' }).click();
      await eventually(async () => page.url(), /Mail\/new\/.*ruth%40x\.example/);
      await page.goBack();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByLabel('Find a contact').fill('0142');
      await page.getByRole('link', { name: new RegExp(name) }).waitFor();
      await checkPage(page);
    });
  }

  it('make up a group, which is written to as one', async () => {
    for (const [uid, name] of [
      ['g1', 'Ada One'],
      ['g2', 'Ben Two'],
      ['g3', 'Cleo Three'],
    ] as const) {
      const lines = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `EMAIL:${uid}@x.example`, 'END:VCARD'];
      await put('bob', 'Contacts', uid, 'text/vcard', lines);
    }
    const page = await openAs('bob', '#/r/Contacts');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'New group' }).click();
    await page.getByLabel('Group name').fill('Crew');
    await page.getByLabel('Ada One').check();
    await page.getByLabel('Cleo Three').check();
    await checkPage(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Crew', level: 2 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Crew', level: 2 }).waitFor();
    await page.getByText('Group of 2').first().waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Send mail' }).click();
    for (const name of ['g1@x.example', 'g3@x.example'])
      await eventually(async () => decodeURIComponent(page.url()), new RegExp(name));
    assert.doesNotMatch(decodeURIComponent(page.url()), /g2@x/);
  });

  it('keep what is not understood, and are only changed where they were', async () => {
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', 'UID:odd', 'FN:Odd One', 'N:One;Odd;;;', 'X-SKYPE:oddie'];
    await put('alice', 'Contacts', 'odd', 'text/vcard', [...lines, 'TEL;TYPE=WORK,X-SHIP:123', 'END:VCARD']);
    const page = await openAs('alice', '#/r/Contacts/card/odd/edit');
    await page.getByLabel('Note', { exact: true }).fill('Loud.');
    // meanwhile another device adds something
    await put('alice', 'Contacts', 'odd', 'text/vcard', [...lines, 'TEL;TYPE=WORK,X-SHIP:123', 'ROLE:x', 'END:VCARD']);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => textOf('alice', 'Contacts', 'Odd One'), /NOTE:Loud\./);
    const kept = await textOf('alice', 'Contacts', 'Odd One');
    for (const line of ['X-SKYPE:oddie', 'TEL;TYPE=WORK,X-SHIP:123', 'ROLE:x']) assert.ok(kept.includes(line), line);
  });

  it('come from a file of many, have a picture, and go into a file', async () => {
    const card = (n: number) => [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `FN:Person ${n}`,
      `N:${n};Person;;;`,
      'X-A:b',
      'END:VCARD',
    ];
    const page = await openAs('alice', '#/r/Contacts');
    await page.getByRole('button', { name: 'More' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Import contacts' }).click();
    const buffer = Buffer.from([1, 2, 3].flatMap(card).join('\r\n'));
    await (await chooser).setFiles({ name: 'people.vcf', mimeType: 'text/vcard', buffer });
    await page.getByText('3 added.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Person 2' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await page
      .getByLabel('Choose picture')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    await checkPage(page);
    await page.getByRole('button', { name: 'Crop' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.contact .avatar img').waitFor();
    assert.match(await textOf('alice', 'Contacts', 'Person 2'), /PHOTO;ENCODING=b;TYPE=JPEG:/i);
    await page.getByRole('button', { name: 'More' }).first().click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export all contacts' }).click();
    const stream = await (await download).createReadStream();
    let text = '';
    for await (const piece of stream) text += piece;
    assert.equal(text.match(/X-A:b/g)?.length, 3);
  });

  it('that came from a file go again', async () => {
    const card = (n: number) => ['BEGIN:VCARD', 'VERSION:3.0', `UID:mistake-${n}`, `FN:Mistake ${n}`, 'END:VCARD'];
    const page = await openAs('alice', '#/r/Contacts');
    await page.getByRole('button', { name: 'More' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Import contacts' }).click();
    const buffer = Buffer.from([1, 2].flatMap(card).join('\r\n'));
    await (await chooser).setFiles({ name: 'people.vcf', mimeType: 'text/vcard', buffer });
    const dialog = page.getByRole('dialog', { name: 'Import of people.vcf' });
    await dialog.getByText('2 added.').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 undone.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await eventually(() => page.getByRole('link', { name: /^Mistake/ }).count(), 0);
    assert.doesNotMatch(await (await gateway.as('alice')('r/Contacts/mailbox')).text(), /Mistake/);
  });
});

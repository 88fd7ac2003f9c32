// The session ends while somebody writes: what stood in the form is there after the log-in, whole, and can be saved.
// Nobody else who logs in at the same window sees it.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { calendarObject, putObject } from '../support/calendar-object.ts';
import { EVENTUALLY_MS, eventually } from '../support/eventually.ts';
import { ADMIN_PASSWORD } from '../support/gateway.ts';
import { logIn, logOut, startWebClient } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });
const alice = gateway.as('alice');
/** a page that follows the log-out of another window does so within this time */
const FOLLOW_MS = 1000;

const gate = (page: Page) => page.locator('#username');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => (page: Page) => button(page, name).first().click();
const pressThere = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** All messages of the room that its list has, as texts. */
async function textsOf(room: string, who = 'alice') {
  const { msgs } = (await (await gateway.as(who)(`r/${room}/mailbox`)).json()) as { msgs: { msgnum: number }[] };
  const texts = msgs.map(async ({ msgnum }) => (await gateway.as(who)(`r/${room}/${msgnum}`)).text());
  return (await Promise.all(texts)).join('\n');
}
const read = async (path: string) => (await alice(path)).text();

/**
 * `begin` opens what is written in and fills it, up to the state in which it is saved where it is saved by itself.
 * `field` is what is typed on in. `act` asks the server for something, which finds the session over. `save` is what is
 * done after the log-in to have it saved.
 */
interface Form {
  at: string;
  /** among those that are tried with another window, too */
  isCommon?: boolean;
  begin(page: Page, words: string): Promise<unknown>;
  field(page: Page): Locator;
  act(page: Page): Promise<unknown>;
  also?(page: Page): Promise<unknown>;
  save(page: Page): Promise<unknown>;
  stored(): Promise<string>;
}

async function writeMail(page: Page, words: string) {
  await page.getByRole('combobox', { name: 'To', exact: true }).fill('bob');
  await page.keyboard.press('Enter');
  await page.getByLabel('Subject', { exact: true }).fill('To be kept');
  const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') };
  await page.locator('#files').setInputFiles(plan);
  await button(page, 'Remove plan.txt').waitFor();
  await message(page).click();
  await page.keyboard.type(words);
  await page.getByText(/^Draft saved/).waitFor();
}

async function mailIsWhole(page: Page) {
  await button(page, 'Remove bob').waitFor();
  await button(page, 'Remove plan.txt').waitFor();
  await eventually(() => page.getByLabel('Subject', { exact: true }).inputValue(), 'To be kept');
}

async function sendMail(page: Page) {
  await press('Send')(page);
  await page.getByText('Sending to bob').waitFor();
  await page.goto('about:blank');
}

const writeTopic = (page: Page, words: string) =>
  page
    .getByLabel('Subject', { exact: true })
    .fill(words)
    .then(() => message(page).fill(words));
const byId = (id: string) => (page: Page) => page.locator(`#${id}`);
const fill = (field: (page: Page) => Locator) => (page: Page, words: string) => field(page).fill(words);
const enter = (field: (page: Page) => Locator) => (page: Page) => field(page).press('Enter');
/** It is saved without being asked to. */
const byItself = async () => {};
/** Which fails where something is left to be saved. */
const saveByItself = (page: Page) =>
  gate(page)
    .waitFor({ timeout: 3 * FOLLOW_MS })
    .catch(() => page.reload());
const chatField = (page: Page) => page.getByLabel('Message to Town Square');
const noteField = (page: Page) => page.getByLabel('Text', { exact: true });

async function signature() {
  const body = '<propfind xmlns="DAV:"><prop><signature xmlns="urn:vestibule:preferences"/></prop></propfind>';
  const headers = { 'content-type': 'application/xml', depth: '0' };
  return (await alice('r/_DRAFTS_/', { method: 'PROPFIND', headers, body })).text();
}

const FORMS: Record<string, Form> = {
  'a mail': {
    isCommon: true,
    at: '#/r/Mail/new',
    begin: writeMail,
    field: message,
    act: saveByItself,
    also: mailIsWhole,
    save: sendMail,
    stored: () => textsOf('_MAIL_', 'bob'),
  },
  'a topic': {
    isCommon: true,
    at: '#/r/Town%20Square/new',
    begin: writeTopic,
    field: message,
    act: press('Post'),
    save: press('Post'),
    stored: () => textsOf('Town%20Square'),
  },
  'an entry of a blog': {
    at: '#/r/Garden%20Diary/new',
    begin: writeTopic,
    field: message,
    act: press('Post'),
    save: press('Post'),
    stored: () => textsOf('Garden%20Diary'),
  },
  'an answer to one': {
    at: '#/r/Garden%20Diary/11/reply',
    begin: fill(message),
    field: message,
    act: press('Post'),
    save: press('Post'),
    stored: () => textsOf('Garden%20Diary'),
  },
  'a line of a chat': {
    isCommon: true,
    at: '#/r/Town%20Square',
    async begin(page, words) {
      await press('Show as chat')(page);
      await page.getByText('They are on their way, see below.').waitFor();
      await chatField(page).fill(words);
    },
    field: chatField,
    act: press('Send'),
    save: press('Send'),
    stored: () => textsOf('Town%20Square'),
  },
  'a new note': {
    isCommon: true,
    at: '#/r/Pinboard/new',
    begin: (page, words) =>
      noteField(page)
        .fill(words)
        .then(() => page.getByText('Saved', { exact: true }).waitFor()),
    field: noteField,
    act: saveByItself,
    save: byItself,
    stored: () => textsOf('Pinboard'),
  },
  'a note': {
    at: '#/r/Notes/note/broth',
    begin: fill(noteField),
    field: noteField,
    act: saveByItself,
    save: byItself,
    stored: () => read('r/Notes/broth'),
  },
  'a new page': {
    isCommon: true,
    at: '#/r/Handbook/new/',
    begin: (page, words) => fill(byId('page-name'))(page, words).then(() => fill(byId('page-text'))(page, words)),
    field: byId('page-text'),
    act: press('Save page'),
    save: press('Save page'),
    stored: () => textsOf('Handbook'),
  },
  'a new event': {
    isCommon: true,
    at: '#/r/Calendar/week/2031-06-16',
    async begin(page, words) {
      await press('New event')(page);
      await page.getByLabel('Attendees').last().fill('bob@example.org,');
      await page.getByLabel('Repeats').selectOption({ index: 1 });
      await byId('event-title')(page).fill(words);
    },
    field: byId('event-title'),
    act: press('Save'),
    async also(page) {
      await page.getByRole('dialog').getByText('bob@example.org').first().waitFor();
      assert.notEqual(await page.getByLabel('Repeats').inputValue(), 'never');
    },
    save: press('Save'),
    stored: () => textsOf('Calendar'),
  },
  'an event': {
    at: '#/r/Calendar/week/2031-06-16',
    async begin(page, words) {
      const event = page.locator('.calendar-body').getByRole('button', { name: /^Market\b/ });
      await event.click();
      await press('Edit')(page);
      await byId('event-notes')(page).fill(words);
    },
    field: byId('event-notes'),
    act: press('Save'),
    also: (page) => eventually(() => byId('event-title')(page).inputValue(), 'Market'),
    save: press('Save'),
    stored: () => read('r/Calendar/market'),
  },
  'a new contact': {
    at: '#/r/Contacts/new',
    async begin(page, words) {
      await byId('contact-given')(page).fill('Ida');
      await button(page, 'Add website').click();
      await page.getByLabel('Website', { exact: true }).fill('https://example.org/');
      await byId('contact-notes')(page).fill(words);
    },
    field: byId('contact-notes'),
    act: press('Save'),
    async also(page) {
      await eventually(() => byId('contact-given')(page).inputValue(), 'Ida');
      assert.equal(await page.getByLabel('Website', { exact: true }).inputValue(), 'https://example.org/');
    },
    save: press('Save'),
    stored: () => textsOf('Contacts'),
  },
  'a contact': {
    isCommon: true,
    at: '#/r/Contacts/card/una/edit',
    begin: fill(byId('contact-notes')),
    field: byId('contact-notes'),
    act: press('Save'),
    also: (page) => eventually(() => byId('contact-family')(page).inputValue(), 'Holm'),
    save: press('Save'),
    stored: () => read('r/Contacts/una'),
  },
  'a new task': {
    at: '#/r/Tasks',
    begin: fill(byId('task-add')),
    field: byId('task-add'),
    act: enter(byId('task-add')),
    save: enter(byId('task-add')),
    stored: () => textsOf('Tasks'),
  },
  'a task': {
    isCommon: true,
    at: '#/r/Tasks/task/rye',
    begin: fill(byId('task-notes')),
    field: byId('task-notes'),
    act: (page) => byId('task-notes')(page).blur(),
    save: byItself,
    stored: () => read('r/Tasks/rye'),
  },
  'a step of a task': {
    at: '#/r/Tasks/task/rye',
    begin: fill(byId('step-add')),
    field: byId('step-add'),
    act: enter(byId('step-add')),
    save: enter(byId('step-add')),
    stored: () => textsOf('Tasks'),
  },
  'an instant message': {
    at: '#/chat/bob',
    begin: fill((page) => page.getByLabel('Message to bob')),
    field: (page) => page.getByLabel('Message to bob'),
    act: press('Send'),
    save: press('Send'),
    stored: async () => (await gateway.as('bob')('a/im')).text(),
  },
  'the words about oneself': {
    at: '#/account',
    begin: fill(byId('bio')),
    field: byId('bio'),
    act: press('Save'),
    save: press('Save'),
    stored: () => read('u/alice/'),
  },
  'the settings of a room': {
    at: '#/r/Town%20Square/settings',
    begin: fill(byId('room-banner')),
    field: byId('room-banner'),
    act: press('Save'),
    save: press('Save'),
    stored: () => read('r/Town%20Square/info.txt'),
  },
  'a new room': {
    at: '#/new-room',
    begin: async (page, words) => {
      await page.getByLabel('Who may enter').selectOption('invitation');
      await byId('room-name')(page).fill(words);
    },
    field: byId('room-name'),
    act: press('Create room'),
    save: press('Create room'),
    stored: () => read('r/'),
  },
  'a new folder': {
    isCommon: true,
    at: '#/r/Papers',
    async begin(page, words) {
      await press('New folder')(page);
      await byId('main-cell')(page).fill(words);
    },
    field: byId('main-cell'),
    act: pressThere('Create folder'),
    save: pressThere('Create folder'),
    stored: () => read('r/Papers/mailbox'),
  },
  'the name of a file': {
    at: '#/r/Papers/file/plan.txt',
    async begin(page, words) {
      await press('Rename')(page);
      await byId('main-cell')(page).fill(words);
    },
    field: byId('main-cell'),
    act: pressThere('Rename'),
    save: pressThere('Rename'),
    stored: () => read('r/Papers/mailbox'),
  },
  'a signature': {
    at: '#/settings/writing',
    begin: fill(byId('signature')),
    field: byId('signature'),
    act: press('Save'),
    save: press('Save'),
    stored: signature,
  },
};

/** What stands in it, whatever it is. */
const textIn = (field: Locator) =>
  field.evaluate((node) => {
    const { isContentEditable, textContent, value } = node as unknown as Record<string, string>;
    return (isContentEditable ? textContent : value) ?? '';
  });

/** letters before the cursor */
const CURSOR = 4;

async function setCursor(field: Locator) {
  await field.press('ControlOrMeta+Home');
  for (let i = 0; i < CURSOR; i++) await field.press('ArrowRight');
}

const BEFORE_CURSOR = `(({ activeElement }, { focusNode, focusOffset }) => {
  if (activeElement.selectionStart !== undefined) return activeElement.selectionStart;
  const range = document.createRange();
  range.selectNodeContents(activeElement);
  range.setEnd(focusNode, focusOffset);
  return range.toString().length;
})(document, getSelection())`;

/** undefined where the field has no focus */
async function beforeCursor(field: Locator) {
  const isThere = (await field.and(field.page().locator(':focus')).count()) > 0;
  return isThere ? field.page().evaluate<number>(BEFORE_CURSOR) : undefined;
}

before(async () => {
  await putObject(alice, 'r/Tasks/rye', 'text/calendar', calendarObject('VTODO', 'rye', ['SUMMARY:Sow rye']));
  const times = ['DTSTART:20310617T080000Z', 'DTEND:20310617T090000Z', 'SUMMARY:Market'];
  await putObject(alice, 'r/Calendar/market', 'text/calendar', calendarObject('VEVENT', 'market', times));
  const card = ['BEGIN:VCARD', 'VERSION:3.0', 'UID:una', 'FN:Una Holm', 'N:Holm;Una;;;', 'END:VCARD', ''];
  await putObject(alice, 'r/Contacts/una', 'text/vcard', card.join('\r\n'));
  const note = ['BEGIN:VNOTE', 'VERSION:1.1', 'UID:broth', 'SUMMARY:Broth', 'BODY:Leek', 'END:VNOTE', ''];
  await putObject(alice, 'r/Notes/broth', 'text/vnote', note.join('\r\n'));
  const room = JSON.stringify({ name: 'Papers', kind: 'public', view: 12, floor: 0 });
  const json = { 'content-type': 'application/json' };
  assert.equal((await alice('r/', { method: 'POST', headers: json, body: room })).status, 201);
  await putObject(alice, 'r/Papers/plan.txt', 'text/plain', 'Leeks');
  // who has just come is not known as online at once
  const body = JSON.stringify({ to: 'bob', text: 'Are you there?' });
  const options = { method: 'POST', headers: json, body };
  await gateway.as('bob')('a/im');
  await eventually(async () => (await alice('a/im', options)).status, 204);
});

/**
 * Acts in a page that any answer of the server may empty meanwhile: nothing waits there for what is gone, so as to
 * act in the page after the log-in. Answers whether it was done.
 */
async function whileThere(page: Page, act: () => Promise<unknown>) {
  let isDone = false;
  page.setDefaultTimeout(3 * FOLLOW_MS);
  await eventually(async () => {
    if (await gate(page).isVisible()) return true;
    await act();
    return (isDone = true);
  }, true);
  page.setDefaultTimeout(EVENTUALLY_MS);
  return isDone;
}

/** The reader is asked to log in, at the latest when something was asked of the server. */
async function untilGate(page: Page, act: () => Promise<unknown>) {
  await gate(page)
    .waitFor({ timeout: FOLLOW_MS })
    .catch(() => whileThere(page, act));
  await gate(page).waitFor();
}

async function logOutElsewhere(page: Page) {
  const other = await page.context().newPage();
  await other.goto(`${gateway.url}svc/a/landing.html`);
  await logOut(other);
  await gate(other).waitFor();
  await other.close();
}

for (const [ending, end] of [
  ['the cookie goes', (page: Page) => page.context().clearCookies()],
  ['another window logs out', logOutElsewhere],
] as const) {
  describe(`when ${ending}, there is after the log-in`, () => {
    for (const [name, { at, isCommon, begin, field, act, also, save, stored }] of Object.entries(FORMS)) {
      if (end === logOutElsewhere && !isCommon) continue;
      it(name, async () => {
        const page = await openAs('alice', at, { timezoneId: 'UTC' });
        let words = `Kept when ${ending}`;
        await begin(page, words);
        // a page that follows other windows can be gone when they log out
        const isFollowing = end === logOutElsewhere;
        if (!isFollowing) await end(page);
        const more = `${words} and more`;
        if (await whileThere(page, () => field(page).fill(more))) words = more;
        if (isFollowing) {
          await setCursor(field(page));
          await end(page);
        }
        await untilGate(page, () => act(page));
        await logIn(page, 'alice');
        await eventually(async () => (await textIn(field(page))).includes(words), true);
        if (isFollowing) await eventually(() => beforeCursor(field(page)), CURSOR);
        await also?.(page);
        await save(page);
        await eventually(async () => (await stored()).replaceAll(/\r?\n[ \t]/g, '').includes(words), true);
      });
    }
  });
}

it('an administrator finds again what stood in a dialog, and nobody else does', async () => {
  const page = await open();
  const login = { username: 'admin', password: ADMIN_PASSWORD };
  await page.context().request.post(`${gateway.url}svc/a/login`, { data: login });
  for (const [at, begin, field, save, stored] of [
    ['users', 'New user', byId('new-user'), 'Create account', 'u/'],
    ['floors', 'Rename Main Floor', byId('floor-new-name'), 'Rename', 'f/'],
  ] as const) {
    const words = `Kept in ${at}`;
    await page.goto(`${gateway.url}svc/a/landing.html#/${at}`);
    await press(begin)(page);
    await field(page).fill(words);
    await page.context().clearCookies();
    if (at === 'users') await byId('new-user-password')(page).fill('secret');
    await pressThere(save)(page);
    await gate(page).waitFor();
    await logIn(page, 'alice');
    await page.getByRole('button', { name: 'Account of alice' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await logOut(page);
    await logIn(page, 'admin', ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Account of admin' }).waitFor();
    await page.evaluate(`location.hash = '#/${at}'`);
    await eventually(() => field(page).inputValue(), words);
    if (at === 'users') await byId('new-user-password')(page).fill('secret');
    await pressThere(save)(page);
    await eventually(async () => (await gateway.as('admin', ADMIN_PASSWORD)(stored)).text(), new RegExp(words));
    await eventually(() => page.getByRole('dialog').count(), 0);
  }
});

it('a draft of the server that has a new number by then goes on from what was written last', async () => {
  const answer = await alice('r/_DRAFTS_/new?subj=Moving', { method: 'PUT', body: 'As it was' });
  const msgnum = /\d+/.exec(answer.headers.get('etag') ?? '')?.[0];
  const page = await openAs('alice', `#/r/Drafts/${msgnum}`);
  await eventually(() => textIn(message(page)), /As it was/);
  await message(page).fill('First');
  await page.getByText(/^Draft saved/).waitFor();
  await page.context().clearCookies();
  await message(page).fill('First and second');
  await page.getByRole('combobox', { name: 'To', exact: true }).fill('bo');
  await gate(page).waitFor();
  await logIn(page, 'alice');
  await eventually(() => textIn(message(page)), 'First and second');
  // half a name may have become a recipient when the form went
  const half = page.getByRole('combobox', { name: 'To', exact: true });
  await eventually(async () => `${await half.inputValue()} ${await button(page, 'Remove bo').count()}`, /bo|1/);
  await eventually(() => textsOf('_DRAFTS_'), /First and second/);
});

it('a picture that comes when the session is over does not keep the page from asking for a log-in', async () => {
  const page = await openAs('alice', '#/r/Town%20Square');
  const asked = Promise.withResolvers<void>();
  await page.route('**/r/Town%20Square/23/1.2', async (route) => {
    await page.context().clearCookies();
    await route.continue();
    asked.resolve();
  });
  await press('Show as chat')(page);
  await asked.promise;
  await chatField(page).fill('A line');
  await whileThere(page, () => press('Send')(page));
  await gate(page).waitFor();
});

it('a mail that is sent when the session is over already stays in its form', async () => {
  const page = await openAs('alice', '#/r/Mail/new');
  await writeMail(page, 'To be sent');
  await page.context().clearCookies();
  await press('Send')(page);
  await gate(page).waitFor();
  await logIn(page, 'alice');
  await mailIsWhole(page);
  await message(page).getByText('To be sent').waitFor();
});

it('what one has written is not shown to another, but again to oneself, also after a reload', async () => {
  const page = await openAs('alice', '#/account');
  await byId('bio')(page).fill('Only of alice');
  await page.context().clearCookies();
  await press('Save')(page);
  await logIn(page, 'bob');
  await page.getByRole('button', { name: 'Account of bob' }).waitFor();
  await eventually(() => byId('bio')(page).inputValue(), '');
  assert.equal(await page.getByText('Your draft has been restored.').count(), 0);
  await logOut(page);
  await gate(page).waitFor();
  await page.evaluate('location.hash = "#/account"');
  await logIn(page, 'alice');
  await eventually(() => byId('bio')(page).inputValue(), 'Only of alice');
  await page.reload();
  await page.getByText('Your draft has been restored.').waitFor();
  await eventually(() => byId('bio')(page).inputValue(), 'Only of alice');
  await press('Discard')(page);
  await eventually(() => page.getByText('Your draft has been restored.').count(), 0);
  assert.notEqual(await byId('bio')(page).inputValue(), 'Only of alice');
});

it('whoever logs out is asked about what is not saved', async () => {
  const page = await openAs('alice', '#/r/Town%20Square/new');
  await message(page).fill('Not posted yet');
  await logOut(page);
  await page.getByRole('alertdialog').getByText('You have unsaved changes.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await eventually(() => message(page).textContent(), 'Not posted yet');
  await logOutAnyway(page);
});

/** Nothing is left but whose page it was, for a log-in as somebody else. */
async function logOutAnyway(page: Page) {
  await logOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await gate(page).waitFor();
  const left = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  assert.match(left, /^\{"former":"\{\\"account\\":\d+,\\"hasEnded\\":false\}"\}$/);
}

it('whoever logs out leaves nothing behind, also where the page hears of the end before the answer', async () => {
  const page = await openAs('alice', '#/r/Town%20Square/new');
  await message(page).fill('Not posted yet');
  const heard = page.waitForResponse((answer) => answer.url().endsWith('/a/whoami') && answer.status() === 401);
  await page.route('**/a/logout', async (route) => {
    const response = await route.fetch();
    await heard;
    // what it does then
    await page.waitForTimeout(FOLLOW_MS);
    await route.fulfill({ response });
  });
  await logOutAnyway(page);
  assert.equal(await page.getByText('Your session has expired.').count(), 0);
});

it('what could still be undone is not done by who logs in then', async () => {
  const page = await openAs('alice', '#/r/Tasks/task/rye');
  await press('Delete task')(page);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.context().clearCookies();
  await page.getByLabel('New task').fill('x');
  await page.getByLabel('New task').press('Enter');
  await gate(page).waitFor();
  await logIn(page, 'alice');
  await page.getByRole('link', { name: 'Sow rye' }).waitFor();
  assert.match(await read('r/Tasks/rye'), /SUMMARY:Sow rye/);
});

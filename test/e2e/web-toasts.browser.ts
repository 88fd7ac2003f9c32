// What the page says beside its content: a way back stays until it is used or its time is over, whatever else is said
// meanwhile, and nothing tells the reader of what they did themselves, here or on another device, or have in view.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { go, hear, startWebClient } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });
/** alice's other device */
const alice = gateway.as('alice');
const bob = gateway.as('bob');

type Asker = typeof alice;

async function put(ask: Asker, path: string): Promise<number> {
  const answer = await ask(path, { method: 'PUT', body: 'Text' });
  assert.equal(answer.status, 201, path);
  return Number(/\d+/.exec(answer.headers.get('etag') ?? '')?.[0]);
}

const change = async (ask: Asker, room: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(`r/${room}/mailbox`, { method: 'PATCH', headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 204);
};

const toasts = (page: Page) => page.locator('#toasts > *');
const row = (page: Page, subject: string) => page.locator('.row').filter({ hasText: subject });

/** alice at `hash`; `told()` is all that toasts and the hidden line for screen readers have said since. */
async function openHeard(hash: string, title: string) {
  const page = await openAs('alice', hash);
  await page.getByRole('heading', { level: 1, name: title }).filter({ visible: true }).waitFor();
  // asked for when the stream of news is open
  const asked = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/a/im'))`;
  await eventually(() => page.evaluate(asked), true);
  return { page, told: await hear(page) };
}

/** The sidebar has heard of it, so what is to be said of what came before has been said. */
async function sync(page: Page, told: () => Promise<string[]>) {
  const { length } = (await told()).filter((words) => /New in Lobby/.test(words));
  await put(bob, 'r/Lobby/new?subj=Sync');
  await eventually(async () => (await told()).filter((words) => /New in Lobby/.test(words)).length, length + 1);
  await page.evaluate('document.getElementById("heard").textContent = ""');
}

/** But for what sync() has made it say. */
const others = (told: string[]) => told.filter((words) => words !== '' && !/New in Lobby/.test(words));

describe('a way back', () => {
  it('stays while others write and another device saves a draft, and calls the mail back', async () => {
    await put(alice, 'r/_DRAFTS_/new?subj=Second%20thoughts&mailto=bob');
    const { page, told } = await openHeard('#/r/Drafts', 'Drafts');
    await row(page, 'Second thoughts').locator('a').click();
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
    await toasts(page).filter({ hasText: 'Sending to bob' }).waitFor();
    await put(bob, 'r/Mail/new?mailto=alice&subj=While%20you%20wait');
    await toasts(page).filter({ hasText: 'You have new mail.' }).waitFor();
    await put(alice, 'r/_DRAFTS_/new?subj=From%20the%20other%20device');
    await row(page, 'From the other device').waitFor();
    await sync(page, told);
    await page.getByRole('button', { name: 'Undo' }).click({ timeout: 1000 });
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    assert.deepEqual(others(await told()), ['Sending to bobUndo', 'You have new mail.']);
    assert.doesNotMatch(await (await alice('r/_SENT_/mailbox')).text(), /Second thoughts/);
  });

  it('of each of several things is there at the same time', async () => {
    for (const subject of ['Ash', 'Birch', 'Cedar']) await put(bob, `r/Mail/new?mailto=alice&subj=${subject}`);
    const { page } = await openHeard('#/r/Mail', 'Mail');
    for (const subject of ['Ash', 'Birch', 'Cedar']) {
      await row(page, subject).locator('a').click();
      await page.getByRole('heading', { name: subject }).last().waitFor();
      await page.keyboard.press('#');
      await row(page, subject).waitFor({ state: 'detached' });
    }
    const undo = page.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.count(), 3);
    await undo.nth(1).click();
    await row(page, 'Birch').waitFor();
    assert.equal(await undo.count(), 2);
    assert.deepEqual([await row(page, 'Ash').count(), await row(page, 'Cedar').count()], [0, 0]);
  });
});

describe('a way back from a deletion', () => {
  it('is in sight beside a sidebar of icons', async () => {
    await put(bob, 'r/Mail/new?mailto=alice&subj=Elder');
    const page = await openAs('alice', '#/r/Mail', { viewport: { width: 800, height: 700 } });
    await row(page, 'Elder').locator('a').click();
    await page.getByRole('heading', { name: 'Elder' }).last().waitFor();
    await page.keyboard.press('#');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Elder').waitFor();
  });

  it('is still there when the reader comes back to the room', async () => {
    await put(bob, 'r/Mail/new?mailto=alice&subj=Dogwood');
    const { page } = await openHeard('#/r/Mail', 'Mail');
    await row(page, 'Dogwood').locator('a').click();
    await page.getByRole('heading', { name: 'Dogwood' }).last().waitFor();
    await page.keyboard.press('#');
    await row(page, 'Dogwood').waitFor({ state: 'detached' });
    // time stands still meanwhile
    await page.getByRole('button', { name: 'Undo' }).hover();
    for (const room of ['Lobby', 'Mail']) {
      await go(page, `#/r/${room}`);
      await page.getByRole('heading', { level: 1, name: room }).filter({ visible: true }).waitFor();
    }
    await page.locator('.row').first().waitFor();
    assert.equal(await row(page, 'Dogwood').count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Dogwood').waitFor();
    await page.waitForTimeout(500);
    assert.match(await (await alice('r/_MAIL_/mailbox')).text(), /Dogwood/);
  });
});

describe('nothing is told', () => {
  it('of what one posts, sends, moves or marks on another device', async () => {
    const moved = await put(bob, 'r/Mail/new?mailto=alice&subj=To%20be%20moved');
    const { page, told } = await openHeard('#/r/Town%20Square', 'Town Square');
    await put(alice, 'r/Town%20Square/new?subj=Mine%20alone');
    await row(page, 'Mine alone').waitFor();
    await put(alice, 'r/Mail/new?mailto=alice&subj=Note%20to%20self');
    await sync(page, told);
    await put(alice, 'r/Garden%20Diary/new?subj=My%20diary');
    const { msgs } = (await (await alice('r/_MAIL_/mailbox')).json()) as {
      msgs: { msgnum: number; subject: string }[];
    };
    const number = msgs.find(({ subject }) => subject === 'To be moved')?.msgnum ?? moved;
    await change(alice, 'Mail', { msgnums: [number], move_to: 'Trash' });
    await change(alice, 'Lobby', { msgnums: [1, 2, 3], seen: false });
    await sync(page, told);
    assert.deepEqual(others(await told()), []);
  });

  it('with a toast of what is in view; it is read out', async () => {
    const { page } = await openHeard('#/r/Town%20Square', 'Town Square');
    await put(bob, 'r/Town%20Square/new?subj=Look%20here');
    await row(page, 'Look here').waitFor();
    await eventually(() => page.locator('#heard').textContent(), 'One new message.');
    assert.equal(await toasts(page).count(), 0);
    // the form is in the place of the list
    await page.setViewportSize({ width: 390, height: 844 });
    await go(page, '#/r/Town%20Square/new');
    await page.getByLabel('Subject', { exact: true }).waitFor();
    await put(bob, 'r/Town%20Square/new?subj=Hidden%20here');
    await toasts(page).filter({ hasText: 'One new message.' }).waitFor();
  });
});

// The web client in a browser: what every state of it must hold, and what it makes of guests, long rooms, broken
// sessions and hostile messages.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { checkPage, focused, go, logIn, NARROW, startWebClient, textOf, WIDE } from '../support/web-client.ts';

const { gateway, open, openAs } = await startWebClient({ after, afterEach });

// runs in the browser, whose types the rest of the code does not have
const colourOf = (node: unknown) =>
  (globalThis as unknown as { getComputedStyle(node: unknown): { color: string } }).getComputedStyle(node).color;

describe('every state of the page', () => {
  for (const [colorScheme, viewport] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    it(`has names, one h1, contrast and no overflow, ${viewport.width} wide and ${colorScheme}`, async () => {
      const page = await open({ colorScheme, viewport });
      await page.goto(gateway.url);
      await page.getByLabel('User name').waitFor();
      await checkPage(page);
      await logIn(page, 'alice', 'wrong');
      await page.getByText('Wrong user name or password.').waitFor();
      await checkPage(page);
      await logIn(page, 'alice');
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
      await checkPage(page);
      for (const [hash, sign] of [
        ['#/r/Town%20Square', 'Minutes of the meeting'],
        ['#/r/Town%20Square/23', 'rainfall.csv'],
        ['#/r/Mail/new', 'Bcc'],
        ['#/r/Members/7', 'bob@example.org'],
        ['#/r/Nowhere', 'Room not found'],
        ['#/r/Lobby/999999', 'Message not found'],
      ] as const) {
        await go(page, hash);
        await page.getByText(sign, { exact: true }).filter({ visible: true }).first().waitFor();
        await checkPage(page);
      }
    });
  }

  it('shows one pane at a time on a small screen, with a way back', async () => {
    const page = await openAs('alice', '#/rooms', { viewport: NARROW });
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    await rooms.getByRole('link', { name: /^Lobby/ }).waitFor();
    await checkPage(page);
    await rooms.getByRole('link', { name: /^Town Square/ }).click();
    await page.getByRole('link', { name: /Sunrise/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Sunrise over bed 3' }).waitFor();
    await eventually(() => rooms.isVisible(), false);
    await eventually(() => page.getByRole('list', { name: 'Town Square' }).isVisible(), false);
    await page.getByRole('link', { name: 'Town Square' }).click();
    await page.getByRole('link', { name: /Sunrise/ }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Rooms', exact: true }).click();
    await rooms.getByRole('link', { name: /^Lobby/ }).click();
    await page.getByRole('link', { name: /Welcome/ }).press('Escape');
    await eventually(() => page.evaluate('location.hash'), '#/rooms');
    await eventually(() => focused(page), /^Lobby/);
  });
});

describe('when something goes wrong', () => {
  it('keeps what is being written over the end of the session', async () => {
    const page = await openAs('alice');
    // news would find out before the button does that there is no session
    await page.route('**/a/events?*', (route) => route.abort());
    await page.reload();
    await go(page, '#/r/Lobby/new');
    await page.getByLabel('Subject', { exact: true }).fill('Half');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thou');
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
    await page.getByLabel('Attach files').setInputFiles(file);
    await page.getByRole('button', { name: 'Remove a.txt' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Post' }).click();
    await page.getByText('Your session has expired.').waitFor();
    const text = page.getByRole('textbox', { name: 'Message', exact: true });
    await eventually(() => text.count(), 0);
    await logIn(page, 'alice');
    await eventually(() => text.textContent(), 'Half a thou');
    await eventually(() => page.getByLabel('Subject', { exact: true }).inputValue(), 'Half');
    await page.getByRole('button', { name: 'Post' }).click();
    await page.getByRole('heading', { level: 2, name: 'Half' }).waitFor();
    await page.getByRole('link', { name: /^a\.txt/ }).waitFor();
    await go(page, '#/r/Lobby/new');
    await page.getByRole('heading', { level: 2, name: 'New topic' }).waitFor();
    await eventually(() => text.textContent(), ''); // sent, so no draft is left
  });

  it('shows the next user of the page no instant message of the one before', async () => {
    const headers = { 'content-type': 'application/json' };
    const data = { to: 'alice', text: 'Only for you' };
    const page = await openAs('alice');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await eventually(async () => {
      const sent = await gateway.as('bob')('a/im', { method: 'POST', headers, body: JSON.stringify(data) });
      return sent.status;
    }, 204);
    const words = page.getByText('Only for you');
    await words.waitFor();
    await page.context().clearCookies();
    await go(page, '#/people');
    await page.getByText('Your session has expired.').waitFor();
    await logIn(page, 'bob');
    await page.getByRole('heading', { name: 'Who is online' }).waitFor();
    await eventually(() => words.count(), 0);
  });

  it('tells how long to wait after too many log-ins', async () => {
    const page = await open();
    await page.route('**/a/login', (route) => {
      return route.fulfill({ status: 429, headers: { 'Retry-After': '40' }, json: { title: 'Too Many Requests' } });
    });
    await page.goto(gateway.url);
    await logIn(page, 'alice');
    await page.getByRole('alert').getByText('Try again in 40 seconds').waitFor();
  });

  it('offers to try again when the server cannot be reached', async () => {
    const page = await openAs('alice');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.route('**/r/Lobby/**', (route) => route.abort());
    await go(page, '#/r/Lobby');
    await page.getByRole('alert').getByText('No connection').waitFor();
    await eventually(() => page.title(), /^(\(\d+\) )?No connection – /);
    await eventually(() => focused(page), 'Try again');
    await page.unroute('**/r/Lobby/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
  });

  it('asks for the password of a room', async () => {
    const page = await openAs('bob');
    await page.route('**/r/Lobby/**', async (route) => {
      if ((await route.request().headerValue('X-Room-Password')) === 'sesame') return route.continue();
      return route.fulfill({ status: 403, json: { title: 'Forbidden', detail: 'Its password.', code: 540 } });
    });
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .click();
    await page.getByLabel('Room password').fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Welcome/ }).waitFor();
  });

  it('runs nothing that a message brings, and shows the styles it may have', async () => {
    const html =
      '<p style="color: rgb(200, 0, 0)">Hello</p><script>parent.document.title = "mine"</script>' +
      '<img src=x onerror="parent.document.title = \'mine\'"><a href="javascript:alert(1)">x</a>' +
      '<style>body { display: none }</style><form action="https://elsewhere.example"><input name=a></form>' +
      '<p>He said: style="color: blue"</p>';
    const response = await gateway.as('bob')('r/Lobby/new?subj=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', {
      method: 'PUT',
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: html,
    });
    const number = JSON.parse(response.headers.get('etag')!) as string;
    const page = await openAs('alice', `#/r/Lobby/${number}`);
    await page.getByRole('heading', { level: 2, name: '<img src=x onerror=alert(1)>' }).waitFor();
    const text = textOf(page).getByText('Hello');
    await text.waitFor();
    await eventually(() => text.evaluate(colourOf), 'rgb(200, 0, 0)');
    await textOf(page).getByText('He said: style="color: blue"').waitFor();
    const hostile = textOf(page).locator('script, style, form, input, [onerror], [href^=javascript]');
    await eventually(() => hostile.count(), 0);
    await eventually(() => page.title(), /^(\(\d+\) )?<img src=x onerror=alert\(1\)> – Lobby – /);
    assert.doesNotMatch((await page.locator('iframe').getAttribute('sandbox'))!, /scripts|forms|top-navigation/);
  });
});

describe('the look of a message', () => {
  const DOT = '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==" alt="" ';
  const HTML =
    `<p id=top>above</p>${DOT}width="400" height="2">` +
    `<table width=500 cellpadding=20><tr align=center><td valign=bottom height=90>Centred<td align=right>${DOT}` +
    'width=100 height=50></table><table><tr><td>Bare</table><p><a href="#top">To the top</a>' +
    '<p><a href="https://evil.example/login">www.bank.example</a> <a href="https://a.example/">a.example</a>';
  const BOXES = `[...document.images].map((image) => image.getBoundingClientRect())
    .map(({ width, height }) => [width, height].map(Math.round).join(' x '))`;
  const CELLS = `[...document.querySelectorAll('td')].map((cell) => getComputedStyle(cell))
    .map((style) => [style.padding, style.textAlign, style.verticalAlign].join(' '))`;

  it('is that of its attributes, and on a phone it is made smaller as a whole', async () => {
    const response = await gateway.as('bob')('r/Lobby/new?subj=Shapes', {
      method: 'PUT',
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: HTML,
    });
    const hash = `#/r/Lobby/${JSON.parse(response.headers.get('etag')!)}`;
    const frameOf = async (page: Page) => {
      await textOf(page).getByText('above').waitFor();
      return (await (await page.locator('iframe').elementHandle())!.contentFrame())!;
    };
    const wide = await frameOf(await openAs('alice', hash));
    await eventually(() => wide.evaluate<string[]>(BOXES), ['400 x 2', '100 x 50']);
    const cells = ['20px -webkit-center bottom', '20px -webkit-right middle', '1px start middle'];
    assert.deepEqual(await wide.evaluate<string[]>(CELLS), cells);
    const told = "[...document.querySelectorAll('.leads-to')].map((one) => one.textContent.trim())";
    assert.deepEqual(await wide.evaluate<string[]>(told), ['(leads to evil.example)']);

    const page = await openAs('alice', hash, { viewport: NARROW });
    const narrow = await frameOf(page);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await eventually(() => narrow.evaluate<number>(overflow), 0);
    const [spacer, picture] = await narrow.evaluate<number[][]>(
      '[...document.images].map((image) => image.getBoundingClientRect()).map(({ width, height }) => [width, height])',
    );
    assert.ok(Math.abs(spacer![0]! / spacer![1]! - 200) < 40, `${spacer}`);
    assert.ok(picture![0]! < 70 && Math.abs(picture![0]! / picture![1]! - 2) < 0.1, `${picture}`);
    await textOf(page).getByText('To the top').click();
    await textOf(page).getByText('above').waitFor();
    await checkPage(page);
  });
});

describe('a long room', () => {
  it('shows the newest, has few rows in the page, and reads on where the reader scrolls', async () => {
    const page = await open();
    const rows = Array.from({ length: 5000 }, (_, i) => ({
      msgnum: i + 1,
      time: 1_700_000_000 + i * 60,
      author: 'alice',
      addr: '',
      subject: `Subject ${i + 1}`,
      msgidhash: i + 1,
      references: [],
      seen: i < 4500,
    }));
    await page.route('**/r/Lobby/mailbox?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [last, before] = [Number(query.get('last')), Number(query.get('before') ?? 5001)];
      const msgs = query.has('after') ? [] : rows.slice(Math.max(0, before - 1 - last), before - 1);
      return route.fulfill({ json: { name: 'Lobby', total_messages: 5000, new_messages: 500, msgs } });
    });
    await page.goto(`${gateway.url}svc/a/landing.html#/r/Lobby`);
    await logIn(page, 'alice');
    const list = page.getByRole('list', { name: 'Lobby' });
    await list.getByRole('link', { name: /Unread: Subject 5000/ }).waitFor();
    await page.getByText('500 unread', { exact: true }).waitFor({ state: 'attached' });
    assert.ok((await list.getByRole('link').count()) < 60);
    await list.getByRole('link').first().focus();
    await page.keyboard.press('End');
    await eventually(() => focused(page), /Subject 4801/);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focused(page), /Subject 4800/);
    assert.ok((await list.getByRole('link').count()) < 60);
    const item = list.getByRole('listitem').filter({ has: page.locator('a[data-msgnum="4800"]') });
    await eventually(() => item.getAttribute('aria-posinset'), '201');
  });
});

describe('a message far down in its room', () => {
  it('is shown, and marked in sight in its list, when its address or a search leads there', async () => {
    const alice = gateway.as('alice');
    const body = JSON.stringify({ name: 'Deep', kind: 'public', view: 1 });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await alice('r/', { method: 'POST', headers, body })).status, 201);
    for (let n = 1; n <= 160; n++) await alice(`r/Deep/new?subj=Depth%20${n}`, { method: 'PUT', body: `mark${n}` });
    const [, , third] = (await (await alice('r/Deep/msgs.all')).json()) as number[];
    const isMarked = (page: Page, subject: string) =>
      eventually(
        () =>
          page.evaluate(`(() => {
            const row = document.querySelector('.virtual [aria-current]');
            const [own, list] = [row, row?.closest('.pane-body')].map((node) => node?.getBoundingClientRect());
            return own && own.top >= list.top && own.bottom <= list.bottom ? row.textContent : 'none in sight';
          })()`),
        new RegExp(`${subject}\\b`),
      );
    const page = await openAs('alice', `#/r/Deep/${third}`);
    await page.getByRole('heading', { level: 2, name: 'Depth 3', exact: true }).waitFor();
    await isMarked(page, 'Depth 3');
    await go(page, '#/');
    await page.getByLabel('Search rooms and messages').fill('mark7');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Depth 7$/ }).click();
    await page.getByRole('link', { name: 'Open in its room' }).click();
    await page.getByRole('heading', { level: 2, name: 'Depth 7', exact: true }).waitFor();
    await isMarked(page, 'Depth 7');
  });
});

describe('a guest', () => {
  it('sees the rooms beside the way in, where the server lets guests look', async () => {
    const reader = gateway.as('alice');
    const page = await open();
    await page.route('**/a/start', async (route) => {
      const start = (await (await reader('a/start')).json()) as { user: object; server: object };
      const user = { ...start.user, logged_in: false, username: '', fullname: '' };
      const server = { ...start.server, serv_humannode: 'Garden', serv_supports_guest: true };
      await route.fulfill({ json: { ...start, user, server } });
    });
    await page.route(/\/svc\/r\//, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const answer = await reader(pathname.slice('/svc/'.length) + search);
      await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() });
    });
    await page.goto(gateway.url);
    await page.getByRole('banner').getByRole('link', { name: 'Garden' }).waitFor();
    await page.getByText('You are browsing as a guest.').waitFor();
    assert.equal(await page.title(), 'Inbox – Garden', 'nothing is counted of what guests have not read');
    await checkPage(page);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Lobby/ })
      .click();
    await page.getByRole('link', { name: /^Welcome/ }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'New topic', exact: true }).count(), 0);
    await checkPage(page);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('User name').waitFor();
  });
});

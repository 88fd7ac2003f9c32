// PUT of a message.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, postedNumber, startBoth } from '../../support/gateway.ts';

type Fields = Record<string, unknown>;

const users = [{ name: 'carol', password: 'carol' }];
const square = 'r/Town%20Square';

for (const [name, gateway] of await startBoth({ after }, { demo: true, users })) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const put = (path: string, body: string, type = 'text/plain; charset=utf-8') =>
    alice(path, { method: 'PUT', headers: { 'content-type': type }, body });
  const post = async (query: string, body: string, type?: string) =>
    `${square}/${postedNumber(await put(`${square}/new${query}`, body, type))}`;

  describe(`posting on ${name}`, () => {
    it('answers 201 with number and place', async () => {
      const response = await put(`${square}/whatever-on-${encodeURIComponent(name)}`, 'text');
      assert.equal(response.status, 201);
      const number = postedNumber(response);
      assert.equal(response.headers.get('location'), `/svc/${square}/${number}`);
      assert.equal((await alice(response.headers.get('location')!)).status, 200);
    });

    it('takes a body without a type for text where it is text', async () => {
      for (const [body, type] of [
        ['Grüße\n', 'text/plain; charset=utf-8'],
        ['a\0b', 'application/octet-stream'],
        [Buffer.from('Gr\xfc\xdfe', 'latin1'), 'application/octet-stream'],
      ] as const) {
        const number = postedNumber(await alice(`${square}/new`, { method: 'PUT', body }));
        const response = await alice(`${square}/${number}`);
        assert.equal(response.headers.get('content-type'), type);
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(body));
      }
    });

    it('takes a subject with a bar, which parts the fields of the line protocol', async () => {
      const path = await post('?subj=a%20%7C%20b', 'text');
      assert.equal((await json(alice, `${path}/json`)).subj, 'a | b');
    });

    it('takes subject, references and recipients', async () => {
      const first = await post('?subj=Wie%20hei%C3%9Ft+es%3F', 'the first');
      const { msgn, subj } = await json(alice, `${first}/json`);
      assert.equal(subj, 'Wie heißt es?');
      const second = await post(`?subj=Re&wefw=${encodeURIComponent(`<x@y>!${msgn}`)}`, 'the second');
      assert.match(String((await json(alice, `${second}/json`)).wefw), new RegExp(`x@y.*${msgn}`));
      const rows = (await json(alice, `${square}/mailbox`)).msgs as Fields[];
      assert.equal((rows.at(-1)!.references as number[]).at(-1), rows.at(-2)!.msgidhash);
      const mail = await put('r/Mail/new?subj=hi&mailto=bob&mailcc=carol', 'dear bob');
      assert.equal(mail.status, 201);
      const inbox = (await json(bob, 'r/Mail/msgs.last%7C1')) as unknown as number[];
      const received = await json(bob, `r/Mail/${inbox[0]}/json`);
      assert.deepEqual([received.subj, received.from], ['hi', 'alice']);
      assert.match(String(received.rcpt), /bob/);
      assert.match(String(received.cccc), /carol/);
    });

    it('refuses an unknown recipient, an empty body and a room that may not be written to', async () => {
      const mails = await json(alice, 'r/Mail/msgs.all');
      assert.equal((await put('r/Mail/new?mailto=nobody%20here', 'x')).status, 400);
      const before = await json(alice, `${square}/msgs.all`);
      assert.equal((await put(`${square}/new`, '')).status, 400);
      assert.deepEqual(await json(alice, `${square}/msgs.all`), before);
      assert.deepEqual(await json(alice, 'r/Mail/msgs.all'), mails);
      assert.equal((await bob('r/Announcements/new', { method: 'PUT', body: 'x' })).status, 403);
      assert.equal((await put('r/No%20such%20room/new', 'x')).status, 404);
      const large = 'x'.repeat(100_000);
      assert.equal((await bob('r/Announcements/new', { method: 'PUT', body: large })).status, 403);
      assert.equal((await put('r/No%20such%20room/new', large)).status, 404);
    });

    it('honours If-None-Match and If-Match', async () => {
      const some = await post('', 'text');
      for (const headers of [{ 'if-match': '"1"' }, { 'if-match': '*' }]) {
        const response = await alice(`${square}/new`, { method: 'PUT', headers, body: 'x' });
        assert.equal(response.status, 412, JSON.stringify(headers));
      }
      const headers = { 'if-none-match': '*' };
      assert.equal((await alice(`${square}/new`, { method: 'PUT', headers, body: 'x' })).status, 201);
      assert.equal((await alice(some, { method: 'DELETE', headers: { 'if-match': '"1"' } })).status, 412);
      assert.equal((await alice(some)).status, 200);
    });

    it('replaces the page of a wiki: 201, then 204', async () => {
      const page = `r/Handbook/page-${Math.random().toString(36).slice(2)}`;
      assert.equal((await put(page, '<p>one</p>', 'text/html')).status, 201);
      assert.equal((await put(page, '<p>two</p>', 'text/html')).status, 204);
      assert.equal(await (await alice(page)).text(), '<p>two</p>');
      const headers = { 'content-type': 'text/html', 'if-none-match': '*' };
      assert.equal((await alice(page, { method: 'PUT', headers, body: 'three' })).status, 412);
      assert.equal(await (await alice(page)).text(), '<p>two</p>');
    });

    it('knows events and cards by their UID', async () => {
      const uid = `event-${Math.random().toString(36).slice(2)}@here`;
      const event = (summary: string) =>
        [
          'BEGIN:VCALENDAR',
          'VERSION:2.0',
          'PRODID:-//test//EN',
          'BEGIN:VEVENT',
          `UID:${uid}`,
          'DTSTAMP:20260101T100000Z',
          'DTSTART:20260102T100000Z',
          `SUMMARY:${summary}`,
          'END:VEVENT',
          'END:VCALENDAR',
          '',
        ].join('\r\n');
      const type = 'text/calendar; charset=utf-8';
      assert.equal((await put(`r/Events/${uid}.ics`, event('one'), type)).status, 201);
      assert.equal((await put(`r/Events/${uid}.ics`, event('two'), type)).status, 204);
      for (const path of [`r/Events/${uid}`, `r/Events/${uid}.ics`]) {
        assert.equal(await (await alice(path)).text(), event('two'), path);
      }
      assert.equal((await alice(`r/Events/${uid}.ics`, { method: 'DELETE' })).status, 204);
      assert.equal((await alice(`r/Events/${uid}`)).status, 404);
    });
  });
}

async function json(api: Api, path: string): Promise<Fields> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Fields;
}

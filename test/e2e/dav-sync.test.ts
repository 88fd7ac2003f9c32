// sync-collection: the examples of RFC 6578 sections 3.8 to 3.10, and what clients rely on beyond them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Api } from '../support/gateway.ts';
import { reportWorlds } from '../support/report-worlds.ts';
import {
  calendarOf,
  condition,
  cutAt,
  gone,
  multistatus,
  report,
  responseOf,
  store,
  TAG,
  toldReport,
} from '../support/reports.ts';

const event = (uid: string, summary = uid) =>
  calendarOf(
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260104T100000Z',
    `SUMMARY:${summary}`,
    'END:VEVENT',
  );
const sync = (token: string, { props = '<D:getetag/>', limit = 0, level = '<D:sync-level>1</D:sync-level>' } = {}) =>
  `<D:sync-collection><D:sync-token>${token}</D:sync-token>${level}` +
  `${limit > 0 ? `<D:limit><D:nresults>${limit}</D:nresults></D:limit>` : ''}<D:prop>${props}</D:prop>` +
  '</D:sync-collection>';
const TOKEN = '<D:sync-token>TOKEN</D:sync-token>';
const room = (name: string) => `/svc/r/${name}/`;

/** the answer, and the token to go on with */
async function synced(api: Api, path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await report(api, path, body, headers);
  const token = /<D:sync-token>([^<]*)/.exec(await answer.clone().text())?.[1] ?? '';
  return { told: await toldReport(answer), token };
}

for (const { where, gateway, carol, isOwn } of await reportWorlds({ after })) {
  const unique = where.replaceAll(' ', '');

  describe(`sync-collection on ${where}`, () => {
    it('lists all the first time, then what has changed and what is gone (RFC 6578 sections 3.8 and 3.9)', async () => {
      const [path, href] = ['r/Calendar/', room('Calendar')];
      const named = (name: string) => `${href}${name}-${unique}.ics`;
      const put = (name: string, summary?: string) =>
        store(carol, `${path}${name}-${unique}.ics`, event(`${name}-${unique}`, summary));
      const before = await synced(carol, path, sync(''));
      for (const name of ['a', 'b', 'c']) await put(name);
      const first = await synced(carol, path, sync(before.token), { depth: '0' });
      const all = ['a', 'b', 'c'].map((name) => responseOf(named(name), TAG));
      assert.deepEqual(first.told, multistatus(...all, TOKEN));

      const again = await synced(carol, path, sync(first.token));
      assert.deepEqual(again.told, multistatus(TOKEN));
      assert.equal(again.token, first.token);

      assert.equal((await carol(`${path}a-${unique}.ics`, { method: 'DELETE' })).status, 204);
      await put('b', 'changed');
      await put('d');
      await put('e');
      assert.equal((await carol(`${path}e-${unique}.ics`, { method: 'DELETE' })).status, 204);
      const [bAndD, wasA, wasE] = [
        ['b', 'd'].map((name) => responseOf(named(name), TAG)),
        gone(named('a')),
        gone(named('e')),
      ];
      const { told } = await synced(carol, path, sync(first.token), { depth: '1' });
      // one that came and went may be told of, or not
      const possible = [multistatus(...bAndD, wasA, TOKEN), multistatus(...bAndD, wasA, wasE, TOKEN)];
      assert.ok(
        possible.some(([, text]) => text === told[1]),
        told[1],
      );
    });

    it('tells nothing of what was gone before it was asked first', async () => {
      const path = 'r/Tasks/';
      const task = calendarOf('BEGIN:VTODO', `UID:t-${unique}`, 'DTSTAMP:20260101T000000Z', 'END:VTODO');
      await store(carol, `${path}t-${unique}.ics`, task);
      await carol(`${path}t-${unique}.ics`, { method: 'DELETE' });
      assert.deepEqual((await synced(carol, path, sync(''))).told, multistatus(TOKEN));
    });

    it('is cut where the client says so, and goes on from there (RFC 6578 section 3.10)', async () => {
      const path = `r/Cut-${unique}/`;
      assert.equal((await carol(path, { method: 'MKCOL' })).status, 201);
      const put = (name: string) => carol(`${path}${name}`, { method: 'PUT', body: name });
      const href = room(`Cut-${unique}`);
      for (const name of ['a', 'b', 'c']) await put(name);
      const responses = (...names: string[]) => names.map((name) => responseOf(href + name, TAG));
      const first = await synced(carol, path, sync('', { limit: 2 }));
      assert.deepEqual(first.told, multistatus(...responses('a', 'b'), cutAt(href), TOKEN));
      // what happens meanwhile comes with the token after the last piece
      await put('d');
      assert.equal((await carol(`${path}a`, { method: 'DELETE' })).status, 204);
      let piece = await synced(carol, path, sync(first.token, { limit: 2 }));
      const seen = new Set(['a', 'b']);
      const hrefsIn = (text: string) =>
        [...text.matchAll(/<D:href>[^<]*\/([^</]+)<\/D:href>/g)].map((match) => match[1]!);
      for (const name of hrefsIn(piece.told[1])) seen.add(name);
      while (piece.told[1].includes(' 507 ')) {
        piece = await synced(carol, path, sync(piece.token, { limit: 2 }));
        for (const name of hrefsIn(piece.told[1])) seen.add(name);
      }
      assert.ok(seen.has('c'));
      const last = await synced(carol, path, sync(piece.token));
      assert.ok(last.told[1].includes(gone(`${href}a`)), last.told[1]);
      for (const name of hrefsIn(last.told[1])) seen.add(name);
      assert.deepEqual([...seen].sort(), ['a', 'b', 'c', 'd']);

      // the same for what has changed since a token
      for (const name of ['b', 'c']) await carol(`${path}${name}`, { method: 'DELETE' });
      for (const name of ['e', 'f']) await put(name);
      const pieces: string[] = [];
      let token = last.token;
      for (let isCut = true; isCut; ) {
        const next = await synced(carol, path, sync(token, { limit: 1 }));
        pieces.push(
          ...next.told[1].split('\n').filter((line) => line.startsWith('<D:response>') && !line.includes(' 507 ')),
        );
        isCut = next.told[1].includes(' 507 ');
        token = next.token;
        assert.ok(pieces.length <= 4, 'it ends');
      }
      assert.deepEqual(pieces.sort(), [...responses('e', 'f'), gone(`${href}b`), gone(`${href}c`)].sort());
      assert.deepEqual((await synced(carol, path, sync(token))).told, multistatus(TOKEN));
    });

    it('gives data of objects where that is asked, as some clients do', async () => {
      const path = 'r/Calendar/';
      const source = event(`data-${unique}`);
      const before = await synced(carol, path, sync(''));
      await store(carol, `${path}data-${unique}.ics`, source);
      const { told } = await synced(carol, path, sync(before.token, { props: '<D:getetag/><C:calendar-data/>' }));
      const data = `<C:calendar-data>${source.replaceAll('\r\n', '\n')}</C:calendar-data>`;
      assert.deepEqual(told, multistatus(responseOf(`${room('Calendar')}data-${unique}.ics`, TAG, data), TOKEN));
    });

    it('works on rooms of any kind, at any Depth and level', async () => {
      for (const [name, level] of [
        ['Mail', ''],
        ['Contacts', '<D:sync-level>infinite</D:sync-level>'],
        ['Calendar', '<D:sync-level>1</D:sync-level>'],
      ] as const) {
        for (const depth of ['0', '1', 'infinity']) {
          assert.equal((await synced(carol, `r/${name}/`, sync('', { level }), { depth })).told[0], 207, name);
        }
      }
    });

    it('refuses tokens that it does not know, or no longer', async () => {
      const other = await synced(carol, 'r/Mail/', sync(''));
      for (const token of [
        'data:,nothing',
        'http://elsewhere.example/1',
        'data:,more;1',
        'data:,more;;x;number;1x',
        other.token,
      ]) {
        const { told } = await synced(carol, 'r/Calendar/', sync(token));
        assert.deepEqual(told, condition('D:valid-sync-token'), token);
      }
      assert.equal(
        (await report(carol, 'r/Calendar/', sync('').replace(/<D:sync-token>.*<\/D:sync-token>/, ''))).status,
        400,
      );
    });

    if (isOwn) {
      it('tells of what lies in folders where it is asked for all levels', async () => {
        const path = `r/Folders-${unique}/`;
        const href = room(`Folders-${unique}`);
        assert.equal((await carol(path, { method: 'MKCOL' })).status, 201);
        const deep = { level: '<D:sync-level>infinite</D:sync-level>' };
        const [top, all] = [await synced(carol, path, sync('')), await synced(carol, path, sync('', deep))];
        assert.equal((await carol(`${path}sub/`, { method: 'MKCOL' })).status, 201);
        for (const name of ['a', 'sub/b'])
          assert.equal((await carol(path + name, { method: 'PUT', body: name })).status, 201);
        const folder = (await synced(carol, path, sync(top.token))).told[1];
        const seen = (text: string) =>
          [...text.matchAll(/<D:href>([^<]*)<\/D:href>/g)].map((match) => match[1]!).sort();
        assert.deepEqual(seen(folder), [`${href}a`, `${href}sub/`]);
        assert.deepEqual(seen((await synced(carol, path, sync(''))).told[1]), [`${href}a`, `${href}sub/`]);
        for (const token of ['', all.token]) {
          const { told } = await synced(carol, path, sync(token, deep));
          assert.deepEqual(seen(told[1]), [`${href}a`, `${href}sub/`, `${href}sub/b`]);
        }
        assert.equal((await carol(`${path}sub/b`, { method: 'DELETE' })).status, 204);
        const last = await synced(carol, path, sync(all.token, deep));
        assert.deepEqual(
          seen(last.told[1]).filter((one) => one !== `${href}sub/b`),
          [`${href}a`, `${href}sub/`],
        );
      });
    }

    it('fails nowhere', () => assert.deepEqual(gateway.faults, []));
  });
}

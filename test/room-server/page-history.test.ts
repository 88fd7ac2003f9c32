// Versions of a page: their list, and one of them as it was.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isPageHistory, listVersions, withVersion } from '../../src/room-server/page-history.ts';
import { ANN, askedServer, BOX, failsWith, listing } from '../support/asked-server.ts';

const LIST = listing('u2|1795221150|ann|vm', 'u1|1795221000|bob|vm');
const MSG0 = listing('from=ann', 'exti=home', 'part=||1|inline|text/html|5||utf-8');
const HEADERS = listing('Subject: home', 'Content-type: text/html', '');

async function text(bytes: AsyncIterable<Buffer>): Promise<string> {
  return String(Buffer.concat(await Array.fromAsync(bytes)));
}

it('a history is what ends in the mark', () => {
  for (const euid of ['home_HISTORY_', '_HISTORY_', 'a_HISTORY__HISTORY_']) assert.ok(isPageHistory(euid), euid);
  for (const euid of ['', 'home', 'home_HISTORY_ ', 'home_history_', '_HISTORY_x'])
    assert.ok(!isPageHistory(euid), euid);
});

it('the latest version comes first, as the room server lists them', async (t) => {
  const { pool, sent } = await askedServer(t, { WIKI: LIST });
  const { entered, versions } = await listVersions(pool, ANN, BOX, 'home');
  assert.equal(entered.name, 'Box');
  assert.deepEqual(versions, [
    { uuid: 'u2', time: 1795221150, author: 'ann' },
    { uuid: 'u1', time: 1795221000, author: 'bob' },
  ]);
  assert.deepEqual(sent(/^WIKI/), ['WIKI history|home']);
});

it('a version has who wrote it and when, its head and its text, fetched under a number of its own', async (t) => {
  const { pool, sent } = await askedServer(t, {
    'WIKI history|home': LIST,
    'WIKI rev|home|u1|fetch': '200 4711\n',
    MSG0,
    'MSG2 4711|1': HEADERS,
    MSG2: '100 msg\nSubject: home\r\n\r\nhello\r\n000\n',
  });
  const read = await withVersion(pool, ANN, BOX, 'home', 'u1', async (head, bytes) => [
    ...[head.author, head.time, head.fields.get('exti'), head.parts.length, head.headers[0]?.value],
    await text(bytes),
  ]);
  assert.deepEqual(read, ['bob', 1795221000, 'home', 1, 'home', 'Subject: home\r\n\r\nhello\r\n']);
  assert.ok(!sent(/^MSG/).includes('MSG0 0|3'), 'no new list of messages, which would not hold it');
});

it('a version so old that the list lacks it can be read all the same', async (t) => {
  const { pool } = await askedServer(t, { WIKI: [LIST, '200 5\n'], MSG0, MSG2: HEADERS });
  assert.deepEqual(
    await withVersion(pool, ANN, BOX, 'home', 'u0', async ({ uuid, author, time }) => [uuid, author, time]),
    ['u0', '', 0],
  );
});

it('a page or version that is not there is not found', async (t) => {
  const { pool } = await askedServer(t, { WIKI: '575 no such page\n' });
  await assert.rejects(listVersions(pool, ANN, BOX, 'x'), failsWith('not_found', 575));
  await assert.rejects(
    withVersion(pool, ANN, BOX, 'x', 'u', async () => 0),
    failsWith('not_found'),
  );
  const { pool: other } = await askedServer(t, { WIKI: [LIST, '575 no such version\n'] });
  await assert.rejects(
    withVersion(other, ANN, BOX, 'home', 'u9', async () => 0),
    failsWith('not_found'),
  );
});

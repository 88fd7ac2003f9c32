// Messages that have a name: known to our own server, found by their subjects at any other.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { findNamed, findSettled } from '../../../src/gateway/collection/collection.ts';
import { BATCH_MESSAGES, LOOKS_AT_RIVALS, MAX_FILE_PATH_BYTES } from '../../../src/limits/dav.ts';
import { VIEW } from '../../../src/model.ts';
import { namedAmong } from '../../../src/room-server/citadel/naming.ts';
import { parseEnteredRoom } from '../../../src/room-server/connection/goto.ts';
import { askedServer, entered, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers, view: number = VIEW.files) {
  const { server, sent, bodies, connect } = await askedServer(t, answers);
  const { text } = { text: entered('Box', { view }).slice(4).trimEnd() };
  const room = parseEnteredRoom({ code: 200, hasInstantMessages: false, text, lines: [], bytes: undefined });
  const connection = await connect();
  const context = contextsAt(t, server.path)('ann', 'Box');
  return {
    sent,
    bodies,
    connection,
    find: (name: string) => findNamed(context, connection, room, name),
    context,
    room,
  };
}

const named = (name: string) => listing('Subject: s', `X-Vestibule-Name: ${encodeURIComponent(name)}`);

it('our own server is asked, and a UID that is no name is none', async (t) => {
  const row = '5|a.txt|u|100|text/plain|3||||';
  const { find } = await start(t, { INFO: ownInfo(), MEMB: `100 7|42|\n${row}\n000\n` });
  assert.deepEqual(await find('a.txt'), [5]);
  assert.deepEqual(await find('u'), []);
});

it('any other finds subjects, of which those with the very name count', async (t) => {
  const { find, bodies } = await start(t, {
    MSGS: '800 send\n5\n6\n7\n000\n',
    'MSG2 5|1': named('a.txt'),
    'MSG2 6|1': listing('Subject: a.txt'),
    'MSG2 7|1': named('a.txt'),
  });
  assert.deepEqual(await find('a.txt'), [5, 7]);
  assert.deepEqual(bodies, ['subj|a.txt\n']);
});

it('one that was replaced since the list was made is looked for again', async (t) => {
  const { find } = await start(t, {
    MSGS: ['800 send\n5\n000\n', '800 send\n8\n000\n'],
    'MSG2 5|1': '550 gone\n',
    'MSG2 8|1': named('a.txt'),
  });
  assert.deepEqual(await find('a.txt'), [8]);
});

it('nothing is asked for what cannot have a name, nor in rooms that know UIDs', async (t) => {
  const { find, sent } = await start(t, { MSGS: '800 send\n000\n' });
  for (const name of ['a|b', 'a\nb', 'x'.repeat(MAX_FILE_PATH_BYTES + 1)]) assert.deepEqual(await find(name), []);
  assert.deepEqual(sent(/^MSGS/), []);
  assert.deepEqual(await find('x'.repeat(MAX_FILE_PATH_BYTES)), []);
  assert.equal(sent(/^MSGS/).length, 1);
  const calendar = await start(t, {}, VIEW.calendar);
  assert.deepEqual(await calendar.find('a.ics'), []);
  assert.deepEqual(calendar.sent(/^MSGS/), []);
});

it('rivals are waited for, a little', async (t) => {
  const settling = await start(t, {
    MSGS: ['800 send\n5\n6\n000\n', '800 send\n6\n000\n'],
    MSG2: named('a.txt'),
  });
  assert.deepEqual(await findSettled(settling.context, settling.connection, settling.room, 'a.txt'), [6]);
  const staying = await start(t, { MSGS: '800 send\n5\n6\n000\n', MSG2: named('a.txt') });
  assert.deepEqual(await findSettled(staying.context, staying.connection, staying.room, 'a.txt'), [5, 6]);
  assert.equal(staying.sent(/^MSGS/).length, 1 + LOOKS_AT_RIVALS);
});

it('of many candidates the headers are read in batches', async (t) => {
  const { connection, sent } = await start(t, { MSG2: named('a') });
  const numbers = Array.from({ length: BATCH_MESSAGES + 1 }, (_, i) => i + 1);
  assert.deepEqual(await namedAmong(connection, numbers, 'a'), numbers);
  assert.equal(sent(/^MSG0 0\|3/).length, 2);
  assert.deepEqual(await namedAmong(connection, [], 'a'), []);
});

// What the verbs ask the database must not take longer the more others have stored: SQLite's plan of each statement
// that they run is looked at, and none may read a whole table of those that grow.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sweepSome } from '../../../../src/backend/maintenance/removal.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/**
 * what may be read as a whole: small tables, what an index answers, what is given, and what is only there to be removed
 */
const REMOVED = /^SCAN .* INDEX (room_dropped|room_file_removed|blob_incomplete)\b/;
const SMALL = /^SCAN (floor|config|sqlite_sequence|CONSTANT ROW|\w+ VIRTUAL TABLE INDEX)\b/;
const MESSAGE = 'Content-type: text/plain\n\npear\n';

it('no verb of daily use reads a whole table', async (t) => {
  const { server, store, socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const asked = new Set<string>();
  const prepare = store.prepare.bind(store);
  store.prepare = (sql) => {
    asked.add(sql);
    return prepare(sql);
  };
  const rows = store.rows.bind(store);
  store.rows = (sql, ...values) => {
    asked.add(sql);
    return rows(sql, ...values);
  };
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0', 200);
  await ann.expect('CRE8 1|Pages|0|||0|6', 200);
  for (const room of ['Pages', 'Calendar', 'Mail']) await ann.expect(`GOTO ${room}`, 200);
  assert.match((await ann.send('ENT0 1|bob||4|hello||1', MESSAGE)).join(), /^\d+,Message accepted/);
  await ann.expect('GOTO Box', 200);
  for (let i = 0; i < 5; i++) await ann.send(`ENT0 1|||4|subject ${i}||1`, MESSAGE);
  const [first] = (await ann.ask('MSGS ALL')).lines;
  const words = ['ALL', 'NEW', 'OLD', 'LAST|2', 'FIRST|2', 'GT|1', 'LT|100', 'SEARCH|pear'];
  for (const mode of ['', '1', '4', '9']) {
    for (const word of words) await ann.expect(`MSGS ${word.includes('|') ? word : `${word}|`}||${mode}`, 100);
  }
  await ann.send('MSGS ALL||1', 'subj|subject 1\n');
  for (const line of [
    ...[
      'MEMB list',
      'MEMB quota',
      'MEMB list||||VEVENT|1|2',
      'MEMB find|a|1',
      `MEMB contents|${first}`,
      'PROP of|',
      'PROP all',
      'PROP rooms',
    ],
    ...['LKRA', 'LKRN', 'LKRO', 'LZRM', 'LRMS', 'LPRM', 'LFLR', 'BIFF', 'CHEK', 'RWHO', 'STAT', 'GTSN'],
    ...[`MSG0 ${first}`, `MSG2 ${first}`, `MSG4 ${first}`, 'EUID nothing', 'RINF', 'GETR', 'GETU'],
    ...[`SEEN ${first}|1`, 'SEEN 3|0', 'SLRP HIGHEST', 'SRCH pear', 'FIND 10|pear', 'QUSR bob'],
    ...[`MOVE ${first}|Drafts|1`, `DELE ${first}`],
  ]) {
    const { code } = await ann.ask(line);
    assert.ok(code !== 530, line);
  }
  const box = (await ann.expect('MEMB find', 100)).line.slice(4).split('|')[0];
  for (const what of ['changes', 'removed']) await ann.expect(`MEMB ${what}|${box}|1`, 100);
  await ann.send('MEMB place|1|Mail|0', `${Number(first) + 1}|name\n`);
  await ann.send('MEMB place|0||1', `${Number(first) + 1}|name\n`);
  await ann.send('PROP set|', 'a|b\n');
  const key = (await ann.expect('SKEY new', 200)).line.slice(4);
  const keyed = await WireClient.connect(socketPath);
  for (const line of [`SKEY login|${key}`, 'SKEY end']) await keyed.expect(line, 200);
  while (sweepSome(store));
  await ann.expect('SETP another', 200);
  await ann.expect('CRE8 1|Blog|0|||0|10', 200);
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  await bob.expect('GOTO Blog', 200);
  await bob.expect('ENT0 0|||4|answer|||||||not@there|', 550);
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  for (const line of ['CREU cal', 'RENU cal|dan', 'ASUP dan|||||0']) await admin.expect(line, 200);
  for (const client of [ann, bob, admin]) client.close();
  await server.close();
  assert.ok(asked.size > 30, `${asked.size} statements`);
  const offences = [...asked].flatMap((sql) =>
    store.db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((detail) => detail.startsWith('SCAN ') && !SMALL.test(detail) && !REMOVED.test(detail))
      .map((detail) => `${detail}: ${sql}`),
  );
  assert.deepEqual(offences, []);
});

it('what refers to a row that goes is found without reading a whole table', async (t) => {
  const { store } = await startRoomServer(t);
  const tables = store.db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const references = tables.flatMap(({ name }) =>
    store.db
      .prepare('SELECT "table" AS parent, "from" AS field FROM pragma_foreign_key_list(?)')
      .all(name!)
      .map(({ parent, field }) => ({ table: String(name), parent: String(parent), field: String(field) })),
  );
  assert.ok(references.length > 15, `${references.length} references`);
  // a floor goes when an administrator sees that it is empty
  const offences = references.filter(({ table, parent, field }) => {
    const plan = store.db.prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${table} WHERE ${field} = ?`).all();
    return parent !== 'floor' && plan.some(({ detail }) => String(detail).startsWith('SCAN '));
  });
  assert.deepEqual(offences, []);
});

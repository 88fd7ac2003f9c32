// Members of a room page by page: what is asked, and what the rows mean.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NAMES_AT_ONCE } from '../../../src/limits/dav.ts';
import { MAX_COMMAND_BYTES } from '../../../src/limits/protocol.ts';
import { memberVerb } from '../../../src/room-server/embedded/members.ts';
import { ANN, askedServer, BOX, failsWith } from '../../support/asked-server.ts';

const NO_END = Number.MAX_SAFE_INTEGER;
const page = (head: string, ...rows: string[]) => `100 ${head}\n${rows.map((row) => `${row}\n`).join('')}000\n`;
const EVENT = '12|a.ics|u@x|1700000000|text/calendar|345|VEVENT|100|200|Lunch|1600000000';

describe('a page of members', () => {
  it('has where the room stands, where the next page begins, and a row for each', async (t) => {
    const { pool } = await askedServer(t, { MEMB: page('7|42|c1|', EVENT, `13|||5|text/plain||*||||`) });
    const { entered, roomId, sequence, next, rows } = await memberVerb.page({ pool, identity: ANN, room: BOX }, {});
    assert.deepEqual([entered.name, roomId, sequence, next], ['Box', 7, 42, 'c1']);
    assert.deepEqual(rows[0], {
      ...{ msgnum: 12, name: 'a.ics', euid: 'u@x', time: 1700000000, created: 1600000000, displayName: 'a.ics' },
      ...{ contentType: 'text/calendar', size: 345, component: 'VEVENT', extent: { start: 100, end: 200 } },
    });
    const { name, displayName, ...rest } = rows[1]!;
    assert.deepEqual([name, displayName], ['13', '13']);
    assert.deepEqual(
      [rest.created, rest.size, rest.component, rest.extent],
      [undefined, undefined, undefined, undefined],
    );
  });

  it('has titles of members that have no name of their own, and extents without an end', async (t) => {
    const rows = [`5|u|u|1|||VEVENT|-${NO_END}|${NO_END}|Title`, '6||u2|1|||VEVENT|1|2|Other'];
    const { pool } = await askedServer(t, { MEMB: page('7|42||', ...rows) });
    const [first, second] = (await memberVerb.page({ pool, identity: ANN, room: BOX }, {})).rows;
    assert.deepEqual([first!.displayName, second!.displayName], ['Title', 'Other']);
    assert.deepEqual(first!.extent, { start: -Infinity, end: Infinity });
  });

  it('is asked for by folder, component and range', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: page('7|42||') });
    const range = { start: -Infinity, end: 100.7 };
    await memberVerb.page({ pool, identity: ANN, room: BOX }, {});
    await memberVerb.page({ pool, identity: ANN, room: BOX }, { folder: '' });
    await memberVerb.page({ pool, identity: ANN, room: BOX }, { folder: '', isDeep: true });
    await memberVerb.page(
      { pool, identity: ANN, room: BOX },
      { cursor: 'c1', upTo: 9, folder: 'a/', component: 'VTODO', range },
    );
    await memberVerb.state({ pool, identity: ANN, room: BOX });
    assert.deepEqual(sent(/^MEMB/), [
      'MEMB list|||0|||||0',
      'MEMB list|||0||||/|0',
      'MEMB list|||0|||||1',
      'MEMB list|c1||9|VTODO||100|a/|0',
      'MEMB find',
    ]);
  });

  it('that is not the last one has rows, and another one behind it', async (t) => {
    const { pool } = await askedServer(t, { MEMB: page('7|42|c1|', EVENT) });
    assert.equal((await memberVerb.page({ pool, identity: ANN, room: BOX }, {})).next, 'c1');
    await assert.rejects(
      memberVerb.page({ pool, identity: ANN, room: BOX }, { cursor: 'c1' }),
      failsWith('backend_protocol'),
    );
    const { pool: other } = await askedServer(t, { MEMB: page('7|42|c1|') });
    await assert.rejects(memberVerb.page({ pool: other, identity: ANN, room: BOX }, {}), failsWith('backend_protocol'));
  });

  it('of a folder that cannot be is not asked for', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: page('7|42||') });
    await assert.rejects(
      memberVerb.page({ pool, identity: ANN, room: BOX }, { folder: 'a|b/' }),
      failsWith('not_found'),
    );
    assert.deepEqual(sent(/^MEMB/), []);
  });
});

describe('what has changed', () => {
  const since = { roomId: 7, sequence: 40 };

  it('comes in pages, and is not known where the server has forgotten', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: [page('7|42|c|', EVENT), page('7|43||'), '576 too old\n'] });
    assert.equal((await memberVerb.changed({ pool, identity: ANN, room: BOX }, since))?.next, 'c');
    assert.equal(
      (await memberVerb.changed({ pool, identity: ANN, room: BOX }, since, { cursor: 'c', upTo: 42 }))?.rows.length,
      0,
    );
    assert.equal(await memberVerb.changed({ pool, identity: ANN, room: BOX }, since), undefined);
    assert.deepEqual(sent(/^MEMB/).slice(0, 2), ['MEMB changes|7|40|||0', 'MEMB changes|7|40|c||42']);
  });

  it('has an end', async (t) => {
    const { pool } = await askedServer(t, { MEMB: [page('7|42|c', EVENT), page('7|42|c', '5|a.ics|0')] });
    await assert.rejects(
      memberVerb.changed({ pool, identity: ANN, room: BOX }, since, { cursor: 'c' }),
      failsWith('backend_protocol'),
    );
    await assert.rejects(
      memberVerb.removed({ pool, identity: ANN, room: BOX }, since, 42),
      failsWith('backend_protocol'),
    );
  });

  it('and is gone is read to its end', async (t) => {
    const pages = [page('7|42|c', '5|a.ics|0', '6|b.ics|1'), page('7|42|', '7|c.ics|0')];
    const { pool, sent } = await askedServer(t, { MEMB: [...pages, '576 too old\n'] });
    assert.deepEqual(await memberVerb.removed({ pool, identity: ANN, room: BOX }, since, 42), [
      { msgnum: 5, name: 'a.ics', isThere: false },
      { msgnum: 6, name: 'b.ics', isThere: true },
      { msgnum: 7, name: 'c.ics', isThere: false },
    ]);
    assert.deepEqual(sent(/^MEMB/), ['MEMB removed|7|40|||42', 'MEMB removed|7|40|c||42']);
    assert.equal(await memberVerb.removed({ pool, identity: ANN, room: BOX }, since, 42), undefined);
  });
});

describe('members that are looked for', () => {
  it('are answered in their order, also what is not there', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: page('7|42|', EVENT, '0') });
    const found = await memberVerb.named({ pool, identity: ANN, room: BOX }, ['a.ics', 'none']);
    assert.deepEqual([found.length, found[0]?.msgnum, found[1]], [2, 12, undefined]);
    assert.deepEqual(sent(/^MEMB/), ['MEMB find|a.ics|none']);
  });

  it('are asked for on as many lines as it takes', async (t) => {
    const { pool, sent } = await askedServer(t, { MEMB: page('7|42|') });
    const names = Array.from({ length: NAMES_AT_ONCE + 1 }, (_, i) => `name-${i}`.padEnd(100, 'x'));
    await memberVerb.named({ pool, identity: ANN, room: BOX }, names);
    const lines = sent(/^MEMB/);
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= MAX_COMMAND_BYTES));
    assert.deepEqual(
      lines.flatMap((line) => line.slice('MEMB find|'.length).split('|')),
      names,
    );
  });

  it('are not there where their name could not be sent', async (t) => {
    const { pool, sent, connect } = await askedServer(t, { MEMB: page('7|42|', '0', EVENT) });
    const found = await memberVerb.named({ pool, identity: ANN, room: BOX }, ['a|b', 'a.ics']);
    assert.deepEqual([found[0], found[1]?.msgnum], [undefined, 12]);
    assert.deepEqual(sent(/^MEMB/), ['MEMB find||a.ics']);
    assert.equal(await memberVerb.namedOn(await connect(), 'x'.repeat(MAX_COMMAND_BYTES)), undefined);
    assert.equal(sent(/^MEMB/).length, 1);
  });

  it('of no name ask for nothing but the room', async (t) => {
    const { pool, sent } = await askedServer(t);
    assert.deepEqual(await memberVerb.named({ pool, identity: ANN, room: BOX }, []), []);
    assert.deepEqual(sent(), ['GOTO Box||1']);
  });

  it('can be asked for on a connection that is in the room', async (t) => {
    const { connect } = await askedServer(t, { MEMB: [page('7|42|', EVENT), page('7|42|', '0'), page('7|42|')] });
    const connection = await connect();
    assert.equal((await memberVerb.namedOn(connection, 'a.ics'))?.msgnum, 12);
    assert.equal(await memberVerb.namedOn(connection, 'b.ics'), undefined);
    assert.equal(await memberVerb.namedOn(connection, 'c.ics'), undefined);
  });
});

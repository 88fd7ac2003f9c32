// Dead properties of rooms and members: read in pages, changed all or none.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packField } from '../../../src/protocol/fields.ts';
import { properties } from '../../../src/room-server/embedded/objects.ts';
import { ANN, askedServer, BOX, failsWith } from '../../support/asked-server.ts';

const COLOUR = { namespace: 'http://apple.com/ns/ical/', name: 'calendar-color', value: '<c>#f00 | 50%\n</c>' };
const PLAIN = { namespace: '', name: 'x', value: '' };
const BLANK = { namespace: 'urn:a b', name: 'y', value: 'z' };
const field = ({ namespace, name, value }: typeof COLOUR) => `${packField(`${namespace} ${name}`)}|${packField(value)}`;
const page = (head: string, ...rows: string[]) => `100 ${head}\n${rows.map((row) => `${row}\n`).join('')}000\n`;

describe('properties that are read', () => {
  it('come with namespace, name and value, whatever these hold', async (t) => {
    const { pool, sent } = await askedServer(t, { PROP: page('', field(COLOUR), field(PLAIN), field(BLANK)) });
    assert.deepEqual(await properties.of(pool, ANN, BOX, 'a.ics'), [COLOUR, PLAIN, BLANK]);
    assert.deepEqual(sent(/^PROP/), ['PROP of|a.ics']);
  });

  it('of all members come a page at a time, as they are wanted', async (t) => {
    const pages = [page('b.ics|last', `|${field(PLAIN)}`, `b.ics|${field(COLOUR)}`), page('', `b.ics|${field(PLAIN)}`)];
    const { pool, sent } = await askedServer(t, { PROP: pages });
    const all = properties.all(pool, ANN, BOX);
    assert.deepEqual(
      [...(await all.next()).value!],
      [
        ['', [PLAIN]],
        ['b.ics', [COLOUR]],
      ],
    );
    assert.deepEqual(sent(/^PROP/), ['PROP all||']);
    assert.deepEqual([...(await all.next()).value!], [['b.ics', [PLAIN]]]);
    assert.equal((await all.next()).done, true);
    assert.deepEqual(sent(/^PROP/), ['PROP all||', 'PROP all|b.ics|last']);
  });

  it('of all members fail where a page is followed by itself, or is empty and not the last', async (t) => {
    for (const again of [page('b.ics|last', `b.ics|${field(COLOUR)}`), page('c.ics|x')]) {
      const { pool } = await askedServer(t, { PROP: [page('b.ics|last', `|${field(PLAIN)}`), again] });
      await assert.rejects(Array.fromAsync(properties.all(pool, ANN, BOX)), failsWith('backend_protocol'));
    }
  });

  it('of all rooms come with their states', async (t) => {
    const answer = page('', 'Lobby|1|10', `|${field(COLOUR)}`, `|${field(PLAIN)}`, 'Box|2|20');
    const { pool } = await askedServer(t, { PROP: answer });
    assert.deepEqual(
      [...(await properties.ofRooms(pool, ANN))!],
      [
        ['Lobby', { token: 'data:,1-10', properties: [COLOUR, PLAIN] }],
        ['Box', { token: 'data:,2-20', properties: [] }],
      ],
    );
  });

  it('are not there for what is not there', async (t) => {
    const { pool } = await askedServer(t, { PROP: '575 no such message\n' });
    await assert.rejects(properties.of(pool, ANN, BOX, 'a.ics'), failsWith('not_found'));
  });
});

describe('properties that are changed', () => {
  it('go out in one text, those that are removed without a value', async (t) => {
    const { connect, bodies, sent } = await askedServer(t, { PROP: '800 send\n0\n000\n' });
    await properties.change(await connect(), 'a.ics', [COLOUR, { ...PLAIN, value: undefined }]);
    assert.deepEqual(sent(/^PROP/), ['PROP set|a.ics']);
    assert.deepEqual(bodies, [`${field(COLOUR)}\n${packField(' x')}\n`]);
  });

  it('fail with what the server says', async (t) => {
    for (const [outcome, code] of [
      ['-3', 'bad_request'],
      ['-4', 'insufficient_storage'],
      ['-1', 'insufficient_storage'],
      ['-550', 'forbidden'],
      ['-572', 'not_found'],
    ] as const) {
      const { connect } = await askedServer(t, { PROP: `800 send\n${outcome}\n000\n` });
      await assert.rejects(properties.change(await connect(), '', [COLOUR]), failsWith(code), outcome);
    }
    const { connect } = await askedServer(t, { PROP: '575 gone\n' });
    await assert.rejects(properties.change(await connect(), 'x', [COLOUR]), failsWith('not_found'));
  });
});

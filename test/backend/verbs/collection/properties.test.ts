// PROP: dead properties of rooms and members.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeFromRoom } from '../../../../src/backend/store/references.ts';
import {
  MAX_MEMBER_PROPERTIES,
  MAX_PROPERTIES_AT_ONCE,
  MAX_PROPERTY_BYTES,
  MAX_PROPERTY_NAME_BYTES,
} from '../../../../src/limits/backend.ts';
import { memberWorld } from '../../../support/member-world.ts';

const VALUE = 'DAV: color|<c xmlns="DAV:">50%25%7Cx</c>';

describe('PROP', () => {
  it('sets, tells and removes properties of a member, by any of its names', (t) => {
    const { put, props, files } = memberWorld(t);
    const a = put(files, { name: 'a', body: '1' });
    assert.deepEqual(props(files, 'set|a', `${VALUE}\nx y|z\n`).slice(1), ['0']);
    assert.deepEqual(props(files, `of|${a}`).slice(1), [VALUE, 'x y|z']);
    assert.deepEqual(props(files, `set|${a}`, 'x y\nnot there\n').slice(1), ['0']);
    assert.deepEqual(props(files, 'of|a').slice(1), [VALUE]);
    assert.match(props(files, 'of|b')[0]!, /^575 /);
    assert.deepEqual(props(files, 'set|b', VALUE).slice(1), ['-575']);
  });

  it('keeps them with the name when the message is replaced, and takes them along with a rename, move or copy', (t) => {
    const { own, put, props, ask, files, other, w } = memberWorld(t);
    own(other);
    put(files, { name: 'a', body: '1' });
    props(files, 'set|a', VALUE);
    const a = put(files, { name: 'a', body: '2' });
    const of = (room: typeof files, member: string) => props(room, `of|${member}`).slice(1);
    assert.deepEqual(of(files, 'a'), [VALUE]);
    ask(files, 'place|0||0', `${a}|b\n`);
    assert.deepEqual(of(files, 'b'), [VALUE]);
    ask(files, 'place|1||0', `${a}|c\n`);
    assert.deepEqual(of(files, 'c'), [VALUE]);
    ask(files, 'place|0|Other|0', `${a}|d\n`);
    assert.deepEqual(of(other, 'd'), [VALUE]);
    removeFromRoom(w.store, files.id, [Number(ask(files, 'find|c')[1]!.split('|')[0])]);
    put(files, { name: 'c', body: '3' });
    put(files, { name: 'b', body: '4' });
    assert.deepEqual([of(files, 'c'), of(files, 'b')], [[], []]);
  });

  it('is for a room what its administrators and its owner say', (t) => {
    const { own, props, files, w } = memberWorld(t);
    assert.match(props(files, 'set|')[0]!, /^550 /);
    own(files);
    assert.deepEqual(props(files, 'set|', VALUE).slice(1), ['0']);
    assert.deepEqual(props(files, 'of|').slice(1), [VALUE]);
    assert.match(props(w.room('Closed'), 'of|')[0]!, /^550 /);
  });

  it('tells those of all rooms that the user knows, with the states of the rooms', (t) => {
    const { own, put, props, files, other } = memberWorld(t);
    for (const room of [files, other]) own(room);
    props(files, 'set|', VALUE);
    put(other, { name: 'a', body: '1' });
    const rows = props(files, 'rooms').slice(1);
    const at = rows.indexOf(`Files|${files.id}|0`);
    assert.equal(rows[at + 1], `|${VALUE}`);
    assert.ok(rows.includes(`Other|${other.id}|1`));
    assert.ok(!rows.some((row) => row.startsWith('Closed')));
  });

  it('tells those of all members of a room in pages', (t) => {
    const { put, props, files } = memberWorld(t);
    put(files, { name: 'a', body: '1' });
    put(files, { name: 'b', body: '1' });
    const some = (count: number) => Array.from({ length: count }, (_, i) => `x n${i}|v\n`).join('');
    props(files, 'set|a', some(MAX_PROPERTIES_AT_ONCE - 1));
    props(files, 'set|b', 'x n|v\n');
    const [status, ...rows] = props(files, 'all');
    assert.equal(rows.length, MAX_PROPERTIES_AT_ONCE);
    assert.equal(rows.at(-1), 'b|x n|v');
    assert.deepEqual(props(files, `all|${status!.slice(4)}`), ['100 |']);
    props(files, 'set|b', 'x o|v\n');
    assert.deepEqual(props(files, `all|${status!.slice(4)}`), ['100 |', 'b|x o|v']);
  });

  it('keeps so many, so large ones', (t) => {
    const { put, props, files } = memberWorld(t);
    put(files, { name: 'a', body: '1' });
    const set = (text: string) => props(files, 'set|a', text).slice(1)[0];
    const some = (count: number) => Array.from({ length: count }, (_, i) => `x n${i}|v\n`).join('');
    assert.equal(set(some(MAX_MEMBER_PROPERTIES + 1)), '-4');
    assert.equal(props(files, 'of|a').length, 1);
    assert.equal(set(some(MAX_MEMBER_PROPERTIES)), '0');
    assert.equal(set('x more|v\n'), '-4');
    assert.equal(set('x n0\nx more|v\n'), '0');
    assert.equal(set(`x n1|${'v'.repeat(MAX_PROPERTY_BYTES + 1)}\n`), '-4');
    assert.equal(set(`x n1|${'v'.repeat(MAX_PROPERTY_BYTES)}\n`), '0');
    assert.equal(set('x n1\n'), '0');
    assert.equal(set(`${'n'.repeat(MAX_PROPERTY_NAME_BYTES + 1)}|v\n`), '-3');
    assert.equal(set(`${'n'.repeat(MAX_PROPERTY_NAME_BYTES)}|v\n`), '0');
  });
});

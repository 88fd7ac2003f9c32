// Dead properties, by the name of the member that has them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  copyProperties,
  dropProperties,
  propertiesInRoom,
  propertiesOfMember,
  setProperty,
} from '../../../src/backend/store/dead-properties.ts';
import { messageWorld } from '../../support/message-session.ts';

function world(t: Parameters<typeof messageWorld>[0]) {
  const { store, room } = messageWorld(t);
  const [box, other] = [room('Box').id, room('Other').id];
  const set = (member: string, name: string, value?: string, where = box) =>
    setProperty(store, where, { member, name }, value);
  const of = (member: string, where = box) =>
    propertiesOfMember(store, where, member).map(({ name, value }) => `${name}=${value}`);
  return { store, box, other, set, of };
}

describe('a dead property', () => {
  it('is set, replaced and removed, of one member alone', (t) => {
    const { set, of, other } = world(t);
    set('a', '{x}2', '<one/>');
    set('a', '{x}1', '<two/>');
    set('A', '{x}1', '<three/>');
    set('a', '{x}1', '<four/>', other);
    set('a', '{x}2', '<five/>');
    assert.deepEqual(of('a'), ['{x}1=<two/>', '{x}2=<five/>'], 'by name');
    set('a', '{x}2', undefined);
    set('a', '{x}none', undefined);
    assert.deepEqual([of('a'), of('A'), of('a', other)], [['{x}1=<two/>'], ['{x}1=<three/>'], ['{x}1=<four/>']]);
  });

  it('goes along with its member, in the place of what the other has had', (t) => {
    const { store, set, of, box, other } = world(t);
    set('a', '1', 'of a');
    set('b', '2', 'of b', other);
    copyProperties(store, { room: box, member: 'a' }, { room: other, member: 'b' });
    assert.deepEqual([of('a'), of('b', other)], [['1=of a'], ['1=of a']]);
    copyProperties(store, { room: box, member: 'none' }, { room: other, member: 'b' });
    assert.deepEqual(of('b', other), []);
    dropProperties(store, box, 'a');
    assert.deepEqual(of('a'), []);
  });
});

it('the properties of a room come in pages, those of the room itself first, each once', (t) => {
  const { store, set, box, other } = world(t);
  for (const member of ['b', '', 'a']) for (const name of ['2', '1']) set(member, name, 'x');
  set('a', '1', 'x', other);
  const seen: string[] = [];
  let after = { member: '', name: '' };
  for (let page = propertiesInRoom(store, box, after, 2); page.length > 0; ) {
    assert.ok(page.length <= 2);
    for (const property of page) seen.push(`${property.member}:${property.name}`);
    after = page.at(-1)!;
    page = propertiesInRoom(store, box, after, 2);
  }
  assert.deepEqual(seen, [':1', ':2', 'a:1', 'a:2', 'b:1', 'b:2']);
});

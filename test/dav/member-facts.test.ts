// What members are told with beside what they are.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describedMember, withDeadProperties } from '../../src/dav/member-resource.ts';
import type { Member, StoredProperty } from '../../src/room-server/collections.ts';

async function* batchesOf(...batches: string[][]): AsyncGenerator<string[]> {
  yield* batches;
}

describe('what clients have set', () => {
  it('is looked up in batches that are small enough, each name once, in order', async () => {
    const asked: string[][] = [];
    const dead = {
      namesAtOnce: 2,
      find: async (names: readonly string[]) => {
        asked.push([...names]);
        return new Map<string, readonly StoredProperty[]>([[names[0]!, []]]);
      },
    };
    const batches = batchesOf(['a', 'b', 'c'], [], ['d']);
    const given: string[] = [];
    for await (const { items, own } of withDeadProperties(batches, { dead }, (name) => name)) {
      given.push(`${items.join('')}: ${[...own!.keys()]}`);
    }
    assert.deepEqual(asked, [['a', 'b'], ['c'], ['d']]);
    assert.deepEqual(given, ['ab: a', 'c: c', 'd: d']);
  });

  it('is not asked for where no property needs it', async () => {
    const given: unknown[] = [];
    for await (const batch of withDeadProperties(batchesOf(['a', 'b', 'c']), {}, (name) => name)) given.push(batch);
    assert.deepEqual(given, [{ items: ['a', 'b', 'c'], own: undefined }]);
  });
});

describe('a member that is told', () => {
  const member: Member = {
    msgnum: 7,
    name: 'a.ics',
    euid: 'a',
    time: 0,
    displayName: 'A',
    contentType: 'text/calendar',
    size: 1,
    component: 'VEVENT',
    extent: undefined,
  };
  const room = { collection: 'calendar', privileges: 1, isOwn: true } as const;

  it('has its own Schedule-Tag, its own locks, and what was set on it', () => {
    const locked: string[] = [];
    const resource = describedMember(
      member,
      '/a.ics',
      room,
      {
        locked: (one, name) => {
          locked.push(name);
          return { ...one, displayName: 'locked' };
        },
        tags: new Map([
          [7, '"7-1"'],
          [8, '"8-1"'],
        ]),
      },
      [{ namespace: 'urn:x', name: 'a', value: '<a xmlns="urn:x"/>' }],
    );
    assert.deepEqual([resource.scheduleTag, resource.displayName, locked], ['"7-1"', 'locked', ['a.ics']]);
    assert.deepEqual([...resource.dead!.keys()], ['{urn:x}a']);
  });

  it('has none where none is known', () => {
    const resource = describedMember(member, '/a.ics', room, { locked: (one) => one, tags: new Map() });
    assert.deepEqual([resource.scheduleTag, resource.dead], [undefined, undefined]);
  });
});

// Who has kept something sees each change that it may depend on, and few others.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeCounts, placesOf } from '../../src/system/change-counts.ts';

describe('counts of changes', () => {
  it('move where the change was, and nowhere else', () => {
    const counts = new ChangeCounts();
    const [lobby, ann] = [placesOf({ rooms: ['lobby'] }), placesOf({ users: [2] })];
    const before = [counts.at(lobby), counts.at(ann), counts.any];
    counts.count({ rooms: ['lobby'] });
    assert.notEqual(counts.at(lobby), before[0]);
    assert.equal(counts.at(ann), before[1]);
    assert.notEqual(counts.any, before[2]);
  });

  it('move everywhere with a change that is confined to nothing', () => {
    const counts = new ChangeCounts();
    const places = [placesOf({ rooms: ['lobby'] }), placesOf({ users: [2] }), placesOf({})];
    const before = places.map((each) => counts.at(each));
    counts.count(undefined);
    for (const [i, each] of places.entries()) assert.notEqual(counts.at(each), before[i]);
  });

  it('move nowhere but in all with a change that shows nowhere', () => {
    const counts = new ChangeCounts();
    const room = placesOf({ rooms: ['lobby'] });
    const before = [counts.at(room), counts.any];
    counts.count({});
    assert.equal(counts.at(room), before[0]);
    assert.notEqual(counts.any, before[1]);
  });

  it('are seen by who shares the memory', () => {
    const counts = new ChangeCounts();
    const others = new ChangeCounts(counts.buffer);
    others.count({ users: [7] });
    assert.equal(counts.any, others.any);
    assert.equal(counts.at(placesOf({ users: [7] })), 1);
  });
});

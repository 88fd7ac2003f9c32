// Counts of changes as another process reads them.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { ChangeCounts, placesOf, ReadCounts, WrittenCounts } from '../../src/system/change-counts.ts';

function paths(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { folder, path: join(folder, 'counts') };
}

it('who reads the file sees each change that its writer has counted, where it was', (t) => {
  const { path } = paths(t);
  writeFileSync(path, 'of an earlier run');
  const written = new WrittenCounts(path);
  const counts = new ChangeCounts(undefined, written);
  const read = new ReadCounts(path);
  const [lobby, ann] = [placesOf({ rooms: ['lobby'] }), placesOf({ users: [2] })];
  for (const scope of [{ rooms: ['lobby'] }, { users: [2] }, {}, undefined]) {
    counts.count(scope);
    assert.deepEqual(
      [read.any, read.at(lobby), read.at(ann)],
      [counts.any, counts.at(lobby), counts.at(ann)],
      JSON.stringify(scope),
    );
  }
  read.close();
  written.close();
  assert.ok(!existsSync(path));
});

it('where the file is no longer written, or is short, nothing is as it was', (t) => {
  const { folder, path } = paths(t);
  const written = new WrittenCounts(path);
  const read = new ReadCounts(path);
  const place = placesOf({ users: [2] });
  const isSame = (look: () => number) => {
    const before = look();
    return before === look();
  };
  assert.ok(isSame(() => read.at(place)));
  truncateSync(path, 100);
  assert.ok(!isSame(() => read.at(place)));
  assert.ok(
    isSame(() => read.any),
    'that part is there',
  );
  written.close();
  assert.ok(!isSame(() => read.any));
  read.close();
  assert.deepEqual(readdirSync(folder), []);
  assert.throws(() => new ReadCounts(path), { code: 'ENOENT' });
});

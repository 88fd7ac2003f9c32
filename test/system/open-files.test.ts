// What the system lets a process have open.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_HTTP_CONNECTIONS, MAX_REFUSED_CONNECTIONS } from '../../src/limits/http.ts';
import { connectionsWithin, openFilesLimit } from '../../src/system/process.ts';

it('is the soft limit, where there is one', () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   4096   files\n`;
  assert.equal(openFilesLimit(limits('1024')), 1024);
  assert.equal(openFilesLimit(limits('unlimited')), undefined);
  assert.equal(openFilesLimit(''), undefined);
});

it('leaves room for those that are refused, and for what serves the others', () => {
  for (const files of [256, 1024, 10_000]) {
    const connections = connectionsWithin(files);
    assert.ok(connections > 0 && 2 * connections + MAX_REFUSED_CONNECTIONS <= files, `${files}: ${connections}`);
  }
  assert.ok(connectionsWithin(2 * MAX_HTTP_CONNECTIONS + MAX_REFUSED_CONNECTIONS) === MAX_HTTP_CONNECTIONS);
  assert.equal(connectionsWithin(10), 1);
});

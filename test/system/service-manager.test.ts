// What a service manager hands over, and how it is told.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inheritedSocket, notifyServiceManager } from '../../src/system/process.ts';

it('a socket is taken that was handed over to this process and no other', () => {
  assert.deepEqual(inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 7), { fd: 3 });
  assert.deepEqual(inheritedSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7), { count: 2 });
  for (const env of [
    {},
    { LISTEN_FDS: '1' },
    { LISTEN_PID: '8', LISTEN_FDS: '1' },
    { LISTEN_PID: '7', LISTEN_FDS: 'x' },
  ]) {
    assert.equal(inheritedSocket(env, 7), undefined);
  }
});

it('a manager that cannot be told is no reason to stop', async (t) => {
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = '/nowhere';
  assert.match(String(await notifyServiceManager(['READY=1'])), /^Notifying the service manager \(READY=1\) failed: /);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type BackendAddress, parseBackend } from '../../src/cli/option-values.ts';
import { serverAddressOf, warningOf } from '../../src/cli/server-address.ts';

const parsed = (text: string) => parseBackend(text) as BackendAddress;

it('only tls:// is encrypted', () => {
  assert.deepEqual(serverAddressOf(parsed('unix:/run/citadel.socket'), undefined), { path: '/run/citadel.socket' });
  assert.deepEqual(serverAddressOf(parsed('tcp://bbs:504'), undefined), { host: 'bbs', port: 504 });
  const address = serverAddressOf(parsed('tls://[2001:db8::1]:504'), undefined);
  assert.ok('host' in address && address.host === '2001:db8::1' && address.tls);
});

it('warns of passwords in clear on the way to another machine', () => {
  assert.equal(
    warningOf(parsed('tcp://[2001:db8::1]:504')),
    'Passwords go unencrypted to tcp://[2001:db8::1]:504. If that server supports TLS, use tls://[2001:db8::1]:504.',
  );
  assert.match(warningOf(parsed('tcp://bbs.example.org:504'))!, /^Passwords go unencrypted to tcp:\/\/bbs/);
  for (const near of [
    'tcp://127.0.0.1:504',
    'tcp://localhost:504',
    'tcp://[::1]:504',
    'unix:/run/c',
    'tls://bbs:504',
  ]) {
    assert.equal(warningOf(parsed(near)), undefined, near);
  }
});

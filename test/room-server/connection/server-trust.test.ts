import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { serverTrust } from '../../../src/room-server/connection/socket.ts';
import { Authority } from '../../support/certificates.ts';

it('takes a file of certificates, or what the system has', (t) => {
  const { caFile, folder } = new Authority(t);
  assert.ok(serverTrust(caFile).context);
  assert.ok(serverTrust().context);
  const text = join(folder, 'text');
  writeFileSync(text, 'hello');
  assert.throws(() => serverTrust(text), { message: `${text} contains no certificate; --backend-ca needs PEM.` });
  const missing = '/nowhere/ca.pem cannot be read: no such file or folder; see --backend-ca.';
  assert.throws(() => serverTrust('/nowhere/ca.pem'), { message: missing });
});

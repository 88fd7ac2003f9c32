// The certificate of a running server: taken over when its files change, kept when they are broken, and told of.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { CERTIFICATE_WARNING_DAYS } from '../../src/limits/http.ts';
import { type CertificateFiles, type CertificatePair, ServerCertificate } from '../../src/system/tls.ts';
import { Authority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';

const CHECK_MS = 20;

/** A certificate in use, and what puts another one in its place. */
function inUse(t: TestContext, wishes = {}) {
  const authority = new Authority(t);
  const files = { certificateFile: join(authority.folder, 'cert.pem'), keyFile: join(authority.folder, 'key.pem') };
  const install = ({ certificateFile, keyFile }: CertificateFiles) => {
    copyFileSync(certificateFile, files.certificateFile);
    copyFileSync(keyFile, files.keyFile);
  };
  install(authority.issue(wishes));
  const told: string[] = [];
  const changes: CertificatePair[] = [];
  const used = new ServerCertificate(files, (text) => told.push(text), CHECK_MS);
  used.onChange = (pair) => changes.push(pair);
  t.after(() => used.close());
  return { authority, files, install, used, told, changes };
}

it('a new pair is taken over by itself, and told once', async (t) => {
  const { authority, files, install, used, told, changes } = inUse(t);
  const before = used.context;
  install(authority.issue());
  await eventually(async () => told.length, 1);
  assert.match(told[0]!, /^New certificate from .*cert\.pem, valid until 20\d\d-\d\d-\d\d$/);
  assert.notEqual(used.context, before);
  assert.deepEqual(changes, [{ cert: readFileSync(files.certificateFile, 'utf8'), key: used.pair.key }]);
  used.reload();
  assert.equal(told.length, 1, 'nothing has changed since');
});

it('a broken pair is told once, and the old one kept, until it is mended', async (t) => {
  const { authority, files, install, used, told } = inUse(t);
  const before = used.context;
  writeFileSync(files.certificateFile, readFileSync(authority.issue().certificateFile));
  await eventually(async () => told.length, 1);
  assert.match(told[0]!, /^The old certificate stays in use: The key in .* does not match the certificate/);
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  assert.equal(told.length, 1);
  assert.equal(used.context, before);
  used.reload();
  assert.equal(told.length, 2, 'who asks is told again');
  install(authority.issue());
  await eventually(async () => told.length, 3);
  assert.notEqual(used.context, before);
});

it('one that goes on for long enough is no matter; one that expires soon is told once a day', (t) => {
  assert.deepEqual(inUse(t, { days: CERTIFICATE_WARNING_DAYS + 1 }).told, []);
  const { told, used } = inUse(t, { days: CERTIFICATE_WARNING_DAYS });
  assert.equal(told.length, 1);
  assert.match(told[0]!, /cert\.pem expires in 13 days$/);
  used.reload();
  assert.equal(told.length, 1);
  assert.match(inUse(t, { days: 2 }).told[0]!, /expires in 1 day$/);
  assert.match(inUse(t, { days: -1 }).told[0]!, /has expired$/);
});

// What the doctor says of certificates.

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import { examineCertificate } from '../../../src/extra/doctor/doctor.ts';
import { CERTIFICATE_WARNING_DAYS } from '../../../src/limits/http.ts';
import type { CertificateFiles } from '../../../src/system/tls.ts';
import { Authority, openssl } from '../../support/certificates.ts';
import { DEFAULTS } from '../../support/command-line.ts';

const examine = (tls?: CertificateFiles) => [...examineCertificate({ ...DEFAULTS, tls })];

function issued(t: TestContext, days: number): CertificateFiles {
  const files = new Authority(t).issue({ days });
  chmodSync(files.keyFile, 0o640);
  return files;
}

it('says nothing where the server speaks no TLS', () => {
  assert.deepEqual(examine(), []);
});

it('tells how long a certificate is good, and for whom', (t) => {
  const files = issued(t, CERTIFICATE_WARNING_DAYS + 1);
  const cert = files.certificateFile;
  assert.deepEqual(examine(files), [
    ['ok', 'certificate', `${cert} is valid for ${CERTIFICATE_WARNING_DAYS} more days, and the key matches`],
    ['ok', 'certificate', 'for DNS:localhost, IP Address:127.0.0.1'],
  ]);
});

it('notes one that expires soon, and finds one wrong that has', (t) => {
  const soon = issued(t, CERTIFICATE_WARNING_DAYS);
  const [note] = examine(soon);
  assert.deepEqual(note, [
    'note',
    'certificate',
    `${soon.certificateFile} is valid for ${CERTIFICATE_WARNING_DAYS - 1} more days, and the key matches`,
  ]);
  const [expired] = examine(issued(t, -1));
  assert.equal(expired![0], 'wrong');
  assert.match(expired![2], /has expired; replace it/);
});

it('finds files wrong that are no pair, a key that everybody may read, a certificate without names', (t) => {
  const authority = new Authority(t);
  const [one, other] = [authority.issue(), authority.issue()];
  chmodSync(one.keyFile, 0o644);
  assert.match(examine({ ...one, keyFile: other.keyFile })[0]![2], /does not match the certificate/);
  assert.match(examine({ ...one, keyFile: '/nowhere/key' })[0]![2], /^\/nowhere\/key cannot be read: /);
  const readable = ['wrong', 'certificate', `everybody on this machine can read the key: chmod o= ${one.keyFile}`];
  assert.deepEqual(examine(one).at(-1), readable);
  const nameless = { certificateFile: `${authority.folder}/n.pem`, keyFile: `${authority.folder}/n.key` };
  const words = ['-newkey', 'ed25519', '-nodes', '-subj', '/CN=chat.example.org'];
  openssl(['req', '-x509', ...words, '-keyout', nameless.keyFile, '-out', nameless.certificateFile]);
  assert.match(examine(nameless)[1]!.join(' '), /^wrong certificate .* has no subjectAltName/);
});

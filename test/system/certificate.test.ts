// What operators do wrong with certificates, and what they are told.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { daysLeft, readCertificatePair } from '../../src/system/tls.ts';
import { Authority, openssl } from '../support/certificates.ts';

it('reads a pair, and tells how long it is good', (t) => {
  const files = new Authority(t).issue({ days: 30 });
  const pair = readCertificatePair(files);
  assert.equal(pair.cert, readFileSync(files.certificateFile, 'utf8'));
  assert.equal(daysLeft(pair), 29);
  assert.equal(daysLeft(pair, Date.now() + 31 * 86_400_000), -2);
});

it('takes one that has expired: who comes all the same is better served than nobody', (t) => {
  assert.ok(daysLeft(readCertificatePair(new Authority(t).issue({ days: -1 }))) < 0);
});

it('says in words what is wrong, and with which file', (t) => {
  const authority = new Authority(t);
  const [one, other] = [authority.issue(), authority.issue()];
  const told = (certificateFile: string, keyFile: string) => {
    try {
      readCertificatePair({ certificateFile, keyFile });
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing';
  };
  const text = join(authority.folder, 'text');
  writeFileSync(text, 'hello');
  const locked = join(authority.folder, 'locked.key');
  openssl(['pkey', '-in', one.keyFile, '-aes256', '-passout', 'pass:x', '-out', locked]);
  const [cert, key] = [one.certificateFile, one.keyFile];
  assert.equal(told(cert, other.keyFile), `The key in ${other.keyFile} does not match the certificate in ${cert}.`);
  assert.equal(
    told('/nowhere/cert.pem', key),
    '/nowhere/cert.pem cannot be read: no such file or folder; see --tls-cert and --tls-key.',
  );
  assert.equal(
    told(authority.folder, key),
    `${authority.folder} cannot be read: it is a folder; see --tls-cert and --tls-key.`,
  );
  assert.match(told(text, key), /\/text contains no certificate\. /);
  assert.match(told(key, key), /\.key contains no certificate\. /);
  assert.match(told(cert, cert), /\.pem contains no private key in PEM/);
  assert.match(told(cert, text), /\/text contains no private key in PEM/);
  assert.match(told(cert, locked), /locked\.key has a passphrase\. Remove it: /);
});

it('refuses a key that TLS finds too short', (t) => {
  const { folder } = new Authority(t);
  const [certificateFile, keyFile] = [join(folder, 'short.pem'), join(folder, 'short.key')];
  openssl([
    'req',
    '-x509',
    '-newkey',
    'rsa:1024',
    '-nodes',
    '-keyout',
    keyFile,
    '-out',
    certificateFile,
    '-subj',
    '/CN=x',
  ]);
  assert.throws(() => readCertificatePair({ certificateFile, keyFile }), {
    message: /cannot be used for TLS: .*small/,
  });
});

// What operators do wrong with certificates, and what they are told.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { daysLeft, readCertificatePair } from '../../src/system/certificate.ts';
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
  assert.equal(
    told(cert, other.keyFile),
    `The key in ${other.keyFile} is not that of the certificate in ${cert}; name the pair.`,
  );
  assert.equal(
    told('/nowhere/cert.pem', key),
    '/nowhere/cert.pem cannot be read: there is no such file or folder; see --tls-cert and --tls-key.',
  );
  assert.equal(
    told(authority.folder, key),
    `${authority.folder} cannot be read: this is a folder; see --tls-cert and --tls-key.`,
  );
  assert.match(told(text, key), /\/text holds no certificate; /);
  assert.match(told(key, key), /\.key holds no certificate; /);
  assert.match(told(cert, cert), /\.pem holds no private key; /);
  assert.match(told(cert, text), /\/text holds no private key; /);
  assert.match(told(cert, locked), /locked\.key is locked by a passphrase; write it without: /);
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

// The certificate of this server and its private key, two PEM files: read, looked at, and made ready for handshakes
// (RFC 8446, RFC 5246; which ciphers: RFC 9325 section 4.2). What an operator does wrong with them is told in words.

import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import { AppError } from '../errors.ts';
import { forOperator } from './operator-errors.ts';

/** absolute paths */
export interface CertificateFiles {
  certificateFile: string;
  keyFile: string;
}

/** PEM: the certificate with those that lead to its issuer, and its key */
export interface CertificatePair {
  cert: string;
  key: string;
}

const DAY_MS = 86_400_000;
/** of TLS 1.2 those with forward secrecy and authenticated encryption; TLS 1.3 has no others */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** Throws AppError for the operator where a file cannot be read, holds something else, or the two do not match. */
export function readCertificatePair({ certificateFile, keyFile }: CertificateFiles): CertificatePair {
  const pair = { cert: read(certificateFile), key: read(keyFile) };
  if (!certificateOf(pair.cert, certificateFile).checkPrivateKey(privateKeyOf(pair.key, keyFile))) {
    throw unusable(`The key in ${keyFile} is not that of the certificate in ${certificateFile}; name the pair.`);
  }
  try {
    serverContext(pair);
  } catch (error) {
    const { message } = error as Error;
    throw unusable(`${certificateFile} cannot be used for TLS: ${message.replaceAll('\n', ' ')}.`, error);
  }
  return pair;
}

/** The first certificate of PEM text, which is that of the server itself. */
export function certificateIn(pem: string): X509Certificate {
  return new X509Certificate(pem);
}

/** Whole days from `now` (Unix milliseconds) until the certificate expires; negative once it has. */
export function daysLeft({ cert }: CertificatePair, now = Date.now()): number {
  return Math.floor((certificateIn(cert).validToDate.getTime() - now) / DAY_MS);
}

/** What the server's end of a handshake needs. Throws for what OpenSSL refuses, such as a key that is too short. */
export function serverContext({ cert, key }: CertificatePair): SecureContext {
  return createSecureContext({
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    honorCipherOrder: true,
    // a client could make us work by asking again and again
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw forOperator(error, `${file} cannot be read`, 'see --tls-cert and --tls-key');
  }
}

function certificateOf(pem: string, file: string): X509Certificate {
  try {
    return certificateIn(pem);
  } catch (error) {
    throw unusable(`${file} holds no certificate; it takes one in PEM, and below it those of its issuers.`, error);
  }
}

function privateKeyOf(pem: string, file: string): KeyObject {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: .*ENCRYPTED/m.test(pem)) {
    throw unusable(`The key in ${file} is locked by a passphrase; write it without: openssl pkey -in OLD -out NEW.`);
  }
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw unusable(`${file} holds no private key; it takes one in PEM.`, error);
  }
}

function unusable(text: string, cause?: unknown): AppError {
  return new AppError('internal', text, { cause });
}

// TLS for servers: loads, validates and watches the certificate and its private key (PEM; RFC 8446, RFC 5246; ciphers:
// RFC 9325 section 4.2), and handshakes (RFC 8446 section 4) on a connected socket with a deadline.

import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { AppError } from '../errors.ts';
import { CERTIFICATE_CHECK_MS, CERTIFICATE_WARNING_DAYS, TLS_HANDSHAKE_TIMEOUT_MS } from '../limits/http.ts';
import { forOperator } from './operator-errors.ts';

/** absolute paths */
export interface CertificateFiles {
  certificateFile: string;
  keyFile: string;
}

/** PEM: the certificate chain, and the private key */
export interface CertificatePair {
  cert: string;
  key: string;
}

const DAY_MS = 86_400_000;
/** for TLS 1.2 those with forward secrecy and authenticated encryption; TLS 1.3 has no others */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** Throws AppError for the operator if a file is unreadable or invalid, or the two do not match. */
export function readCertificatePair({ certificateFile, keyFile }: CertificateFiles): CertificatePair {
  const pair = { cert: read(certificateFile), key: read(keyFile) };
  if (!certificateOf(pair.cert, certificateFile).checkPrivateKey(privateKeyOf(pair.key, keyFile))) {
    throw unusable(`The key in ${keyFile} does not match the certificate in ${certificateFile}.`);
  }
  try {
    serverContext(pair);
  } catch (error) {
    const { message } = error as Error;
    throw unusable(`${certificateFile} cannot be used for TLS: ${message.replaceAll('\n', ' ')}.`, error);
  }
  return pair;
}

/** The first certificate in PEM text: the server's own. */
export function certificateIn(pem: string): X509Certificate {
  return new X509Certificate(pem);
}

/** Whole days until expiry; negative if expired. `now`: Unix milliseconds. */
export function daysLeft({ cert }: CertificatePair, now = Date.now()): number {
  return Math.floor((certificateIn(cert).validToDate.getTime() - now) / DAY_MS);
}

/** Throws for what OpenSSL refuses, such as a short key. */
export function serverContext({ cert, key }: CertificatePair): SecureContext {
  return createSecureContext({
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    honorCipherOrder: true,
    // renegotiation would let a client make us work again and again
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
    throw unusable(
      `${file} contains no certificate. It needs the certificate in PEM, followed by the intermediates.`,
      error,
    );
  }
}

function privateKeyOf(pem: string, file: string): KeyObject {
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: .*ENCRYPTED/m.test(pem)) {
    throw unusable(`The key in ${file} has a passphrase. Remove it: openssl pkey -in OLD -out NEW.`);
  }
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw unusable(`${file} contains no private key in PEM.`, error);
  }
}

function unusable(text: string, cause?: unknown): AppError {
  return new AppError('internal', text, { cause });
}

export class ServerCertificate {
  readonly #files: CertificateFiles;
  readonly #tell: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #pair: CertificatePair;
  #context: SecureContext;
  /** contents at the last check */
  #seen: string;
  /** contents last reported as invalid */
  #refused = '';
  /** days left at the last warning */
  #warnedDays: number | undefined;
  /** Called for each new pair. */
  onChange: ((pair: CertificatePair) => void) | undefined;

  /** `tell` receives lines for the operator. Throws like readCertificatePair. */
  constructor(files: CertificateFiles, tell: (text: string) => void, checkMs = CERTIFICATE_CHECK_MS) {
    this.#files = files;
    this.#tell = tell;
    this.#pair = readCertificatePair(files);
    this.#context = serverContext(this.#pair);
    this.#seen = textOf(this.#pair);
    this.#warn();
    this.#timer = setInterval(() => void this.#check(), checkMs).unref();
  }

  get pair(): CertificatePair {
    return this.#pair;
  }

  get context(): SecureContext {
    return this.#context;
  }

  /** Reads the files now and reports problems. */
  reload(): void {
    try {
      this.#take(readCertificatePair(this.#files));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#tell(`The old certificate stays in use: ${error.message}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The two files are written one after the other, so a problem is reported if it lasts for two checks. */
  async #check(): Promise<void> {
    this.#warn();
    const { certificateFile, keyFile } = this.#files;
    const read = (file: string) => readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => `${error.code}`);
    const seen = textOf({ cert: await read(certificateFile), key: await read(keyFile) });
    const isSettled = seen === this.#seen;
    this.#seen = seen;
    if (seen === textOf(this.#pair) || seen === this.#refused) return;
    try {
      this.#take(readCertificatePair(this.#files));
    } catch (error) {
      if (!isSettled || !(error instanceof AppError)) return;
      this.#refused = seen;
      this.#tell(`The old certificate stays in use: ${error.message}`);
    }
  }

  #take(pair: CertificatePair): void {
    this.#refused = '';
    if (textOf(pair) === textOf(this.#pair)) return;
    this.#context = serverContext(pair);
    this.#pair = pair;
    this.#warnedDays = undefined;
    const until = certificateIn(pair.cert).validToDate.toISOString().slice(0, 10);
    this.#tell(`New certificate from ${this.#files.certificateFile}, valid until ${until}`);
    this.#warn();
    this.onChange?.(pair);
  }

  /** Once a day. */
  #warn(): void {
    const days = daysLeft(this.#pair);
    if (days >= CERTIFICATE_WARNING_DAYS || days === this.#warnedDays) return;
    this.#warnedDays = days;
    const when = days < 0 ? 'has expired' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`;
    this.#tell(`The certificate in ${this.#files.certificateFile} ${when}`);
  }
}

function textOf({ cert, key }: CertificatePair): string {
  return `${cert}\0${key}`;
}

interface TlsAcceptance {
  context: SecureContext;
  /** for ALPN (RFC 7301); clients that offer only others are rejected */
  protocol?: string;
  /** Called when the handshake is complete, before any data after it is read. */
  secured(socket: TLSSocket): void;
  timeoutMs?: number;
}

/**
 * Unread bytes of `raw` start the handshake. On failure or timeout, closes `raw`; its event 'close' tells the caller.
 */
export function acceptTls(raw: Socket, { context, protocol, secured, timeoutMs }: TlsAcceptance): void {
  const options = { isServer: true, secureContext: context };
  const socket = new TLSSocket(raw, protocol === undefined ? options : { ...options, ALPNProtocols: [protocol] });
  const timer = setTimeout(() => raw.destroy(), timeoutMs ?? TLS_HANDSHAKE_TIMEOUT_MS);
  raw.once('close', () => clearTimeout(timer));
  // these stay: an error before the new owner listens must not end the process
  raw.on('error', () => {});
  socket.on('error', () => {});
  // like node's TLS server on an unreadable record
  socket.on('_tlsError', (error: Error) => socket.destroy(error));
  socket.once('secure', () => {
    clearTimeout(timer);
    secured(socket);
  });
}

// Sockets to room servers: connecting and the client side of TLS after STLS (protocol section 5; RFC 8446), both with a
// deadline. The certificate must be for the requested host (RFC 9525) and come from a trusted CA: the one that the
// operator names, or those of the system (RFC 5280 section 6).

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { AppError } from '../../errors.ts';
import { CONNECT_TIMEOUT_MS, FIRST_RETRY_MS, LAST_RETRY_MS } from '../../limits/protocol.ts';
import { forOperator } from '../../system/operator-errors.ts';
import { faultError, stopping } from './server-errors.ts';

/** where the room server listens; `tls`: only the greeting and STLS are sent in clear text */
export type ServerAddress = { path: string } | { host: string; port: number; tls?: ServerTrust };

/** How long to retry a connect that fails at once; undefined: not at all. */
export interface Patience {
  /** while the server's backlog is full (EAGAIN, unix sockets only) */
  fullMs: number;
  /** while nobody listens (ECONNREFUSED) */
  refusedMs: number;
  /** aborting it throws busy */
  signal: AbortSignal;
}

/** Throws backend_unreachable, backend_timeout; busy if the backlog stayed full. */
export async function openSocket(target: ServerAddress, patience?: Patience): Promise<Socket> {
  const started = performance.now();
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS)) {
    try {
      return await openOnce(target);
    } catch (error) {
      const left = patience === undefined ? 0 : started + timeFor(error, patience) - performance.now();
      if (left < pause) throw error;
    }
    await sleep(pause, undefined, { signal: patience!.signal }).catch(() => {
      throw stopping();
    });
  }
}

function timeFor(error: unknown, { fullMs, refusedMs }: Patience): number {
  const code = causeOf(error);
  return code === 'EAGAIN' ? fullMs : code === 'ECONNREFUSED' ? refusedMs : 0;
}

function causeOf(error: unknown): string | undefined {
  return error instanceof AppError ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined;
}

async function openOnce(target: ServerAddress): Promise<Socket> {
  const at = 'path' in target ? target : { host: target.host, port: target.port };
  const socket = connect(at);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new AppError('backend_timeout', 'The room server does not answer.'));
    }, CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    // stays: an error before the new owner listens must not end the process
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const isFull = cause.code === 'EAGAIN';
      reject(
        isFull
          ? new AppError('busy', 'The room server has too many connection attempts.', { cause, retryAfterSeconds: 2 })
          : new AppError('backend_unreachable', 'The room server cannot be reached.', { cause }),
      );
    });
  });
  return socket;
}

export interface ServerTrust {
  /** created once: the system trusts hundreds of CAs */
  context: SecureContext;
}

/**
 * `caFile`: CA certificate (PEM); undefined: those of the system, or Node's if there are none. `option` is named in
 * errors. Throws AppError for the operator.
 */
export function serverTrust(caFile?: string, option = '--backend-ca'): ServerTrust {
  const ca = caFile === undefined ? systemAuthorities() : authoritiesIn(caFile, option);
  return { context: createSecureContext({ ca, minVersion: 'TLSv1.2' }) };
}

function systemAuthorities(): string[] {
  const found = getCACertificates('system');
  return [...new Set(found.length > 0 ? found : getCACertificates('bundled'))];
}

function authoritiesIn(file: string, option: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw forOperator(error, `${file} cannot be read`, `see ${option}`);
  }
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new AppError('internal', `${file} contains no certificate; ${option} needs PEM.`, { cause });
  }
  return pem;
}

const UNTRUSTED = 'its issuer is not trusted';

/** by node's error code */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** Closes `raw`, a connected socket without listeners, on failure: backend_unreachable, backend_timeout. */
export async function encryptSocket(raw: Socket, host: string, { context }: ServerTrust): Promise<TLSSocket> {
  const name = isIP(host) ? {} : { servername: host };
  const options = { socket: raw, host, ...name, secureContext: context, rejectUnauthorized: true };
  const socket = connectTls(options);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: AppError) => {
      clearTimeout(timer);
      raw.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(faultError('backend_timeout', 'handshake')), CONNECT_TIMEOUT_MS);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      resolve();
    });
    // stays: an error before the new owner listens must not end the process
    socket.on('error', (cause: NodeJS.ErrnoException) => fail(handshakeFault(cause)));
    socket.once('close', () => fail(handshakeFault()));
  });
  return socket;
}

function handshakeFault(cause?: NodeJS.ErrnoException): AppError {
  const { code = '' } = cause ?? {};
  if (!Object.hasOwn(FAULTS, code)) {
    return new AppError('backend_unreachable', 'The TLS handshake with the room server failed.', { cause });
  }
  const text = `The room server’s certificate is not accepted: ${FAULTS[code]}.`;
  // not node's text, which names node's options
  return new AppError('backend_unreachable', text, { cause: code });
}

// The client's end of a TLS handshake with a room server, behind STLS (protocol section 5; RFC 8446). The certificate
// must come from an authority that is trusted, and be for the host that was asked for (RFC 9525).

import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { AppError } from '../../errors.ts';
import { CONNECT_TIMEOUT_MS } from '../../limits/protocol.ts';
import { faultError } from './connection-fault.ts';
import type { ServerTrust } from './server-trust.ts';

const UNTRUSTED = 'it comes from nobody who is trusted here';

/** by node's codes of what is wrong with a certificate */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/**
 * `raw` is connected and nobody listens to it any more; it is closed where this fails: backend_unreachable,
 * backend_timeout.
 */
export async function encryptSocket(raw: Socket, host: string, { context }: ServerTrust): Promise<TLSSocket> {
  const name = isIP(host) ? {} : { servername: host };
  const options = { socket: raw, host, ...name, secureContext: context, rejectUnauthorized: true };
  const socket = connect(options);
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
    // it stays: an error that comes before the new owner listens must not end the process
    socket.on('error', (cause: NodeJS.ErrnoException) => fail(handshakeFault(cause)));
    socket.once('close', () => fail(handshakeFault()));
  });
  return socket;
}

function handshakeFault(cause?: NodeJS.ErrnoException): AppError {
  const { code = '' } = cause ?? {};
  if (!Object.hasOwn(FAULTS, code)) {
    return new AppError('backend_unreachable', 'The TLS handshake with the room server has failed.', { cause });
  }
  const text = `The certificate of the room server is not accepted: ${FAULTS[code]}.`;
  // node's own text names options of node
  return new AppError('backend_unreachable', text, { cause: code });
}

// The handshake behind STLS (protocol section 5): the socket changes hands from the session to TLS, and comes back as
// another one.

import type { Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { acceptTls } from '../../system/accept-tls.ts';

/** Nobody hears `raw` any more. Resolves when it is encrypted; where that fails it is closed, and this never ends. */
export function encrypt(raw: Socket, context: SecureContext): Promise<TLSSocket> {
  for (const event of ['data', 'end', 'timeout']) raw.removeAllListeners(event);
  raw.setTimeout(0).pause();
  return new Promise((secured) => acceptTls(raw, { context, secured }));
}

// Whose word counts for the certificate of a room server: one certification authority that the operator names, or those
// of the system (RFC 5280 section 6).

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import { forOperator } from '../../system/operator-errors.ts';

export interface ServerTrust {
  /** made once: the system trusts hundreds */
  context: SecureContext;
}

/**
 * `caFile`: PEM, of the `option`; undefined: the system's, or Node's own where there are none. Throws AppError for the
 * operator.
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
    throw new AppError('internal', `${file} holds no certificate; ${option} takes PEM.`, { cause });
  }
  return pem;
}

// The part of `vestibule doctor` that looks at certificate and key of --tls-cert and --tls-key.

import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { CERTIFICATE_WARNING_DAYS } from '../limits/http.ts';
import { type CertificatePair, certificateIn, daysLeft, readCertificatePair } from '../system/certificate.ts';
import type { Finding } from './doctor-finding.ts';
import type { ServeOptions } from './serve-options.ts';

const WHAT = 'certificate';

/** Nothing where the server speaks no TLS itself. */
export function* examineCertificate({ tls }: ServeOptions): Generator<Finding> {
  if (!tls) return;
  let pair: CertificatePair;
  try {
    pair = readCertificatePair(tls);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield ['wrong', WHAT, error.message];
    return;
  }
  const { subjectAltName, validFromDate } = certificateIn(pair.cert);
  const days = daysLeft(pair);
  const file = tls.certificateFile;
  if (validFromDate.getTime() > Date.now()) {
    yield ['wrong', WHAT, `${file} is valid from ${validFromDate.toISOString()} on; look at the clock, or wait`];
  } else if (days < 0) {
    yield ['wrong', WHAT, `${file} has expired; put a new one in its place, the server takes it over by itself`];
  } else {
    const level = days < CERTIFICATE_WARNING_DAYS ? 'note' : 'ok';
    yield [level, WHAT, `${file} is valid for ${days} more ${days === 1 ? 'day' : 'days'}, the key is its own`];
  }
  if (subjectAltName === undefined) {
    yield ['wrong', WHAT, `${file} names no host (subjectAltName), and no client accepts it; get one that does`];
  } else {
    yield ['ok', WHAT, `it is for ${subjectAltName}`];
  }
  if (process.platform !== 'win32' && (statSync(tls.keyFile).mode & 0o007) !== 0) {
    yield ['wrong', WHAT, `everybody on this machine may read the key: chmod o= ${tls.keyFile}`];
  }
}

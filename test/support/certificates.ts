// Certificates as operators have them: made by openssl, in a folder that is gone when the test ends.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateFiles } from '../../src/system/tls.ts';
import type { Ending } from './gateway.ts';

export interface CertificateWishes {
  /** subjectAltName (RFC 5280 section 4.2.1.6) */
  names?: string;
  /** it is valid from now on; negative: it has expired */
  days?: number;
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const LOOPBACK = 'DNS:localhost,IP:127.0.0.1';

/** A certification authority, and certificates of it, each in two files. */
export class Authority {
  readonly folder: string;
  /** its own certificate */
  readonly caFile: string;
  #count = 0;

  constructor(t: Ending) {
    this.folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    this.caFile = join(this.folder, 'ca.pem');
    const own = ['-keyout', join(this.folder, 'ca.key'), '-out', this.caFile, '-subj', '/CN=Test authority'];
    openssl(['req', '-x509', ...EC, '-days', '2', ...own]);
  }

  issue({ names = LOOPBACK, days = 30 }: CertificateWishes = {}): CertificateFiles {
    const stem = join(this.folder, `${++this.#count}`);
    const [request, certificateFile, keyFile] = [`${stem}.csr`, `${stem}.pem`, `${stem}.key`] as const;
    const wish = ['-subj', '/CN=test', '-addext', `subjectAltName=${names}`];
    openssl(['req', '-new', ...EC, '-keyout', keyFile, '-out', request, ...wish]);
    const by = ['-CA', this.caFile, '-CAkey', join(this.folder, 'ca.key'), '-copy_extensions', 'copy'];
    openssl(['x509', '-req', '-in', request, ...by, '-days', `${days}`, '-out', certificateFile]);
    return { certificateFile, keyFile };
  }
}

/** The words of the command line that name them. */
export function tlsWords({ certificateFile, keyFile }: CertificateFiles): string[] {
  return ['--tls-cert', certificateFile, '--tls-key', keyFile];
}

export function openssl(words: string[]): void {
  execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}

// The certificate that a running server shows. Its files are looked at now and then, and at SIGHUP: a new pair is for
// the connections that come from then on, a broken one is told of and the old one kept.

import { readFile } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import { AppError } from '../errors.ts';
import { CERTIFICATE_CHECK_MS, CERTIFICATE_WARNING_DAYS } from '../limits/http.ts';
import {
  type CertificateFiles,
  type CertificatePair,
  certificateIn,
  daysLeft,
  readCertificatePair,
  serverContext,
} from './certificate.ts';

export class ServerCertificate {
  readonly #files: CertificateFiles;
  readonly #tell: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #pair: CertificatePair;
  #context: SecureContext;
  /** what the files held when they were last looked at */
  #seen: string;
  /** the same when it was last told that it cannot be used */
  #refused = '';
  /** days left that have been told */
  #warnedDays: number | undefined;
  /** Told of each new pair. */
  onChange: ((pair: CertificatePair) => void) | undefined;

  /** `tell` gets lines for the operator. Throws as readCertificatePair. */
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

  /** Reads the files now; what is wrong with them is told. */
  reload(): void {
    try {
      this.#take(readCertificatePair(this.#files));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#tell(`The certificate stays what it was: ${error.message}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Who writes both files does so one after the other: what is wrong at two checks is told, once. */
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
      this.#tell(`The certificate stays what it was: ${error.message}`);
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

  /** Once for each day that is left. */
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

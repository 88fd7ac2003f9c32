// The error of the embedded server that is a reply to the client (protocol section 3).

import { STATUS } from '../../protocol/status.ts';

/** Thrown anywhere in a verb, sent as `CODE TEXT`. It has no stack: nobody reads it, and recording one is expensive. */
export class Refusal extends Error {
  readonly reason: keyof typeof STATUS;

  constructor(reason: keyof typeof STATUS, text: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(text);
    Error.stackTraceLimit = stackTraceLimit;
    this.reason = reason;
  }

  get code(): number {
    return STATUS[this.reason];
  }

  /** The number that stands for it in a listing after a body, where no status can: its negative, -1 for a full disk. */
  get failure(): number {
    return this.reason === 'storage' ? -1 : -this.code;
  }
}

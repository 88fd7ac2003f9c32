// The error of the embedded server that is an answer to the client (protocol section 3).

/**
 * A refusal: thrown anywhere below a verb, answered as `CODE TEXT`. It has no stack: nobody reads that of an answer,
 * and to write it took longer than most commands do.
 */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(text);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
  }
}

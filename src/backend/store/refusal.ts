// The error of the embedded server that is an answer to the client (protocol section 3).

/** A refusal: thrown anywhere below a verb, answered as `CODE TEXT`. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

// What the embedded server says no with (protocol section 3): thrown anywhere below a verb.

/** A refusal: thrown anywhere below a verb, answered as `CODE TEXT`. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

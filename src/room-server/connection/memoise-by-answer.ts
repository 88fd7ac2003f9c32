// Equal reads of one turn of the event loop get one answer object (identity-connections.ts): what is made of an
// answer is made once for all of them.

import { Attached } from '../../system/attached.ts';

/** `make`, run once for each argument object. It must be pure, and nobody may change what it returns. */
export function memoiseByAnswer<A extends object, B>(make: (answer: A) => B): (answer: A) => B {
  const made = new Attached<A, B>();
  return (answer) => made.getOrInsertComputed(answer, make);
}

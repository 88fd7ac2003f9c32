// Equal reads of one turn share their answers (lane.ts); what is made of an answer is then shared as well.

/** `make`, run once for each argument object. It must be pure, and nobody may change what it returns. */
export function shared<A extends object, B>(make: (value: A) => B): (value: A) => B {
  const made = new WeakMap<A, { result: B }>();
  return (value) => {
    let known = made.get(value);
    if (!known) made.set(value, (known = { result: make(value) }));
    return known.result;
  };
}

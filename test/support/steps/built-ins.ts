// What the built-in functions cost that look at or copy more than one character, byte or element: precise coverage sees
// a call of them as one step. Replaced while steps are counted.
//
// What cannot be replaced is not seen: comparing and joining texts with operators, spreading objects.

import { countMatch, TooManySteps } from './regexp-steps.ts';

/** `self` and `args` of a call, and what it gave: undefined where it threw */
// biome-ignore lint/suspicious/noExplicitAny: what is handed to a built-in function can be anything
type Cost = (self: any, args: any[], result: any) => number;

const whole: Cost = (self) => self.length;
/** Elements that were looked at until one was found. What is called for each is not seen once it has been inlined. */
const until: Cost = (self, _, result) => (result === undefined ? self.length : self.indexOf(result) + 1);
const untilIndex: Cost = (self, _, result) => (result >= 0 ? result + 1 : self.length);
const backUntil: Cost = (self, _, result) =>
  result === undefined ? self.length : self.length - self.lastIndexOf(result);
const backUntilIndex: Cost = (self, _, result) => self.length - Math.max(result ?? 0, 0);
/** `answer` is what it gives when it has looked at all; otherwise nobody tells how far it came */
const unless =
  (answer: boolean): Cost =>
  (self, _, result) =>
    result === answer ? self.length : 1;
const made: Cost = (_, __, result) => result?.length ?? 0;
const both: Cost = (self, args, result) => whole(self, args, result) + made(self, args, result);
const given: Cost = (_, [first]) => lengthOf(first);
/** a part of a text is a reference to it, from 13 characters on */
const part: Cost = (_, __, result) => Math.min(result?.length ?? 0, 13);
const trimmed: Cost = (self, _, result) => self.length - (result?.length ?? 0);
const forward: Cost = (self, [needle, from = 0], result) =>
  typeof result === 'number' && result >= 0
    ? Math.max(0, result - toOffset(from, self.length)) + lengthOf(needle)
    : Math.max(0, self.length - toOffset(from, self.length));
const backward: Cost = (self, [needle, from = self.length], result) =>
  Math.max(0, Math.min(toOffset(from, self.length), self.length) - Math.max(0, result ?? 0)) + lengthOf(needle);
/** where the answer does not tell how far it looked */
const sought: Cost = (self, args, result) =>
  result && typeof self.indexOf === 'function'
    ? forward(self, args, self.indexOf(args[0], args[1]))
    : forward(self, args, -1);
/** with a regular expression `exec` is what counts */
const unlessExpression =
  (cost: Cost): Cost =>
  (self, args, result) =>
    typeof args[0] === 'string' ? cost(self, args, result) : made(self, args, result);
const inserted: Cost = (self, [start = 0], result) =>
  self.length - toOffset(start, self.length) + (result?.length ?? 0);

function toOffset(from: unknown, length: number): number {
  const offset = typeof from === 'number' ? from : 0;
  return offset < 0 ? Math.max(0, length + offset) : offset;
}

function lengthOf(value: unknown): number {
  const { length, byteLength, size } = Object(value);
  return length ?? byteLength ?? size ?? 0;
}

/** `{ a: cost, b: cost }` */
const all = (names: string, cost: Cost): Record<string, Cost> =>
  Object.fromEntries(names.split(' ').map((name) => [name, cost]));

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);

/** what is searched alike in texts, lists and bytes */
const SEARCHES = { indexOf: forward, lastIndexOf: backward, includes: sought };

const COSTS: [object, Record<string, Cost>][] = [
  [
    String.prototype,
    {
      ...SEARCHES,
      ...all('slice substring substr', part),
      ...all('trim trimStart trimEnd', trimmed),
      ...all('toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase normalize', whole),
      ...all('isWellFormed toWellFormed localeCompare', whole),
      ...all('concat repeat padStart padEnd', made),
      ...all('startsWith endsWith', given),
      split: unlessExpression(both),
      ...all('replace replaceAll', unlessExpression(both)),
    },
  ],
  [
    Array.prototype,
    {
      ...SEARCHES,
      ...all('shift reverse fill copyWithin sort join toString', whole),
      ...all('forEach map filter reduce reduceRight', whole),
      find: until,
      findIndex: untilIndex,
      findLast: backUntil,
      findLastIndex: backUntilIndex,
      some: unless(false),
      every: unless(true),
      ...all('slice concat flat flatMap toReversed toSorted with toSpliced', made),
      unshift: whole,
      splice: inserted,
      join: both,
    },
  ],
  [
    TypedArray,
    {
      ...SEARCHES,
      ...all('slice', made),
      ...all('fill copyWithin reverse sort join toReversed toSorted', whole),
      set: given,
    },
  ],
  [
    Buffer.prototype,
    {
      ...SEARCHES,
      ...all('toString latin1Slice utf8Slice asciiSlice hexSlice base64Slice ucs2Slice', made),
      ...all('write latin1Write utf8Write', given),
      ...all('equals compare', whole),
      copy: (_, __, result) => result ?? 0,
      fill: whole,
    },
  ],
  // of an ArrayBuffer it is a view
  [
    Buffer,
    {
      concat: made,
      from: (_, [first]) => (first instanceof ArrayBuffer ? 1 : lengthOf(first)),
      byteLength: given,
      alloc: made,
    },
  ],
  [Array, { from: made }],
  [Object, { ...all('keys values entries', made), fromEntries: given }],
  [JSON, { parse: given, stringify: made }],
  [TextDecoder.prototype, { decode: given }],
  [TextEncoder.prototype, { encode: given }],
  [String, { ...all('fromCharCode fromCodePoint', (_, args) => args.length) }],
  [
    globalThis,
    { ...all('decodeURIComponent encodeURIComponent decodeURI encodeURI atob btoa structuredClone', given) },
  ],
];

/** Replaces the functions; `add` hears of each cost. The answer puts them back. */
export function replaceBuiltIns(add: (steps: number) => void, onExcess: (error: TooManySteps) => void): () => void {
  const undo: (() => void)[] = [];
  let isOwn = false;
  const replace = (target: object, name: PropertyKey, make: (native: (...args: never) => unknown) => unknown) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    if (!descriptor) return;
    undo.push(() => Object.defineProperty(target, name, descriptor));
    Object.defineProperty(target, name, { ...descriptor, value: make(descriptor.value) });
  };

  for (const [target, costs] of COSTS) {
    for (const [name, cost] of Object.entries(costs)) {
      replace(target, name, (native) =>
        named(name, function (this: unknown, ...args: unknown[]) {
          if (isOwn) return Reflect.apply(native, this, args);
          // before the call, for some change the list that they are called on
          const before = lengthOf(this);
          let result: unknown;
          try {
            result = Reflect.apply(native, this, args);
            return result;
          } finally {
            isOwn = true;
            const self = Array.isArray(this)
              ? { length: before, indexOf: this.indexOf.bind(this), lastIndexOf: this.lastIndexOf.bind(this) }
              : this;
            add(cost(self, args, result));
            isOwn = false;
          }
        }),
      );
    }
  }
  for (const [collection, name] of [
    [Array.prototype, 'values'],
    [Map.prototype, 'entries'],
    [Set.prototype, 'values'],
  ] as const) {
    // `[...list]` asks for each element in turn
    replace(collection, Symbol.iterator, (native) =>
      named(name, function (this: unknown) {
        const iterator = Reflect.apply(native, this, []) as Iterator<unknown>;
        return isOwn ? iterator : counted(iterator, add);
      }),
    );
  }
  replace(RegExp.prototype, 'exec', (native) =>
    named('exec', function (this: RegExp, given: unknown) {
      if (isOwn) return Reflect.apply(native, this, [given]);
      const text = String(given);
      isOwn = true;
      try {
        const { steps, found } = countMatch(this, text);
        add(steps);
        const match = Reflect.apply(native, this, [text]) as RegExpExecArray | null;
        // a matcher that finds something else counts something else
        if (match?.index !== found?.index || (match && match.index + match[0].length !== found?.end)) {
          throw new Error(`${this} on ${JSON.stringify(text.slice(0, 200))}: counted ${JSON.stringify(found)}`);
        }
        return match;
      } catch (error) {
        if (error instanceof TooManySteps) onExcess(error);
        throw error;
      } finally {
        isOwn = false;
      }
    }),
  );
  return () => {
    for (const each of undo) each();
  };
}

/** Has the methods of an iterator, and counts each element. */
function counted(iterator: Iterator<unknown>, add: (steps: number) => void): Iterator<unknown> {
  return {
    next() {
      add(1);
      return iterator.next();
    },
    [Symbol.iterator]() {
      return this;
    },
  } as Iterator<unknown>;
}

function named<T extends object>(name: string, replacement: T): T {
  return Object.defineProperty(replacement, 'name', { value: name });
}

// What is left to be done to an object that waited, looking at what is there now.

/** @import { ObjectWork, Version } from './outbox-joining.js' */

/**
 * What is left to be done where `there` is what the server has: nothing, to write over a version (undefined: where
 * there is none), or to ask.
 * @param {Pick<ObjectWork, 'text' | 'base' | 'tried'>} work @param {Version} [there]
 * @returns {'done' | 'conflict' | { over: Version | undefined }}
 */
export function stepOf({ text, base, tried }, there) {
  if (text === undefined ? !there : there && isSame(there.text, text)) return 'done';
  if (there?.etag === base?.etag || (there && base && isSame(there.text, base.text))) return { over: there };
  // one's own, of which no answer came
  if (tried.some((each) => (each === undefined ? !there : there && isSame(there.text, each)))) return { over: there };
  return 'conflict';
}

/** But for line ends, which room servers may set otherwise. @param {string} one @param {string} other */
const isSame = (one, other) => plain(one) === plain(other);

/** @param {string} text */
const plain = (text) => text.replaceAll('\r\n', '\n').trimEnd();

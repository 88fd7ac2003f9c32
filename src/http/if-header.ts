// The If header of WebDAV (RFC 4918 section 10.4): lists of conditions, each on the entity tag or the locks of a
// resource. There are no locks, so no state token ever matches.

import { AppError } from '../errors.ts';
import { decodePercent } from './percent.ts';

/** a resource tag, the beginning or end of a list, `Not`, a state token, an entity tag */
const TOKEN = /[ \t]*(?:<([^<>]*)>|([()])|(Not)(?=[ \t]*[<[])|\[((?:W\/)?"[^"]*")\])/iy;

/**
 * Whether one of the lists holds. `path` is that of the request, percent-encoded; `etag` what is there, with its
 * quotes. Of other resources nothing is known, so only what is not to be the case of them holds. Throws bad_request.
 */
export function holds(header: string, path: string, etag: string | undefined): boolean {
  let isOwn = true;
  let isAnyTrue = false;
  /** of the list that has begun: whether all so far hold, undefined while it is empty */
  let list: { isTrue: boolean | undefined } | undefined;
  let isNegated = false;
  let isTagged: boolean | undefined;
  TOKEN.lastIndex = 0;
  const end = header.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const token = TOKEN.exec(header);
    if (!token) throw malformed();
    const [, bracketed, parenthesis, not, tag] = token;
    if (!list) {
      if (bracketed !== undefined && isTagged !== false) {
        isTagged = true;
        isOwn = isSamePath(bracketed, path);
      } else if (parenthesis === '(') {
        isTagged ??= false;
        list = { isTrue: undefined };
      } else throw malformed();
    } else if (parenthesis === ')') {
      if (list.isTrue === undefined || isNegated) throw malformed();
      isAnyTrue ||= list.isTrue;
      list = undefined;
    } else if (not !== undefined && !isNegated) {
      isNegated = true;
    } else if (bracketed !== undefined || tag !== undefined) {
      const isMatch = isOwn && tag !== undefined && tag === etag;
      list.isTrue = (list.isTrue ?? true) && isMatch !== isNegated;
      isNegated = false;
    } else throw malformed();
  }
  if (list || isTagged === undefined) throw malformed();
  return isAnyTrue;
}

/** `'http://host/svc/r/A%20B/'`, `'/svc/r/A B'` */
function isSamePath(reference: string, path: string): boolean {
  return comparable(reference.replace(/^https?:\/\/[^/]*/i, '')) === comparable(path);
}

function comparable(path: string): string {
  return decodePercent(path).replace(/\/$/, '');
}

function malformed(): AppError {
  return new AppError('bad_request', 'The If header cannot be read.');
}

// The If header of WebDAV (RFC 4918 section 10.4): lists of conditions on entity tags or locks. The caller supplies the
// states of the resources.

import { AppError } from '../errors.ts';
import { MAX_IF_CONDITIONS } from '../limits/dav.ts';
import { decodePercent } from './query.ts';

/** Holds if all its conditions hold. */
export interface ConditionList {
  /** decoded path of the resource tag without trailing slash; undefined: the request's own resource */
  path: string | undefined;
  conditions: readonly StateCondition[];
}

/** Has either a token or an entity tag. */
export interface StateCondition {
  isNegated: boolean;
  /** lock token: `urn:uuid:…` */
  token: string | undefined;
  /** including quotes */
  etag: string | undefined;
}

export interface ResourceState {
  etag: string | undefined;
  /** tokens of the locks that cover it */
  tokens: readonly string[];
}

/** a resource tag, the start or end of a list, `Not`, a state token, an entity tag */
const TOKEN = /[ \t]*(?:<([^<>]*)>|([()])|(Not)(?=[ \t]*[<[])|\[((?:W\/)?"[^"]*")\])/iy;

/** Throws bad_request for a malformed header or too many conditions. */
export function parseIf(header: string): ConditionList[] {
  const lists: ConditionList[] = [];
  let path: string | undefined;
  let conditions: StateCondition[] | undefined;
  let count = 0;
  let isNegated = false;
  let isTagged: boolean | undefined;
  TOKEN.lastIndex = 0;
  const end = header.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(header);
    if (!match) throw malformed();
    const [, bracketed, parenthesis, not, etag] = match;
    if (!conditions) {
      if (bracketed !== undefined && isTagged !== false) {
        isTagged = true;
        path = comparablePath(bracketed);
      } else if (parenthesis === '(') {
        isTagged ??= false;
        conditions = [];
      } else throw malformed();
    } else if (parenthesis === ')') {
      if (conditions.length === 0 || isNegated) throw malformed();
      lists.push({ path, conditions });
      conditions = undefined;
    } else if (not !== undefined && !isNegated) {
      isNegated = true;
    } else if (bracketed !== undefined || etag !== undefined) {
      if (++count > MAX_IF_CONDITIONS) throw new AppError('bad_request', 'The If header has too many conditions.');
      conditions.push({ isNegated, token: bracketed, etag });
      isNegated = false;
    } else throw malformed();
  }
  if (conditions || isTagged === undefined) throw malformed();
  return lists;
}

/** Whether one of the lists holds. */
export function holds(lists: readonly ConditionList[], stateOf: (path: string | undefined) => ResourceState): boolean {
  return lists.some(({ path, conditions }) => {
    const state = stateOf(path);
    return conditions.every(({ isNegated, token, etag }) => {
      const isMatch = token === undefined ? etag === state.etag : state.tokens.includes(token);
      return isMatch !== isNegated;
    });
  });
}

/** All lock tokens in the header; naming a token submits it (RFC 4918 section 6.5). */
export function submittedTokens(lists: readonly ConditionList[]): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const { conditions } of lists) for (const { token } of conditions) if (token !== undefined) tokens.add(token);
  return tokens;
}

/** `'http://host/svc/r/A%20B/'`, `'/svc/r/A B'` → `'/svc/r/A B'`. Throws bad_request. */
export function comparablePath(reference: string): string {
  return decodePercent(reference.replace(/^https?:\/\/[^/]*/i, '')).replace(/\/$/, '');
}

function malformed(): AppError {
  return new AppError('bad_request', 'The If header is malformed.');
}

// The body of sync-collection (RFC 6578 section 6.1), and the tokens of answers that were cut at the limit of the
// client: since when it asks, what the answer is to lead to, and how far it has come (RFC 6578 section 3.6).

import { AppError } from '../../errors.ts';
import { MAX_LIMITED_RESPONSES } from '../../limits/dav.ts';
import { childNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { DAV_NAMESPACE } from '../xml-write.ts';
import { FailedCondition } from './condition.ts';
import { readLimit } from './query-body.ts';
import { type ReportProperties, readWanted } from './wanted.ts';

export interface SyncCollection extends ReportProperties {
  /** '' the first time */
  token: string;
  /** what lies in folders, too: sync-level infinite */
  isDeep: boolean;
  limit: number;
}

/** `root`: D:sync-collection. Without a level it is 1. Throws bad_request. */
export function readSyncCollection(root: XmlElement): SyncCollection {
  const token = childNamed(root, DAV_NAMESPACE, 'sync-token');
  if (!token) throw new AppError('bad_request', 'A sync-collection needs a sync-token, be it empty.');
  const level = childNamed(root, DAV_NAMESPACE, 'sync-level')?.text.trim() ?? '1';
  if (level !== '1' && level !== 'infinite') throw new AppError('bad_request', 'A sync-level is 1 or infinite.');
  return { ...readWanted(root), token: token.text.trim(), isDeep: level === 'infinite', limit: limitOf(root) };
}

/** What a client can hold is held here, too, while the lowest numbers are looked for. */
function limitOf(root: XmlElement): number {
  const limit = readLimit(root, DAV_NAMESPACE);
  return Number.isFinite(limit) ? Math.min(limit, MAX_LIMITED_RESPONSES) : limit;
}

/** What comes next: members after this number, then removed ones after this name. */
export type SyncPosition = { number: number; removed?: undefined } | { number?: undefined; removed: string };

/** An answer that comes in pieces. */
export interface SyncPages {
  /** the token that the first piece was asked with */
  since: string;
  /** the token of the collection when the first piece was sent: what has changed later is asked with it */
  until: string;
  position: SyncPosition;
}

const START = 'data:,more;';

/** Is a URI, as tokens are (RFC 6578 section 4), without what XML would have to escape. */
export function pagesToken({ since, until, position }: SyncPages): string {
  const { number, removed } = position;
  const end = removed === undefined ? ['number', String(number)] : ['removed', removed];
  return `${START}${[since, until, ...end].map(encodeURIComponent).join(';')}`;
}

/** undefined for the token of a whole answer. Throws FailedCondition for what only begins like one of these. */
export function parsePagesToken(token: string): SyncPages | undefined {
  if (!token.startsWith(START)) return undefined;
  const [since, until, kind, end] = fieldsOf(token.slice(START.length));
  if (since !== undefined && until && end !== undefined) {
    if (kind === 'removed') return { since, until, position: { removed: end } };
    if (kind === 'number' && /^\d{1,15}$/.test(end)) return { since, until, position: { number: Number(end) } };
  }
  throw FailedCondition.dav('valid-sync-token');
}

function fieldsOf(text: string): (string | undefined)[] {
  try {
    return text.split(';', 5).map(decodeURIComponent);
  } catch {
    return [];
  }
}

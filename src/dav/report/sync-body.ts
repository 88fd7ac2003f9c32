// The body of sync-collection (RFC 6578 section 6.1), and the tokens of answers that were cut at the limit of the
// client: since when it asks, what the answer is to lead to, and how far it has come (RFC 6578 section 3.6).

import { AppError } from '../../errors.ts';
import { childNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { DAV_NAMESPACE } from '../xml-write.ts';
import { FailedCondition } from './condition.ts';
import { readLimit } from './query-body.ts';
import { type ReportProperties, readWanted } from './wanted.ts';

export interface SyncCollection extends ReportProperties {
  /** '' the first time */
  token: string;
  limit: number;
}

/** `root`: D:sync-collection. Its level is looked at, but 1 and infinite mean the same. Throws bad_request. */
export function readSyncCollection(root: XmlElement): SyncCollection {
  const token = childNamed(root, DAV_NAMESPACE, 'sync-token');
  if (!token) throw new AppError('bad_request', 'A sync-collection needs a sync-token, be it empty.');
  const level = childNamed(root, DAV_NAMESPACE, 'sync-level')?.text.trim() ?? '1';
  if (level !== '1' && level !== 'infinite') throw new AppError('bad_request', 'A sync-level is 1 or infinite.');
  return { ...readWanted(root), token: token.text.trim(), limit: readLimit(root, DAV_NAMESPACE) };
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

const START = 'data:,more?';

/** Is a URI, as tokens are (RFC 6578 section 4). */
export function pagesToken({ since, until, position }: SyncPages): string {
  const { number, removed } = position;
  const end: [string, string] = removed === undefined ? ['number', String(number)] : ['removed', removed];
  return `${START}${new URLSearchParams([['since', since], ['until', until], end])}`;
}

/** undefined for the token of a whole answer. Throws FailedCondition for what only begins like one of these. */
export function parsePagesToken(token: string): SyncPages | undefined {
  if (!token.startsWith(START)) return undefined;
  const fields = new URLSearchParams(token.slice(START.length));
  const [since, until, number, removed] = ['since', 'until', 'number', 'removed'].map((name) => fields.get(name));
  if (since == null || !until) throw FailedCondition.dav('valid-sync-token');
  if (removed != null) return { since, until, position: { removed } };
  if (!/^\d{1,15}$/.test(number ?? '')) throw FailedCondition.dav('valid-sync-token');
  return { since, until, position: { number: Number(number) } };
}

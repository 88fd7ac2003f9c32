// A member of a room as a resource, for PROPFIND and the reports.

import type { Member } from '../gateway/collection/member.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import type { Resource } from './resource.ts';

/** `room`: the collection it is in, whose privileges hold for it, too. `kept`: what clients have set. */
export function memberResource(
  { msgnum, displayName, time, contentType, size }: Member,
  href: string,
  { collection, privileges, isOwn }: Pick<Resource, 'collection' | 'privileges' | 'isOwn'>,
  kept?: Resource['kept'],
): Resource {
  return {
    kind: 'member',
    href,
    displayName,
    collection,
    created: time,
    modified: time,
    contentType,
    length: size,
    etag: messageEtag(msgnum),
    privileges,
    isOwn,
    kept,
  };
}

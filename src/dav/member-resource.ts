// A member of a room as a resource, for PROPFIND and the reports.

import type { Member } from '../gateway/collection/member.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import type { Resource } from './resource.ts';

/** `room`: the collection it is in, whose privileges hold for it, too. */
export function memberResource(
  { msgnum, displayName, time, contentType, size }: Member,
  href: string,
  { collection, privileges }: Pick<Resource, 'collection' | 'privileges'>,
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
  };
}

// A member out of what is kept of a message, and whether it is among those that are asked for.

import { isBelow } from '../../fleet/locks.ts';
import { titleOf } from '../../protocol/member-names.ts';
import type { EuidRow } from '../../room-server/messages.ts';
import type { StoredTraits } from '../message/stored-traits.ts';
import type { CollectionKind, Member, Selection } from './member.ts';

/** `name`: under which it is listed. */
export function memberOf({ msgnum, euid }: EuidRow, name: string, traits: StoredTraits): Member {
  return {
    msgnum,
    name,
    euid,
    time: traits.stored ?? 0,
    displayName: titleOf({ msgnum, euid }, name, traits.subject),
    contentType: traits.contentType,
    size: traits.size,
    component: traits.facts?.component,
    extent: traits.facts?.extent,
  };
}

/** What is not known of a member leaves it in: who asks has to read it. */
export function isSelected(
  member: Member,
  { folder = '', isDeep = false, component, range }: Selection,
  kind: CollectionKind,
): boolean {
  if (component !== undefined && member.component !== undefined && member.component !== component) return false;
  if (range && member.extent && (range.end < member.extent.start || range.start > member.extent.end)) return false;
  return kind !== 'files' || (isDeep ? isBelow(folder, member.name) : isDirectlyIn(folder, member.name));
}

/** `folder`: empty, or with its slash. A folder is not in itself. */
function isDirectlyIn(folder: string, name: string): boolean {
  if (!name.startsWith(folder) || name.length === folder.length) return false;
  const slash = name.indexOf('/', folder.length);
  return slash === -1 || slash === name.length - 1;
}

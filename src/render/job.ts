// A rendering job as plain data, so that it can go to a thread without room server and request.

import { isUtf8 } from 'node:buffer';
import { objectSource, withoutMethod } from '../mime/object-source.ts';
import { storedCard } from '../mime/objects/card-file.ts';
import { checkCalendar, checkCard } from '../mime/objects/check-calendar.ts';
import type { PartRow } from '../model.ts';

/** the requested form of the text */
export interface Wanted {
  isPlain: boolean;
  /** load images from elsewhere */
  isRemoteLoaded: boolean;
}

interface SourceJob {
  /** the message, possibly truncated, with LF line ends; transferred to the thread */
  source: Buffer;
  /** not truncated */
  isWhole: boolean;
  rows: readonly PartRow[];
}

/** A stored message. */
interface StoredJob extends SourceJob {
  /** at the room server: 0 and 1 are its own formats, 4 is MIME */
  format: string;
  /** as it was PUT */
  contentType: string;
  /** a multipart encoded as a whole, because it could not be stored unchanged */
  isPacked: boolean;
}

/** Returns `parts`, `has_blocked_remote`, `is_cut`, `text` after `fields`, or else as the tail `,"parts":[…],…}`. */
export interface MessageJob extends StoredJob, Wanted {
  kind: 'message';
  /** more response fields, if they are the same for all readers */
  fields?: Readonly<Record<string, unknown>>;
  /** path of the message; undefined if its parts cannot be fetched, and then none are listed */
  path: string | undefined;
  /** path of the room, for links to its wiki pages */
  pagesPath: string | undefined;
}

/** Returns `{"text":…}`, or `{}` if the text exceeds `maxTextBytes`. */
export interface TextJob extends Omit<MessageJob, 'kind' | 'fields'> {
  kind: 'text';
  maxTextBytes: number;
}

/** Returns a JSON list of ListedPart (mime/part-list.ts). */
export interface PartsJob extends StoredJob {
  kind: 'parts';
}

/** An embedded message; returns the whole JSON object. */
export interface InnerJob extends SourceJob, Wanted {
  kind: 'inner';
  msgnum: number;
  partnum: string;
  /** path of the outer message */
  path: string;
  /** its parts can be fetched by number */
  canLookInside: boolean;
}

/** A calendar object or card to be stored; returns CheckedObject. */
export interface ObjectJob {
  kind: 'object';
  source: Buffer;
  isWhole: boolean;
  charset: string;
  /** accepted by the room; undefined: contacts */
  components: readonly string[] | undefined;
}

/**
 * The UID, and the text to be stored if that cannot be the source (src/mime/object-source.ts); or the violated CalDAV or
 * CardDAV precondition with a reason.
 */
export type CheckedObject = { uid: string; mended?: string } | { fault: { precondition: string; reason: string } };

export type RenderJob = MessageJob | TextJob | PartsJob | InnerJob | ObjectJob;

/** Never throws. */
export function checkObject({ source, charset, components }: Omit<ObjectJob, 'kind' | 'isWhole'>): CheckedObject {
  const given = objectSource(source, charset);
  const text = components ? given : storedCard(given);
  const checked = components ? checkCalendar(text, components) : checkCard(text);
  if (checked.fault) return { fault: checked.fault };
  const kept = components ? withoutMethod(text) : text;
  // of what is UTF-8 something is left out, if anything
  const isSame = isUtf8(source) && Buffer.byteLength(kept) === source.length;
  return isSame ? { uid: checked.uid } : { uid: checked.uid, mended: kept };
}

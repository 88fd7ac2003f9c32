// A rendering job as plain data: it may go to another thread, where there is neither a room server nor a request.

import { checkCalendar, checkCard } from '../mime/objects/check-calendar.ts';
import type { PartRow } from '../model.ts';

/** Which of the texts that can be made of a message is wanted. */
export interface Wanted {
  isPlain: boolean;
  /** pictures may be loaded from elsewhere */
  isRemoteLoaded: boolean;
}

interface SourceJob {
  /** the message or its beginning, with LF line ends; gone from here once the job is with a thread */
  source: Buffer;
  /** nothing is missing at its end */
  isWhole: boolean;
  /** the room server's list of its parts */
  rows: readonly PartRow[];
}

/** A stored message. */
interface StoredJob extends SourceJob {
  /** of the room server: 0 and 1 are its own, 4 is MIME */
  format: string;
  /** as it was PUT */
  contentType: string;
  /** a multipart that travels in one part, because it could not be stored as it is */
  isPacked: boolean;
}

/**
 * Gives `parts`, `has_blocked_remote`, `is_cut`, `text`: behind `fields`, or as the end of an object, `,"parts":[…],…}`
 */
export interface MessageJob extends StoredJob, Wanted {
  kind: 'message';
  /** further fields of the answer, where they are the same for all readers */
  fields?: Readonly<Record<string, unknown>>;
  /** path of the message that its parts belong to; undefined where they cannot be fetched, and then none is listed */
  path: string | undefined;
  /** path of the room, where links lead to pages in it */
  pagesPath: string | undefined;
}

/** Gives `{"text":…}` alone, and `{}` where that has more than so many bytes: whoever asks never has a long one. */
export interface TextJob extends Omit<MessageJob, 'kind' | 'fields'> {
  kind: 'text';
  maxTextBytes: number;
}

/** Gives the parts alone, a JSON list of ListedPart (mime/part-list.ts). */
export interface PartsJob extends StoredJob {
  kind: 'parts';
}

/** A message inside a message; gives the whole JSON object. */
export interface InnerJob extends SourceJob, Wanted {
  kind: 'inner';
  msgnum: number;
  partnum: string;
  /** path of the outer message */
  path: string;
  /** its parts can be fetched by number */
  canLookInside: boolean;
}

/** A calendar object or card that somebody would store; gives CheckedObject. */
export interface ObjectJob {
  kind: 'object';
  source: Buffer;
  isWhole: boolean;
  /** that the room takes; undefined where it takes contacts */
  components: readonly string[] | undefined;
}

/** Its UID, or what is wrong with it: a precondition of CalDAV or CardDAV, and the reason in words. */
export type CheckedObject = { uid: string } | { fault: { precondition: string; reason: string } };

export type RenderJob = MessageJob | TextJob | PartsJob | InnerJob | ObjectJob;

/** Never throws. */
export function checkObject({ source, components }: Pick<ObjectJob, 'source' | 'components'>): CheckedObject {
  const text = source.toString('utf8');
  const checked = components ? checkCalendar(text, components) : checkCard(text);
  return checked.fault ? { fault: checked.fault } : { uid: checked.uid };
}

// What the stored header of a message tells DAV: a message never changes, so this is kept, by number. Who may know it is
// decided anew at each request, by whether the message is in the list of a room that the caller may enter.

import { originalTimeFrom } from '../../client/copied.ts';
import type { EuidRow } from '../../client/stored-headers.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue } from '../../mime/headers.ts';
import type { App } from '../app.ts';
import { nameFrom, sizeFrom } from './name.ts';
import { sendableType, storedContent } from './stored-type.ts';

export interface StoredFacts {
  /** of the message itself; another one has the number when they differ, after a room server was put back to a backup */
  euid: string;
  time: number;
  /** when it was written, where a copy has posted it again later */
  originalTime: number | undefined;
  /** under which it was PUT */
  name: string | undefined;
  subject: string;
  contentType: string;
  /** bytes that GET sends, as far as it is known; learnt later for others */
  size: number | undefined;
}

/** What is kept of this message. */
export function keptFacts(app: App, { msgnum, euid, time }: EuidRow): StoredFacts | undefined {
  const known = app.storedFacts.get(msgnum);
  return known?.euid === euid && known.time === time ? known : undefined;
}

/** `headers` as MSG2 prints them. */
export function keepFacts(app: App, { msgnum, euid, time }: EuidRow, headers: readonly HeaderField[]): StoredFacts {
  const facts = { euid, time, ...factsFrom(headers) };
  app.storedFacts.set(msgnum, facts);
  return facts;
}

function factsFrom(headers: readonly HeaderField[]) {
  const { contentType, lines } = storedContent(headers, '4');
  const isEncodedMultipart = lines !== undefined;
  return {
    originalTime: originalTimeFrom(headers),
    name: nameFrom(headers),
    subject: decodeWords(headerValue(headers, 'subject') ?? ''),
    contentType: sendableType(contentType),
    size: isEncodedMultipart ? lines.length : sizeFrom(headers),
  };
}

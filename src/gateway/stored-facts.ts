// What the stored header of a message tells DAV: a message never changes, so this is kept, by number. Who may know it is
// decided anew at each request, by whether the message is in the list of a room that the caller may enter.

import { decodeWords } from '../mime/encoded-words.ts';
import type { HeaderField } from '../mime/headers.ts';
import { headerValue } from '../mime/headers.ts';
import { nameFrom, sizeFrom } from './message-name.ts';
import { sendableType, storedContent } from './stored-type.ts';

export interface StoredFacts {
  /** under which it was PUT */
  name: string | undefined;
  subject: string;
  contentType: string;
  /** bytes that GET sends, as far as it is known; learnt later for others */
  size: number | undefined;
}

/** `headers` as MSG2 prints them. */
export function factsFrom(headers: readonly HeaderField[]): StoredFacts {
  const { contentType, lines } = storedContent([...headers], '4');
  const isEncodedMultipart = lines !== undefined;
  return {
    name: nameFrom(headers),
    subject: decodeWords(headerValue(headers, 'subject') ?? ''),
    contentType: sendableType(contentType),
    size: isEncodedMultipart ? lines.length : sizeFrom(headers),
  };
}

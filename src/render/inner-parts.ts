// Numbers of the parts of a message inside a message, and the part list a room server would give for them.

import { isLeaf, isMessage, type MimePart } from '../mime/part.ts';
import type { NumberedPart } from '../mime/part-list.ts';
import type { PartRow } from '../model.ts';

/** `'2'` → `'2.1.'` where the message in part 2 is a multipart, which is part 2.1 itself, else `'2.'`. */
export function innerPrefix(partnum: string, root: MimePart): string {
  return root.number === '' ? `${partnum}.1.` : `${partnum}.`;
}

/** What the server would list of it. */
export function partRowsOf(parts: readonly NumberedPart[]): PartRow[] {
  return parts
    .filter(
      ({ number, part, isInAlternative }) => number !== '' && !isInAlternative && (isLeaf(part) || isMessage(part)),
    )
    .map(({ number, part }) => ({
      name: part.name,
      filename: part.filename,
      partnum: number,
      disposition: part.disposition,
      contentType: part.type,
      length: part.encodedLength,
      contentId: part.contentId,
      charset: part.charset,
    }));
}

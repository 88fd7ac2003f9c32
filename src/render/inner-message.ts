// A message inside a message (message/rfc822) as JSON: its own head, text and parts.

import { parseDate, senderOf, splitAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue, parseHeaders } from '../mime/headers.ts';
import { isLeaf, isMessage, type MimePart } from '../mime/part.ts';
import { listParts, type NumberedPart, numberParts } from '../mime/part-list.ts';
import { readableText } from '../mime/readable.ts';
import { walk } from '../mime/walk.ts';
import type { PartRow } from '../model.ts';
import type { InnerJob } from './job.ts';

/** undefined where it has no head and so is no message. */
export function readInner({ source, isWhole, rows, partnum, path, canLookInside, ...wanted }: InnerJob) {
  const root = walk(source);
  const fields = parseHeaders(source.subarray(0, root.start));
  if (fields.length === 0) return undefined;
  const prefix = innerPrefix(partnum, root);
  const known = withoutPrefix(rows, prefix);
  const numbered = numberParts(root, known);
  const own = canLookInside ? numbered.filter(({ part, isInMessage }) => part.contentId !== '' && !isInMessage) : [];
  // of several with one id the first, as browsers do
  const numbers = new Map(own.reverse().map(({ part, number }) => [part.contentId.toLowerCase(), number]));
  const partUrl = (id: string) => {
    const number = numbers.get(id.toLowerCase());
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const text = readableText(source, root, isWhole, { ...wanted, partUrl });
  const listed = canLookInside ? listParts(numbered, known.length > 0 ? known : partRowsOf(numbered), isWhole) : [];
  const parts = listed.map((part) => ({ ...part, number: prefix + part.number }));
  return { fields, reading: { ...text, parts } };
}

/** What the server lists of a message inside the message, numbered as if it stood alone. */
function withoutPrefix(rows: readonly PartRow[], prefix: string): PartRow[] {
  return rows
    .filter(({ partnum }) => partnum.startsWith(prefix))
    .map((row) => ({ ...row, partnum: row.partnum.slice(prefix.length) }));
}

/** Under the names that a stored message has in JSON; fields that the message does not have are absent. */
export function innerFields(fields: readonly HeaderField[]) {
  const list = (name: string) => {
    const value = headerValue(fields, name);
    return value === undefined ? undefined : splitAddresses(value);
  };
  const { name, address } = senderOf(headerValue(fields, 'From') ?? '');
  const subject = headerValue(fields, 'Subject');
  return {
    msgn: headerValue(fields, 'Message-ID')?.replace(/^<|>$/g, ''),
    time: parseDate(headerValue(fields, 'Date') ?? ''),
    from: name || address,
    rfca: address,
    subj: subject === undefined ? undefined : decodeWords(subject),
    rcpt: list('To'),
    cccc: list('Cc'),
  };
}

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

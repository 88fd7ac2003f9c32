// An embedded message (message/rfc822) as JSON: its own header, text and parts.

import { parseDate, senderOf, splitAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue, parseHeaders } from '../mime/headers.ts';
import { isLeaf, isMessage, type MimePart } from '../mime/part.ts';
import { listParts, type NumberedPart, numberParts } from '../mime/part-list.ts';
import { readableText } from '../mime/readable.ts';
import { walk } from '../mime/walk.ts';
import type { PartRow } from '../model.ts';
import type { InnerJob } from './job.ts';

/** undefined: it has no header, so it is not a message. */
export function readInner({ source, isWhole, rows, partnum, path, canLookInside, ...wanted }: InnerJob) {
  const root = walk(source);
  const fields = parseHeaders(source.subarray(0, root.start));
  if (fields.length === 0) return undefined;
  const prefix = innerPrefix(partnum, root);
  const innerRows = withoutPrefix(rows, prefix);
  const numbered = numberParts(root, innerRows);
  const images = canLookInside ? numbered.filter(({ part, isInMessage }) => part.contentId !== '' && !isInMessage) : [];
  // the first of several parts with one id, as in browsers
  const numbers = new Map(images.reverse().map(({ part, number }) => [part.contentId.toLowerCase(), number]));
  const partUrl = (id: string) => {
    const number = numbers.get(id.toLowerCase());
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const text = readableText(source, root, isWhole, { ...wanted, partUrl });
  const listed = canLookInside
    ? listParts(numbered, innerRows.length > 0 ? innerRows : partRowsOf(numbered), isWhole)
    : [];
  const parts = listed.map((part) => ({ ...part, number: prefix + part.number }));
  return { fields, rendered: { ...text, parts } };
}

/** The server's rows for the embedded message, renumbered. */
function withoutPrefix(rows: readonly PartRow[], prefix: string): PartRow[] {
  return rows
    .filter(({ partnum }) => partnum.startsWith(prefix))
    .map((row) => ({ ...row, partnum: row.partnum.slice(prefix.length) }));
}

/** Uses the JSON names of a stored message; missing fields are absent. */
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

/** `'2'` → `'2.1.'` if the message in part 2 is a multipart (part 2.1), else `'2.'`. */
export function innerPrefix(partnum: string, root: MimePart): string {
  return root.number === '' ? `${partnum}.1.` : `${partnum}.`;
}

/** The part list that a room server would give. */
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

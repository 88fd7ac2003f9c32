// The list of parts of a message: those that the room server lists, with the names that it cannot decode (RFC 2231),
// and the files inside multipart/alternative, which it omits (protocol section 12).

import { removeControls } from '../html/escape.ts';
import { MAX_PART_FIELD_CHARACTERS, MIN_MIME_PART_BYTES } from '../limits/mime.ts';
import type { PartRow } from '../model.ts';
import { decodeName } from './headers.ts';
import { isMarkedAsFile } from './message-facts.ts';
import { isCalendar } from './objects/properties.ts';
import { isLeaf, isMessage, isOpened, type MimePart, namedFile } from './part.ts';

export interface ListedPart {
  /** the room server's part number; comes first in JSON, where api/rendered-message.ts expects it */
  number: string;
  name: string;
  disposition: string;
  type: string;
  charset: string;
  /** before decoding */
  encodedLength: number;
  /** after decoding; undefined if unknown */
  size: number | undefined;
  contentId: string;
}

export interface NumberedPart {
  number: string;
  part: MimePart;
  isInAlternative: boolean;
  /** inside an embedded message */
  isInMessage: boolean;
  /** found inside the content of another part */
  isInUnpacked: boolean;
}

/**
 * `rows` is the server's own list. `isWhole`: the parsed source is complete. Parts beyond the end of an incomplete
 * source are listed from their row alone.
 */
export function listParts(parts: readonly NumberedPart[], rows: readonly PartRow[], isWhole: boolean): ListedPart[] {
  const rowOf = new Map(rows.map((row) => [row.partnum, row]));
  const end = parts[0]!.part.end;
  const list: ListedPart[] = [];
  for (const { number, part, isInAlternative, isInUnpacked } of parts) {
    const row = rowOf.get(number);
    rowOf.delete(number);
    // the outermost multipart, or one that could not be parsed
    if (number === '') continue;
    // a part that the server neither lists nor hides does not exist there
    if ((row === undefined && !isInAlternative && !isInUnpacked) || !(isLeaf(part) || isMessage(part))) continue;
    if (row === undefined && !isInUnpacked && isWording(part)) continue;
    list.push(listed(number, part, row, isWhole || part.end < end));
  }
  for (const row of rowOf.values()) {
    const { partnum, contentType, length } = row;
    const name = decodeName(row.filename || row.name);
    list.push({ number: partnum, ...row, name, type: contentType, encodedLength: length, size: undefined });
  }
  return list;
}

function listed(number: string, part: MimePart, row: PartRow | undefined, isComplete: boolean): ListedPart {
  return {
    number,
    name: field(part.filename || part.name || decodeName(row?.filename || row?.name || '') || namedFile(part)),
    disposition: field(row?.disposition || part.disposition),
    type: row?.contentType || part.type,
    charset: field(row?.charset || part.charset),
    encodedLength: row?.length ?? part.encodedLength,
    size: isComplete && part.decodedLength >= 0 ? part.decodedLength : undefined,
    contentId: field(row?.contentId || part.contentId),
  };
}

// JSON escapes a control character as six characters
const field = (value: string): string => removeControls(value.slice(0, MAX_PART_FIELD_CHARACTERS));

/** All parts with content that may be files, without the alternative texts. */
export function* fileCandidates(root: MimePart): Generator<MimePart> {
  for (const { part, isInAlternative } of numbered(root, root.number, () => true)) {
    if ((isLeaf(part) || isMessage(part)) && !(isInAlternative && isWording(part))) yield part;
  }
}

/** An alternative version of the text, as opposed to a file that accompanies it. */
function isWording(part: MimePart): boolean {
  const { disposition, filename: name } = part;
  const isFile = isMarkedAsFile({ disposition, name }) || isCalendar(part.type);
  return !isFile && (part.type === '' || part.type.startsWith('text/'));
}

/**
 * All parts with the server's numbers, the outermost part first. A real server does not count the parts that it drops
 * (quirk Q38), so this returns whichever of the two numberings matches its list better.
 */
export function numberParts(root: MimePart, rows: readonly PartRow[]): NumberedPart[] {
  const lengths = new Map(rows.map((row) => [row.partnum, row.length]));
  const plain = [...numbered(root, root.number, () => true)];
  const counted = [...numbered(root, root.number, (part, parent) => isCounted(part, parent, root))];
  const fit = (parts: NumberedPart[]) =>
    parts.filter(({ number, part }) => lengths.get(number) === part.encodedLength).length;
  return fit(counted) > fit(plain) ? counted : plain;
}

type Counts = (part: MimePart, parent: MimePart) => boolean;

function* numbered(
  part: MimePart,
  number: string,
  counts: Counts,
  isInAlternative = false,
  isInMessage = false,
  isInUnpacked = false,
): Generator<NumberedPart> {
  yield { number, part, isInAlternative, isInMessage, isInUnpacked };
  const areAlternative = isInAlternative || part.type === 'multipart/alternative';
  const areUnpacked = isInUnpacked || part.isUnpacked === true;
  const areInMessage = isInMessage || (isMessage(part) && !isOpened(part));
  let count = 0;
  for (const child of part.children) {
    if (!areUnpacked && !counts(child, part)) continue;
    count++;
    const childNumber = number === '' ? `${count}` : `${number}.${count}`;
    yield* numbered(child, childNumber, counts, areAlternative, areInMessage, areUnpacked);
  }
}

function isCounted(part: MimePart, parent: MimePart, root: MimePart): boolean {
  if (isMessage(parent)) return true;
  const isTooShort = part.encodedLength + 1 < MIN_MIME_PART_BYTES;
  const isHeaderlessStart = part === parent.children[0] && part.start - part.headerStart <= 1;
  const isUnclosed = part.end === root.end;
  return !(isTooShort || isHeaderlessStart || isUnclosed);
}

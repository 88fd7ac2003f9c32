// The text of a message as safe HTML or plain text, and the parts it comes from (RFC 2046 section 5.1): the best
// alternative, the root of a signed or related multipart, all text of a mixed one that is not an attachment.

import { removeControls } from '../html/escape.ts';
import { enrichedToHtml, textToHtml, unflow, variformatToText } from '../html/from-text.ts';
import { remoteAddress } from '../html/links.ts';
import { CUT_NOTE, OutputBound } from '../html/output-bound.ts';
import { isBlankHtml, sanitise } from '../html/sanitise.ts';
import { htmlToText } from '../html/to-text.ts';
import { MAX_RENDERED_TEXT_BYTES, META_CHARSET_BYTES } from '../limits/mime.ts';
import { decodeHtml, decodeText } from './coding/charset.ts';
import { decodeHeaderText, headerValue, parseHeaders } from './headers.ts';
import { isAttachment, isBodyText, isSetApart } from './message-facts.ts';
import { isCalendar, isCard, objectText } from './objects/properties.ts';
import { contentOf, contentParts, isLeaf, isMessage, isOpened, type MimePart } from './part.ts';
import type { ListedPart } from './part-list.ts';
import { isTnef, unpack, unpackParts } from './unpack.ts';
import { walk } from './walk.ts';

export interface ReadingOptions {
  isPlain: boolean;
  /** whether to load images over http and https */
  isRemoteLoaded: boolean;
  /** URL of the part with this Content-ID; undefined if there is none */
  partUrl(contentId: string): string | undefined;
  /** see sanitise.ts */
  locationUrl?: ((address: string) => string | undefined) | undefined;
  /** see sanitise.ts */
  pageUrl?: ((page: string) => string | undefined) | undefined;
}

export interface ReadableText {
  text: string;
  /** an image was removed because it would have been loaded from elsewhere */
  hasBlockedRemote: boolean;
  /** the text was truncated; a note at its end says so */
  isCut: boolean;
}

/** A message prepared for reading. */
export interface RenderedMessage extends ReadableText {
  parts: ListedPart[];
}

const PLAIN_COLUMNS = 78;
const HEAD_FIELDS = ['From', 'Date', 'Subject', 'To', 'Cc'];

/**
 * `source` has LF line ends. `isWhole`: the source is complete. If the preferred alternatives are empty, as the plain
 * text of many newsletters is, the others are used.
 */
export function readableText(source: Buffer, root: MimePart, isWhole: boolean, options: ReadingOptions): ReadableText {
  const parts = chosenParts(root, options.isPlain);
  const best = readParts(source, root, parts, isWhole, options);
  if (!isBlank(best) || parts.length === 0) return best;
  const otherParts = chosenParts(root, !options.isPlain);
  if (otherParts.length === parts.length && otherParts.every((part, i) => part === parts[i])) return best;
  const others = readParts(source, root, otherParts, isWhole, options);
  return isBlank(others) ? best : others;
}

function isBlank({ text, hasBlockedRemote }: ReadableText): boolean {
  return !hasBlockedRemote && isBlankHtml(text);
}

/** A part and the buffer that contains it. `isAtEnd`: the part ends where the buffer ends. */
interface Piece {
  source: Buffer;
  part: MimePart;
  isAtEnd: boolean;
}

/** The part itself, or the readable parts of a multipart that could not be parsed as it is, see unpack.ts. */
function piecesOf(source: Buffer, root: MimePart, part: MimePart, isPlain: boolean): Piece[] {
  const isAtEnd = part.end === root.end;
  const whole: Piece = { source, part, isAtEnd };
  const isUnparsed = isLeaf(part) && part.type.startsWith('multipart/');
  const unpacked = isUnparsed ? unpack(part, contentOf(source, part)) : undefined;
  if (!unpacked) return [whole];
  const inner = walk(unpacked);
  return chosenParts(inner, isPlain).map((each) => ({
    source: unpacked,
    part: each,
    isAtEnd: isAtEnd && each.end === inner.end,
  }));
}

function readParts(
  outer: Buffer,
  root: MimePart,
  parts: readonly MimePart[],
  isWhole: boolean,
  options: ReadingOptions,
): ReadableText {
  const result: ReadableText = { text: '', hasBlockedRemote: false, isCut: false };
  const texts: string[] = [];
  const bound = new OutputBound();
  let left = MAX_RENDERED_TEXT_BYTES;
  for (const { source, part, isAtEnd } of parts.flatMap((each) => piecesOf(outer, root, each, options.isPlain))) {
    if (isMessage(part)) {
      texts.push(headText(source, part, texts.length > 0, options.isPlain, bound));
    } else {
      const bytes = contentOf(source, part);
      const shown = bytes.subarray(0, left);
      if (shown.length < bytes.length || (!isWhole && isAtEnd)) result.isCut = true;
      left -= shown.length;
      const { text, hasBlockedRemote } = leafText(shown, part, result.isCut, options, bound);
      texts.push(text);
      result.hasBlockedRemote ||= hasBlockedRemote;
    }
    result.isCut ||= bound.isCut;
    if (result.isCut) break;
  }
  if (result.isCut) texts.push(cutNote(options.isPlain));
  result.text = texts.join(options.isPlain ? '\n' : '');
  return result;
}

const cutNote = (isPlain: boolean): string => (isPlain ? `${CUT_NOTE}\n` : `<p>${CUT_NOTE}</p>`);

/** The text of a message in one of the room server's formats: 0 (wrapped lines) or 1 (as it is). */
export function formatText(source: Buffer, format: string, isWhole: boolean, isPlain: boolean): ReadableText {
  const bound = new OutputBound();
  const shown = source.subarray(0, MAX_RENDERED_TEXT_BYTES);
  const isSourceCut = !isWhole || shown.length < source.length;
  const text = decodedText(shown, '', isSourceCut);
  const lines = written(format === '0' ? variformatToText(text) : text, isPlain, bound);
  const isCut = isSourceCut || bound.isCut;
  const note = isCut ? (isPlain ? '\n' : '') + cutNote(isPlain) : '';
  return { text: lines + note, hasBlockedRemote: false, isCut };
}

/** `isCut`: drop a character that was split at the end. */
function decodedText(bytes: Buffer, charset: string, isCut: boolean, decode = decodeText): string {
  const text = decode(bytes, charset);
  let end = text.length;
  while (isCut && text[end - 1] === '\ufffd') end--;
  return text.slice(0, end);
}

function written(lines: string, isPlain: boolean, bound: OutputBound): string {
  return isPlain ? bound.takeText(removeControls(lines), false) : textToHtml(lines, bound);
}

/** the start of HTML in a part whose type nobody names */
const PAGE = /^\s*(?:<!doctype html\b|<html[\s>])/i;

function leafText(
  bytes: Buffer,
  part: MimePart,
  isCut: boolean,
  options: ReadingOptions,
  bound: OutputBound,
): { text: string; hasBlockedRemote: boolean } {
  const isEnriched = part.type === 'text/enriched' || part.type === 'text/richtext';
  const isPage = part.type === '' && PAGE.test(bytes.toString('latin1', 0, META_CHARSET_BYTES));
  const isHtml = part.type === 'text/html' || isEnriched || isPage;
  const decode = part.type === 'text/html' || isPage ? decodeHtml : decodeText;
  const lines = decodedText(bytes, part.charset, isCut, decode).replaceAll(/\r\n?/g, '\n');
  const text = isEnriched ? enrichedToHtml(lines) : lines;
  if (!isHtml) return { text: written(linesOf(text, part), options.isPlain, bound), hasBlockedRemote: false };
  if (options.isPlain) return { text: htmlToText(text, PLAIN_COLUMNS, bound), hasBlockedRemote: false };
  const { isRemoteLoaded: remote, partUrl, pageUrl } = options;
  let hasBlockedRemote = false;
  // backgrounds too
  const locationUrl = (address: string): string | undefined => {
    const own = options.locationUrl?.(address);
    const elsewhere = own === undefined ? remoteAddress(address) : undefined;
    if (elsewhere !== undefined && !remote) hasBlockedRemote = true;
    return own ?? (remote ? elsewhere : undefined);
  };
  const { html, blockedRemote } = sanitise(text, { remote, partUrl, locationUrl, pageUrl }, bound);
  return { text: html, hasBlockedRemote: hasBlockedRemote || blockedRemote };
}

function linesOf(text: string, { type, params }: MimePart): string {
  if (isCalendar(type) || isCard(type)) return objectText(type, text);
  if (type === 'text/x-citadel-variformat') return variformatToText(text);
  if (params.format?.toLowerCase() !== 'flowed') return text;
  return unflow(text, params.delsp?.toLowerCase() === 'yes');
}

/** The header of an embedded message. */
function headText(
  source: Buffer,
  message: MimePart,
  isFollowing: boolean,
  isPlain: boolean,
  bound: OutputBound,
): string {
  const fields = parseHeaders(source.subarray(message.start, message.children[0]!.start));
  const lines = HEAD_FIELDS.flatMap((name) => {
    const value = headerValue(fields, name);
    return value === undefined ? [] : [`${name}: ${decodeHeaderText(value)}\n`];
  });
  const rule = isFollowing ? (isPlain ? '----\n' : '<hr>') : '';
  return (bound.take(rule.length) ? rule : '') + written(lines.join(''), isPlain, bound);
}

/** The readable parts in order. An embedded message in the list stands for its header; its own parts follow. */
export function chosenParts(root: MimePart, isPlain: boolean): MimePart[] {
  if (isLeaf(root)) return isReadable(root, true) ? [root] : [];
  if (isOpened(root)) return chosenOf(root, isPlain);
  return isMessage(root) ? withHead(root, isPlain) : chosenOf(root, isPlain);
}

function chosenOf(part: MimePart, isPlain: boolean): MimePart[] {
  if (isOpened(part)) return chosenOf(part.children[0]!, isPlain);
  if (isAttachment(part) || isMessage(part)) return [];
  if (isLeaf(part)) return isReadable(part, false) ? [part] : [];
  switch (part.type) {
    case 'multipart/alternative':
      return bestOf(
        part.children.map((child) => chosenOf(child, isPlain)),
        isPlain,
      );
    case 'multipart/related':
      return chosenOfRelated(part, isPlain);
    case 'multipart/signed': // RFC 1847: the second part is the signature
      return chosenOf(part.children[0]!, isPlain);
    case 'multipart/report': // RFC 6522: the other parts are machine-readable
      return firstChosen(part.children, isPlain);
    case 'multipart/digest':
      return part.children.flatMap((child) => (isMessage(child) ? withHead(child, isPlain) : chosenOf(child, isPlain)));
    default: {
      // the text of a winmail.dat is that of the message once more
      const chosen = part.children.filter((child) => !isTnef(child)).flatMap((child) => chosenOf(child, isPlain));
      return chosen.length > 0 ? chosen : firstChosen(part.children.filter(isTnef), isPlain);
    }
  }
}

function withHead(message: MimePart, isPlain: boolean): MimePart[] {
  return [message, ...message.children.flatMap((child) => chosenParts(child, isPlain))];
}

/** The root (RFC 2387 section 3.2), or the first part with text if the root has none, as when an image comes first. */
function chosenOfRelated({ params, children }: MimePart, isPlain: boolean): MimePart[] {
  const id = params.start?.replace(/^<|>$/g, '');
  const root = children.find((child) => id !== undefined && child.contentId === id) ?? children[0]!;
  // Each part once: visiting empty nested parts twice per level would be exponential.
  return firstChosen(new Set([root, ...children]), isPlain);
}

function firstChosen(parts: Iterable<MimePart>, isPlain: boolean): MimePart[] {
  for (const part of parts) {
    const chosen = chosenOf(part, isPlain);
    if (chosen.length > 0) return chosen;
  }
  return [];
}

/** The last of the best-ranked alternatives: senders put the most faithful one last. */
function bestOf(alternatives: readonly MimePart[][], isPlain: boolean): MimePart[] {
  let best: MimePart[] = [];
  let bestRank = 0;
  for (const parts of alternatives) {
    const rank = Math.max(0, ...parts.map((part) => rankOf(part, isPlain)));
    if (rank >= bestRank && rank > 0) [best, bestRank] = [parts, rank];
  }
  return best;
}

/** Text by the sender ranks above text generated from an event. */
function rankOf({ type }: MimePart, isPlain: boolean): number {
  if (isCalendar(type) || isCard(type)) return 1;
  return (type === 'text/html') === isPlain ? 2 : 3;
}

function isReadable(part: MimePart, isAlone: boolean): boolean {
  const { type, disposition, filename } = part;
  if (part.decodedLength === 0) return false;
  // a multipart that could not be parsed: show all of it
  if (type.startsWith('multipart/')) return true;
  if (isAlone) return type === '' || type.startsWith('text/');
  if (isSetApart({ disposition, name: filename })) return false;
  return isBodyText(type) || isCalendar(type) || isCard(type) || (type.startsWith('text/') && part.number === '1');
}

/** machine-readable text types */
const PROGRAM_TEXTS: ReadonlySet<string> = new Set(['text/css', 'text/javascript', 'text/rtf', 'text/richtext']);

/** Takes a lower-case media type, '' if missing. */
export function isSearchable(type: string): boolean {
  return type === '' || isCalendar(type) || (type.startsWith('text/') && !PROGRAM_TEXTS.has(type));
}

/** `content` is decoded. */
export function searchableText(type: string, content: string): string {
  if (type === 'text/html') return htmlToText(content);
  return isCalendar(type) || isCard(type) ? objectText(type, content) : content;
}

/** The searchable text of a message in memory, possibly truncated, with what is packed in its parts. */
export function messageText(source: Buffer, root: MimePart): string {
  const whole = unpackParts(source, root);
  let text = '';
  for (const part of contentParts(root)) {
    if (isOpened(part) || !isSearchable(part.type)) continue;
    text += `${searchableText(part.type, decodedPartText(whole, part))}\n`;
  }
  return text;
}

/** The decoded content of a part as a string. */
export function decodedPartText(source: Buffer, part: MimePart): string {
  const bytes = contentOf(source, part);
  return part.type === 'text/html' ? decodeHtml(bytes, part.charset) : decodeText(bytes, part.charset);
}

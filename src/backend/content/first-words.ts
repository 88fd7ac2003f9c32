// What a list shows of a message beside its header: the first words that its author wrote, and how many files it has.

import { OutputBound } from '../../html/output-bound.ts';
import { htmlToText } from '../../html/to-text.ts';
import {
  MAX_FIRST_WORDS_CHARACTERS,
  MAX_FIRST_WORDS_INPUT_BYTES,
  MAX_SHOWING_HTML_BYTES,
} from '../../limits/backend.ts';
import { decodeText } from '../../mime/coding/charset.ts';
import { filesAmong, isAttachment, isMarkedAsFile } from '../../mime/message-facts.ts';
import { contentParts, isLeaf } from '../../mime/part.ts';
import { fileCandidates } from '../../mime/part-list.ts';
import type { MimePart } from '../../mime/walk.ts';
import { readBlob } from '../store/body-chunks.ts';
import { partText, type StoredBody } from '../store/message-part.ts';
import type { StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const COLUMNS = 1000;
/** lines that quote another message */
const QUOTED = /^[ \t]{0,3}>/;

/**
 * At most MAX_FIRST_WORDS_CHARACTERS of its text on one line, without what it quotes; '' for a message without a text.
 * Reads only the first MAX_FIRST_WORDS_INPUT_BYTES.
 */
export function firstWords(
  store: Store,
  row: Pick<StoredMessage, 'blob' | 'size' | 'format'>,
  structure: MimePart | undefined,
): string {
  const lines = textOf(store, row, structure).split('\n');
  let words = '';
  for (const line of lines) {
    if (QUOTED.test(line)) continue;
    const own = line.replaceAll(/\s+/g, ' ').trim();
    if (own !== '') words += words === '' ? own : ` ${own}`;
    if (words.length > MAX_FIRST_WORDS_CHARACTERS) break;
  }
  return words.length <= MAX_FIRST_WORDS_CHARACTERS ? words : `${cut(words)}…`;
}

/** The number of files that a reader sees beside the text. */
export function attachedFiles(store: Store, row: StoredBody, structure: MimePart | undefined): number {
  if (!structure) return 0;
  const isText = (part: MimePart) => part === structure && /^(?:text\/|$)/.test(part.type);
  let html: string | undefined;
  const isInText = ({ type, contentId }: MimePart) => {
    if (!type.startsWith('image/') || contentId === '') return false;
    html ??= htmlOf(store, row, structure);
    return (
      html === undefined || html.includes(`cid:${contentId}`) || html.includes(`cid:${encodeURIComponent(contentId)}`)
    );
  };
  return filesAmong([...fileCandidates(structure)], (part) => isText(part) || isInText(part)).length;
}

/** The HTML, which may embed pictures; undefined if it is too long to search: they count as embedded then. */
function htmlOf(store: Store, row: StoredBody, structure: MimePart): string | undefined {
  let html = '';
  for (const part of contentParts(structure)) {
    if (part.type !== 'text/html' || isAttachment(part)) continue;
    if (html.length + part.decodedLength > MAX_SHOWING_HTML_BYTES) return undefined;
    html += partText(store, row, part, MAX_SHOWING_HTML_BYTES);
  }
  return html;
}

function textOf(
  store: Store,
  row: Pick<StoredMessage, 'blob' | 'size' | 'format'>,
  structure: MimePart | undefined,
): string {
  if (row.format === FORMAT.variable || row.format === FORMAT.fixed) {
    const end = Math.min(row.size, MAX_FIRST_WORDS_INPUT_BYTES);
    return decodeText(Buffer.concat([...readBlob(store, row.blob, 0, end)]), 'utf-8');
  }
  const part = structure && firstText(structure);
  if (!part) return '';
  const text = partText(store, row, part, MAX_FIRST_WORDS_INPUT_BYTES);
  return part.type === 'text/html' ? htmlToText(text, COLUMNS, new OutputBound()) : text;
}

/** The first plain text, else the first HTML. */
function firstText(structure: MimePart): MimePart | undefined {
  let html: MimePart | undefined;
  for (const part of contentParts(structure)) {
    if (!isLeaf(part) || isMarkedAsFile(part)) continue;
    if (part.type === 'text/plain' || part.type === '') return part;
    if (part.type === 'text/html') html ??= part;
  }
  return html;
}

/** Cuts after a word if one ends late enough, never inside a character. */
function cut(words: string): string {
  const start = words.slice(0, MAX_FIRST_WORDS_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  const space = start.lastIndexOf(' ');
  return space > MAX_FIRST_WORDS_CHARACTERS / 2 ? start.slice(0, space) : start;
}

// What a list of hits shows of a text: the words that were looked for, marked, with some words around the first one.

import { MAX_EXCERPT_CHARACTERS } from '../../limits/backend.ts';
import { foldedWord, wordsOf } from '../../protocol/search-words.ts';

/** characters before the first hit */
const LEAD = 60;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

export interface Excerpt {
  /** on one line */
  text: string;
  /** where it has one of the words: start and end (exclusive), in UTF-16 units, ascending */
  marks: [number, number][];
}

/** `isLastBegun`: the last word may be the beginning of one. Costs linear work in the text. */
export function excerptOf(text: string, words: string, isLastBegun: boolean): Excerpt {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const hits = hitsIn(line, words, isLastBegun);
  const first = hits[0]?.[0] ?? 0;
  const start = first <= LEAD ? 0 : wordStart(line, first - LEAD);
  const end = Math.min(line.length, start + MAX_EXCERPT_CHARACTERS);
  const before = start === 0 ? '' : '…';
  const shift = before.length - start;
  return {
    text: `${before}${line.slice(start, end).replace(/[\uD800-\uDBFF]$/, '')}${end < line.length ? '…' : ''}`,
    marks: hits.filter((hit) => hit[1] <= end).map(([from, to]) => [from + shift, to + shift]),
  };
}

function hitsIn(line: string, words: string, isLastBegun: boolean): [number, number][] {
  const asked = wordsOf(words);
  const complete = new Set(asked.filter(({ isUnparted }) => !isUnparted).map(({ word }) => foldedWord(word)));
  const last = asked.at(-1);
  const begun = isLastBegun && last && !last.isUnparted ? foldedWord(last.word) : undefined;
  const hits: [number, number][] = [];
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const folded = foldedWord(word);
    if (complete.has(folded)) hits.push([index, index + word.length]);
    else if (begun !== undefined && folded.startsWith(begun)) hits.push([index, index + word.length]);
  }
  for (const { word, isUnparted } of asked) {
    if (!isUnparted) continue;
    for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
      hits.push([at, at + word.length]);
    }
  }
  return hits.sort((a, b) => a[0] - b[0]);
}

/** Behind a blank where one is near, never inside a character. */
function wordStart(line: string, at: number): number {
  const space = line.indexOf(' ', at);
  if (space >= 0 && space <= at + LEAD) return space + 1;
  return /^[\uDC00-\uDFFF]/.test(line.charAt(at)) ? at + 1 : at;
}

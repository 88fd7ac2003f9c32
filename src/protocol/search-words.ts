// What the full-text index sees of a text, and of what is looked for. Its tokenizer (unicode61) parts words at blanks
// and signs, which some scripts do not write between words: there, each pair of neighbouring letters becomes a word,
// and so does the last letter, so that every letter begins one.

import { MAX_SEARCH_WORDS } from '../limits/backend.ts';
import { MAX_COMBINING_MARKS } from '../limits/protocol.ts';

/** Scripts that are written without blanks. Korean has some, but hangs particles on its words. */
const EAST_ASIAN = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}`;
const SOUTHEAST_ASIAN = String.raw`\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`;
/** runs of their letters */
const UNPARTED = new RegExp(String.raw`(?:(?=[\p{L}\p{N}\p{M}])[${EAST_ASIAN}${SOUTHEAST_ASIAN}])+`, 'gu');
/** the two letters become marks when text is normalised */
const RUN_OF_MARKS = /[\p{M}\uff9e\uff9f]+/gu;
/** the tokenizer would part words at them */
const MARKS = /\p{M}+/gu;
const NOT_OF_A_WORD = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Letters that look different but are the same become the same. */
const normalised = (text: string): string =>
  text
    .replace(RUN_OF_MARKS, (run) =>
      run.length <= MAX_COMBINING_MARKS ? run : [...run].slice(0, MAX_COMBINING_MARKS).join(''),
    )
    .normalize('NFKC');

const ASCII = /^[\0-\x7f]*$/;

/** `'東京都 GmbH'` → `' 東京 京都 都  GmbH'`; letters that look different but are the same become the same. */
export function indexedText(text: string): string {
  if (ASCII.test(text)) return text;
  return normalised(text).replace(UNPARTED, (run) => {
    const letters = [...run.replace(MARKS, '')];
    return ` ${letters.map((letter, i) => letter + (letters[i + 1] ?? '')).join(' ')} `;
  });
}

/** Words of a question as a reader wrote them; those of scripts without blanks as they stand together. */
export function wordsOf(question: string): { word: string; isUnparted: boolean }[] {
  const found: { word: string; isUnparted: boolean }[] = [];
  const rest = normalised(question).replace(UNPARTED, (run) => {
    found.push({ word: run, isUnparted: true });
    return ' ';
  });
  for (const word of rest.split(NOT_OF_A_WORD)) if (word !== '') found.push({ word, isUnparted: false });
  return found.slice(0, MAX_SEARCH_WORDS);
}

/** As the index compares words: without case and marks. */
export const foldedWord = (word: string): string => word.normalize('NFKD').replace(MARKS, '').toLowerCase();

/**
 * What all messages must have that hold the words, as terms of the index's query language. Every word is quoted, so
 * that nothing of that language is reachable: `'red "東京都'` → `['"東京 京都"', '"red"']`, `'東'` → `['"東"*']`.
 * `isLastBegun`: the last one may be the beginning of a word.
 */
export function searchTerms(words: string, isLastBegun = false): string[] {
  const terms: string[] = [];
  const rest = normalised(words).replace(UNPARTED, (run) => {
    const letters = [...run.replace(MARKS, '')];
    const pairs = letters.slice(1).map((letter, i) => letters[i] + letter);
    if (letters.length > 0) terms.push(pairs.length > 0 ? `"${pairs.join(' ')}"` : `"${letters[0]}"*`);
    return ' ';
  });
  for (const word of rest.split(NOT_OF_A_WORD)) if (word !== '') terms.push(`"${word}"`);
  const last = terms.at(-1);
  if (isLastBegun && last !== undefined && !last.endsWith('*')) terms[terms.length - 1] = `${last}*`;
  return terms.slice(0, MAX_SEARCH_WORDS);
}

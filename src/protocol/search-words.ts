// Splits texts and queries into words as the full-text index of the embedded room server does (FTS5 with its tokenizer
// unicode61), which separates words at blanks and punctuation. For scripts without blanks, each pair of adjacent
// letters and the last letter become words, so that a word starts at every letter.

import { MAX_SEARCH_WORDS } from '../limits/backend.ts';
import { MAX_COMBINING_MARKS } from '../limits/protocol.ts';

/** Scripts without blanks. Korean has blanks, but attaches particles to its words. */
const EAST_ASIAN = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}`;
const SOUTHEAST_ASIAN = String.raw`\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`;
/** runs of these letters */
const UNPARTED = new RegExp(String.raw`(?:(?=[\p{L}\p{N}\p{M}])[${EAST_ASIAN}${SOUTHEAST_ASIAN}])+`, 'gu');
/** the two letters become marks when normalized */
const RUN_OF_MARKS = /[\p{M}\uff9e\uff9f]+/gu;
/** the tokenizer would split words at them */
const MARKS = /\p{M}+/gu;
const NOT_OF_A_WORD = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

/** Unifies different forms of the same letter. */
const normalised = (text: string): string =>
  text
    .replace(RUN_OF_MARKS, (run) =>
      run.length <= MAX_COMBINING_MARKS ? run : [...run].slice(0, MAX_COMBINING_MARKS).join(''),
    )
    .normalize('NFKC');

const ASCII = /^[\0-\x7f]*$/;

/** `'東京都 GmbH'` → `' 東京 京都 都  GmbH'` */
export function indexedText(text: string): string {
  if (ASCII.test(text)) return text;
  return normalised(text).replace(UNPARTED, (run) => {
    const letters = [...run.replace(MARKS, '')];
    return ` ${letters.map((letter, i) => letter + (letters[i + 1] ?? '')).join(' ')} `;
  });
}

/** The words of a query as written; runs of scripts without blanks stay together. */
export function wordsOf(question: string): { word: string; isUnparted: boolean }[] {
  const found: { word: string; isUnparted: boolean }[] = [];
  const rest = normalised(question).replace(UNPARTED, (run) => {
    found.push({ word: run, isUnparted: true });
    return ' ';
  });
  for (const word of rest.split(NOT_OF_A_WORD)) if (word !== '') found.push({ word, isUnparted: false });
  return found.slice(0, MAX_SEARCH_WORDS);
}

/** The form in which the index compares words: no case, no marks. */
export const foldedWord = (word: string): string => word.normalize('NFKD').replace(MARKS, '').toLowerCase();

/**
 * Terms of the index's query language that a message must match. Quoting makes the rest of that language unreachable:
 * `'red "東京都'` → `['"東京 京都"', '"red"']`, `'東'` → `['"東"*']`. `isLastBegun`: the last word may be incomplete.
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

/** letters, digits, and the marks that the tokenizer treats as accents; other marks separate words */
const TOKEN =
  /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331])+/gu;
const ACCENTS = /\p{M}+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** consecutive tokens; `isBeginning`: the last one is a prefix */
interface Term {
  tokens: string[];
  isBeginning: boolean;
}

/** Searches texts that are not indexed, with the same results as the index. */
export class WordMatcher {
  readonly #terms: Term[];

  constructor(words: string) {
    const terms = searchTerms(words).map((term) => ({ tokens: [...tokensOf(term)], isBeginning: term.endsWith('*') }));
    // a mark without a letter is never found
    this.#terms = terms.every(({ tokens }) => tokens.length > 0) ? terms : [];
  }

  /** No text can match. */
  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** Whether the texts contain all words; false if there are none. */
  isIn(texts: readonly string[]): boolean {
    const missing = new Set(this.#terms.map((term) => new Finder(term)));
    if (this.isEmpty) return false;
    for (const text of texts) {
      for (const token of tokensOf(indexedText(text))) {
        for (const finder of missing) if (finder.take(token)) missing.delete(finder);
        if (missing.size === 0) return true;
      }
      for (const finder of missing) finder.restart(); // a term does not span two texts
    }
    return false;
  }
}

/** Finds one term in a stream of tokens, reading each once (Knuth, Morris and Pratt). */
class Finder {
  readonly #term: Term;
  /** failure table: for each number of matching tokens, the length of the longest proper border */
  readonly #shorter: number[] = [0, 0];
  #fitting = 0;

  constructor(term: Term) {
    this.#term = term;
    const { tokens } = term;
    for (let i = 1, fitting = 0; i < tokens.length; i++) {
      while (fitting > 0 && tokens[i] !== tokens[fitting]) fitting = this.#shorter[fitting]!;
      if (tokens[i] === tokens[fitting]) fitting++;
      this.#shorter.push(fitting);
    }
  }

  /** true once the whole term has matched */
  take(token: string): boolean {
    const { tokens, isBeginning } = this.#term;
    if (isBeginning) return token.startsWith(tokens[0]!);
    while (this.#fitting > 0 && token !== tokens[this.#fitting]) this.#fitting = this.#shorter[this.#fitting]!;
    if (token === tokens[this.#fitting]) this.#fitting++;
    return this.#fitting === tokens.length;
  }

  restart(): void {
    this.#fitting = 0;
  }
}

function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(TOKEN)) {
    const folded = BEYOND_ASCII.test(token)
      ? [...token.replace(ACCENTS, '')].map(foldedLetter).join('')
      : token.toLowerCase();
    if (folded !== '') yield folded;
  }
}

const ACCENTED_ASCII = /^[A-Za-z]\p{M}$/u;

/** Lower case as one letter, and without accent for an ASCII letter with one accent, like the tokenizer. */
function foldedLetter(letter: string): string {
  const parts = letter.normalize('NFD');
  const lower = (ACCENTED_ASCII.test(parts) ? parts[0]! : letter).toLowerCase();
  if (lower === 'ς') return 'σ'; // final sigma
  return [...lower].length === 1 ? lower : letter;
}

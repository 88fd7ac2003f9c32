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

/** letters, digits, and those marks that the tokenizer takes for accents: the others part words */
const TOKEN =
  /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331])+/gu;
const ACCENTS = /\p{M}+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** What is looked for: the tokens one after the other; `isBeginning`: the last may go on. */
interface Term {
  tokens: string[];
  isBeginning: boolean;
}

export class WordMatcher {
  readonly #terms: Term[];

  constructor(words: string) {
    const terms = searchTerms(words).map((term) => ({ tokens: [...tokensOf(term)], isBeginning: term.endsWith('*') }));
    // a mark that stands alone is found nowhere
    this.#terms = terms.every(({ tokens }) => tokens.length > 0) ? terms : [];
  }

  /** No text can hold them. */
  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** All words are somewhere in the texts; nothing is nowhere. */
  isIn(texts: readonly string[]): boolean {
    const missing = new Set(this.#terms.map((term) => new Finder(term)));
    if (this.isEmpty) return false;
    for (const text of texts) {
      for (const token of tokensOf(indexedText(text))) {
        for (const finder of missing) if (finder.take(token)) missing.delete(finder);
        if (missing.size === 0) return true;
      }
      for (const finder of missing) finder.restart(); // no words across two texts
    }
    return false;
  }
}

/**
 * Looks for one term in one token after the other, by the method of Knuth, Morris and Pratt: none is looked at again.
 */
class Finder {
  readonly #term: Term;
  /** for each count of tokens that fit: how many of their last ones are a beginning, too */
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

  /** true once the whole term has come */
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

/** Lower case, as one letter; without its accent where it is one of ASCII with one accent, as the tokenizer does it. */
function foldedLetter(letter: string): string {
  const parts = letter.normalize('NFD');
  const lower = (ACCENTED_ASCII.test(parts) ? parts[0]! : letter).toLowerCase();
  if (lower === 'ς') return 'σ'; // at the end of a word
  return [...lower].length === 1 ? lower : letter;
}

// Whether a text holds the words of a search: by the same words, cases and accents as the full-text index of the
// embedded room server (FTS5 with its tokenizer unicode61), for texts that no index has.

import { indexedText, searchTerms } from './search-words.ts';

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

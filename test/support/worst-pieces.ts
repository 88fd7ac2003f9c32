// What worst cases are made of: a piece over and over, behind, between or beside others.

export interface WorstCase {
  name: string;
  /** about `n` characters of it */
  make(n: number): string;
}

export interface WorstBytes {
  name: string;
  /** about `n` bytes of it */
  make(n: number): Buffer;
}

/** About `n` characters of `piece`, once at least, between a beginning and an end that do not count. */
export function filled(n: number, piece: string, before = '', after = ''): string {
  return before + piece.repeat(Math.max(Math.floor(n / piece.length), 1)) + after;
}

const shown = (text: string): string => JSON.stringify(text.length > 30 ? `${text.slice(0, 27)}…` : text);

export const repeats = (...pieces: string[]): WorstCase[] =>
  pieces.map((piece) => ({ name: `${shown(piece)} repeated`, make: (n) => filled(n, piece) }));

export const behind = (before: string, ...pieces: string[]): WorstCase[] =>
  pieces.map((piece) => ({
    name: `${shown(piece)} repeated behind ${shown(before)}`,
    make: (n) => filled(n, piece, before),
  }));

export const between = (before: string, piece: string, after: string): WorstCase => ({
  name: `${shown(piece)} repeated between ${shown(before)} and ${shown(after)}`,
  make: (n) => filled(n, piece, before, after),
});

/** As many of one as of the other: nests, and what was opened closed in the wrong order. */
export const halves = (first: string, second: string): WorstCase => ({
  name: `${shown(first)} repeated, then ${shown(second)}`,
  make: (n) => first.repeat(Math.floor(n / 2 / first.length)) + second.repeat(Math.floor(n / 2 / second.length)),
});

/** Numbered pieces, so that each is one of its own. */
export const numbered = (name: string, piece: (i: number) => string, before = '', after = ''): WorstCase => ({
  name,
  make(n) {
    const pieces = [before];
    for (let size = before.length + after.length, i = 0; size < n; i++) {
      pieces.push(piece(i));
      size += pieces.at(-1)!.length;
    }
    return pieces.join('') + after;
  },
});

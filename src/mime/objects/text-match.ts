// Collations, text-match and parameter filters of CalDAV and CardDAV queries (RFC 4791 sections 7.5 and 9.7,
// RFC 6352 sections 8.6 and 10.5, RFC 4790 section 9, RFC 5051).

import { type Component, type ContentLine, unescapeText } from './content-lines.ts';

export const COLLATIONS = ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap'] as const;
export type Collation = (typeof COLLATIONS)[number];
export type MatchType = 'contains' | 'equals' | 'starts-with' | 'ends-with';

export interface TextMatch {
  text: string;
  collation: Collation;
  /** CalDAV has `contains` only */
  matchType: MatchType;
  isNegated: boolean;
}

/** undefined: unknown. `default` is i;unicode-casemap. */
export function collationNamed(name: string): Collation | undefined {
  return name === 'default' ? 'i;unicode-casemap' : COLLATIONS.find((one) => one === name);
}

/** Linear in both texts. */
export function matchesText(match: TextMatch, value: string): boolean {
  return compares(match, collated(value, match.collation)) !== match.isNegated;
}

/** cache for queries in progress */
const collatedTexts = new WeakMap<TextMatch, string>();

/** `value` is already collated. Ignores negation. */
export function compares(match: TextMatch, value: string): boolean {
  const { text, collation, matchType } = match;
  const wanted = collatedTexts.getOrInsertComputed(match, () => collated(text, collation));
  switch (matchType) {
    case 'equals':
      return value === wanted;
    case 'starts-with':
      return value.startsWith(wanted);
    case 'ends-with':
      return value.endsWith(wanted);
    case 'contains':
      return contains(value, wanted);
  }
}

/** The form of a text that the collation compares. */
export function collated(text: string, collation: Collation): string {
  if (collation === 'i;octet') return text;
  if (!/[^\0-\x7f]/.test(text)) return text.toUpperCase();
  if (collation === 'i;ascii-casemap') return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  // only 1:1 mappings: `ß` has no single upper-case character
  const cased = text.replace(/[^\0-\x7f]|[a-z]+/gu, (piece) => {
    const upper = piece.toUpperCase();
    return upper.length === piece.length ? upper : piece;
  });
  return cased.normalize('NFKD');
}

/** Linear (Knuth, Morris and Pratt), because the client chooses both texts. */
function contains(value: string, wanted: string): boolean {
  if (wanted.length > value.length) return false;
  if (wanted.length < 2) return value.includes(wanted);
  const borders = [0];
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = borders[length - 1]!;
    if (wanted[i] === wanted[length]) length++;
    borders.push(length);
  }
  for (let i = 0, length = 0; i < value.length; i++) {
    while (length > 0 && value[i] !== wanted[length]) length = borders[length - 1]!;
    if (value[i] === wanted[length]) length++;
    if (length === wanted.length) return true;
  }
  return false;
}

export interface ParamFilter {
  name: string;
  isNotDefined?: boolean | undefined;
  textMatch?: TextMatch | undefined;
}

/** Tests lines of one object. Collates each text once, however many filters need it. */
export class LineTests {
  readonly #values = new Map<Collation, Map<ContentLine, string>>();
  readonly #params = new Map<string, Map<ContentLine, string[]>>();

  matchesValue(line: ContentLine, match: TextMatch): boolean {
    const value = cached(this.#values, match.collation, line, () =>
      collated(unescapeText(line.value), match.collation),
    );
    return compares(match, value) !== match.isNegated;
  }

  /** Any of several values may match, or their whole list, because a quoted value may contain a comma. */
  matchesParam(line: ContentLine, { name, isNotDefined, textMatch }: ParamFilter): boolean {
    const upper = name.toUpperCase();
    const value = line.params.get(upper);
    if (value === undefined || isNotDefined) return (value === undefined) === (isNotDefined === true);
    if (!textMatch) return true;
    const { collation, isNegated } = textMatch;
    const compared = cached(this.#params, `${collation} ${upper}`, line, () => {
      const values = [value, ...(value.includes(',') ? value.split(',') : [])];
      return values.map((one) => collated(one, collation));
    });
    return compared.some((one) => compares(textMatch, one)) !== isNegated;
  }
}

function cached<K, T>(all: Map<K, Map<ContentLine, T>>, key: K, line: ContentLine, make: () => T): T {
  return all.getOrInsertComputed(key, () => new Map()).getOrInsertComputed(line, make);
}

/** default: `anyof` */
export type Test = 'anyof' | 'allof';

export interface CardPropFilter {
  /** a group prefix limits it to properties of that group */
  name: string;
  test: Test;
  isNotDefined?: boolean | undefined;
  textMatches: readonly TextMatch[];
  params: readonly ParamFilter[];
}

export interface CardFilter {
  test: Test;
  props: readonly CardPropFilter[];
}

/** A filter without tests matches every contact. */
export function matchesCard(card: Component, { test, props }: CardFilter): boolean {
  const tests = new LineTests();
  return tested(test, props, (one) => matchesProp(card, one, tests));
}

function matchesProp(card: Component, filter: CardPropFilter, lineTests: LineTests): boolean {
  const lines = card.lines.filter((line) => isNamed(line, filter.name));
  if (filter.isNotDefined) return lines.length === 0;
  const tests: ((line: ContentLine) => boolean)[] = [
    ...filter.textMatches.map((one) => (line: ContentLine) => lineTests.matchesValue(line, one)),
    ...filter.params.map((one) => (line: ContentLine) => lineTests.matchesParam(line, one)),
  ];
  return lines.some((line) => tested(filter.test, tests, (one) => one(line)));
}

function tested<T>(test: Test, items: readonly T[], holds: (item: T) => boolean): boolean {
  return items.length === 0 || (test === 'allof' ? items.every(holds) : items.some(holds));
}

/** `TEL`, `item1.TEL`, case-insensitive */
export function isNamed(line: ContentLine, name: string): boolean {
  const [first = '', second] = name.toUpperCase().split('.');
  return second === undefined ? line.name === first : line.name === second && line.group.toUpperCase() === first;
}

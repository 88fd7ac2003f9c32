// Filters of address book queries as data, and whether a contact passes one (RFC 6352 sections 8.6 and 10.5).

import type { Component, ContentLine } from './content-lines.ts';
import { LineTests, type ParamFilter } from './filter-parts.ts';
import type { TextMatch } from './text-match.ts';

/** `anyof` is what is meant where a query says nothing */
export type Test = 'anyof' | 'allof';

export interface CardPropFilter {
  /** with a group before it, only properties of that group */
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

/** A filter without tests lets every contact pass. */
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

/** `TEL`, `item1.TEL`, in any case of letters */
export function isNamed(line: ContentLine, name: string): boolean {
  const [first = '', second] = name.toUpperCase().split('.');
  return second === undefined ? line.name === first : line.name === second && line.group.toUpperCase() === first;
}

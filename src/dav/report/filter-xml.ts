// What filters of calendar and address book queries have in common: names, is-not-defined, tests of text and of
// parameters (RFC 4791 section 9.7, RFC 6352 section 10.5), within bounds.

import { MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../limits/dav.ts';
import { collationNamed, type MatchType, type ParamFilter, type TextMatch } from '../../mime/objects/text-match.ts';
import { CALDAV_NAMESPACE, childrenNamed, type XmlElement } from '../xml-read.ts';
import { FailedCondition } from './condition.ts';

const MATCH_TYPES: readonly MatchType[] = ['contains', 'equals', 'starts-with', 'ends-with'];

/** what filters are made of */
const PARTS: ReadonlySet<string> = new Set([
  'filter',
  'comp-filter',
  'prop-filter',
  'param-filter',
  'is-not-defined',
  'time-range',
  'text-match',
]);

/** Reads the elements of one filter, and counts them. Its methods throw FailedCondition. */
export class FilterXml {
  readonly #namespace: string;
  #left = MAX_FILTER_ELEMENTS;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  get #isCalendar(): boolean {
    return this.#namespace === CALDAV_NAMESPACE;
  }

  /** For what cannot be a filter at all; CardDAV has no word of its own for it. */
  invalid(): FailedCondition {
    return this.#isCalendar ? FailedCondition.calendar('valid-filter') : FailedCondition.card('supported-filter');
  }

  tooMuch(): FailedCondition {
    return this.#isCalendar ? FailedCondition.calendar('supported-filter') : FailedCondition.card('supported-filter');
  }

  /** Its children of that name; each counts. */
  all(parent: XmlElement, name: string): XmlElement[] {
    const found = childrenNamed(parent, this.#namespace, name);
    this.#left -= found.length;
    if (this.#left < 0) throw this.tooMuch();
    return found;
  }

  /** The one of that name, if there is one. */
  optional(parent: XmlElement, name: string): XmlElement | undefined {
    const found = this.all(parent, name);
    if (found.length > 1) throw this.invalid();
    return found[0];
  }

  /** What nobody knows is passed over (RFC 4918 section 17), but no test of a client where it means nothing. */
  requireOnly({ children }: XmlElement, allowed: readonly string[]): void {
    const isMisplaced = ({ namespace, name }: XmlElement) =>
      namespace === this.#namespace && PARTS.has(name) && !allowed.includes(name);
    if (children.some(isMisplaced)) throw this.invalid();
  }

  nameOf({ attributes }: XmlElement): string {
    const name = attributes.get('name')?.trim() ?? '';
    if (name === '') throw this.invalid();
    return name;
  }

  /** Nothing else may stand beside it. */
  isNotDefined(parent: XmlElement, others: readonly string[]): boolean {
    if (!this.optional(parent, 'is-not-defined')) return false;
    if (others.some((name) => this.all(parent, name).length > 0)) throw this.invalid();
    return true;
  }

  paramFilters(parent: XmlElement): ParamFilter[] {
    return this.all(parent, 'param-filter').map((filter) => {
      const name = this.nameOf(filter);
      this.requireOnly(filter, ['is-not-defined', 'text-match']);
      if (this.isNotDefined(filter, ['text-match'])) return { name, isNotDefined: true };
      const textMatch = this.optional(filter, 'text-match');
      return { name, textMatch: textMatch && this.textMatch(textMatch) };
    });
  }

  textMatch({ attributes, text }: XmlElement): TextMatch {
    if (text.length > MAX_MATCH_TEXT_CHARACTERS) throw this.tooMuch();
    // RFC 4791 section 7.5.1 and RFC 6352 section 8.3.1 differ in what is meant where nothing is said
    const named = attributes.get('collation') ?? (this.#isCalendar ? 'i;ascii-casemap' : 'i;unicode-casemap');
    const collation = collationNamed(named);
    if (collation === undefined) {
      throw this.#isCalendar
        ? FailedCondition.calendar('supported-collation')
        : FailedCondition.card('supported-collation');
    }
    const wanted = attributes.get('match-type') ?? 'contains';
    const matchType = this.#isCalendar ? 'contains' : MATCH_TYPES.find((one) => one === wanted);
    const negate = attributes.get('negate-condition') ?? 'no';
    if (matchType === undefined || (negate !== 'yes' && negate !== 'no')) throw this.invalid();
    return { text, collation, matchType, isNegated: negate === 'yes' };
  }
}

// What filters of calendar and address book queries have in common: tests of parameters
// (RFC 4791 section 9.7.3, RFC 6352 section 10.5.2) and of the text of properties.

import { type ContentLine, unescapeText } from './content-lines.ts';
import { matchesText, type TextMatch } from './text-match.ts';

export interface ParamFilter {
  name: string;
  isNotDefined?: boolean | undefined;
  textMatch?: TextMatch | undefined;
}

/** Of several values, one that matches is enough; of all of them together, too, as a comma may be in quotes. */
export function matchesParam({ params }: ContentLine, { name, isNotDefined, textMatch }: ParamFilter): boolean {
  const value = params.get(name.toUpperCase());
  if (value === undefined || isNotDefined) return (value === undefined) === (isNotDefined === true);
  if (!textMatch) return true;
  const plain = { ...textMatch, isNegated: false };
  const isFound = [value, ...(value.includes(',') ? value.split(',') : [])].some((one) => matchesText(plain, one));
  return isFound !== textMatch.isNegated;
}

export function matchesValue({ value }: ContentLine, textMatch: TextMatch): boolean {
  return matchesText(textMatch, unescapeText(value));
}

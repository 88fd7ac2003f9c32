// What filters of calendar and address book queries have in common: tests of parameters
// (RFC 4791 section 9.7.3, RFC 6352 section 10.5.2) and of the text of properties.

import { type ContentLine, unescapeText } from './content-lines.ts';
import { type Collation, collated, compares, type TextMatch } from './text-match.ts';

export interface ParamFilter {
  name: string;
  isNotDefined?: boolean | undefined;
  textMatch?: TextMatch | undefined;
}

/** Tests of the lines of one object. A text is made comparable once, however many filters ask for it. */
export class LineTests {
  readonly #values = new Map<Collation, Map<ContentLine, string>>();
  readonly #params = new Map<string, Map<ContentLine, string[]>>();

  matchesValue(line: ContentLine, match: TextMatch): boolean {
    const value = kept(this.#values, match.collation, line, () => collated(unescapeText(line.value), match.collation));
    return compares(match, value) !== match.isNegated;
  }

  /** Of several values, one that matches is enough; of all of them together, too, as a comma may be in quotes. */
  matchesParam(line: ContentLine, { name, isNotDefined, textMatch }: ParamFilter): boolean {
    const upper = name.toUpperCase();
    const value = line.params.get(upper);
    if (value === undefined || isNotDefined) return (value === undefined) === (isNotDefined === true);
    if (!textMatch) return true;
    const { collation, isNegated } = textMatch;
    const compared = kept(this.#params, `${collation} ${upper}`, line, () => {
      const values = [value, ...(value.includes(',') ? value.split(',') : [])];
      return values.map((one) => collated(one, collation));
    });
    return compared.some((one) => compares(textMatch, one)) !== isNegated;
  }
}

function kept<K, T>(all: Map<K, Map<ContentLine, T>>, key: K, line: ContentLine, make: () => T): T {
  return all.getOrInsertComputed(key, () => new Map()).getOrInsertComputed(line, make);
}

// Content negotiation (RFC 9110 sections 12.4 and 12.5): Accept and Accept-Encoding.

interface Weighted {
  /** lower case: `text/html`, `text/*`, `gzip`, `*` */
  name: string;
  q: number;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The best of `types` (lower case, no parameters); the first one on a tie or without a header. undefined: none is
 * acceptable.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string | undefined {
  if (header === undefined || header.trim() === '') return types[0];
  const preferences = parsePreferences(header);
  return best(types, (type) => {
    const range = `${type.slice(0, type.indexOf('/'))}/*`;
    return quality(preferences, type) ?? quality(preferences, range) ?? quality(preferences, '*/*') ?? 0;
  });
}

/** The best of `encodings`; undefined: no encoding. */
export function preferredEncoding<E extends string>(
  header: string | undefined,
  encodings: readonly E[],
): E | undefined {
  if (header === undefined) return undefined;
  const preferences = parsePreferences(header);
  const any = quality(preferences, '*') ?? 0;
  return best(encodings, (encoding) => quality(preferences, encoding) ?? any);
}

function best<E extends string>(choices: readonly E[], qualityOf: (choice: E) => number): E | undefined {
  let chosen: E | undefined;
  let highest = 0;
  for (const choice of choices) {
    const q = qualityOf(choice);
    if (q > highest) {
      highest = q;
      chosen = choice;
    }
  }
  return chosen;
}

// ignores parameters ('text/html;level=1'), since we offer no variants
function quality(preferences: Weighted[], name: string): number | undefined {
  let highest: number | undefined;
  for (const preference of preferences) {
    if (preference.name === name && (highest === undefined || preference.q > highest)) highest = preference.q;
  }
  return highest;
}

function parsePreferences(header: string): Weighted[] {
  const preferences: Weighted[] = [];
  for (const element of header.split(',')) {
    const [name, ...parameters] = element.split(';');
    let q = 1;
    for (const parameter of parameters) {
      const [key, value] = parameter.split('=');
      if (key!.trim().toLowerCase() !== 'q') continue;
      const text = value?.trim() ?? '';
      // an invalid weight removes the element instead of making it the favourite
      q = QUALITY.test(text) ? Number(text) : -1;
    }
    if (q >= 0) preferences.push({ name: name!.trim().toLowerCase(), q });
  }
  return preferences;
}

// Content lines of iCalendar and vCard objects (RFC 5545 section 3.1, RFC 6350 section 3.2; vNote has the same form):
// just enough to read a few properties of the first component of a kind. Called by groupware.ts and message-text.ts.

export interface Property {
  /** upper case, without group: `item1.URL;TYPE=x:…` → `URL` */
  name: string;
  /** as written, folding undone, escapes kept */
  value: string;
}

/** Properties directly in the first component of this kind; empty when there is none. Inner components are skipped. */
export function propertiesOf(text: string, component: string): Property[] {
  const properties: Property[] = [];
  let depth = 0;
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const property = parseLine(line);
    if (!property) continue;
    const value = property.value.trim().toUpperCase();
    if (property.name === 'BEGIN') {
      if (depth > 0 || value === component) depth++;
    } else if (property.name === 'END') {
      if (depth > 0 && --depth === 0) return properties;
    } else if (depth === 1) {
      properties.push(property);
    }
  }
  return properties;
}

/** Value of the first property of that name, trimmed; '' when it is missing. */
export function propertyValue(properties: readonly Property[], name: string): string {
  return properties.find((property) => property.name === name)?.value.trim() ?? '';
}

/** RFC 5545 section 3.3.11: `a\, b\nc` → `a, b` LF `c` */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, char: string) => (char === 'n' || char === 'N' ? '\n' : char));
}

/** `20261201T090000Z` and `20261201` → Unix time, the digits taken as UTC; undefined when it is no date. */
export function parseDateTime(value: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(value);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((digits) => Number(digits ?? 0));
  const time = Date.UTC(year!, month! - 1, day!, hour, minute, second);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

function parseLine(line: string): Property | undefined {
  // A colon inside a quoted parameter does not end the parameters: `ATTENDEE;CN="a:b":mailto:x`
  const match = /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)((?:;[^":;]*(?:"[^"]*"[^":;]*)*)*):(.*)$/.exec(line);
  return match ? { name: match[1]!.toUpperCase(), value: match[3]! } : undefined;
}

// The content lines of iCalendar, vCard and vNote objects (RFC 5545 section 3.1, RFC 6350 section 3.3). Linear in the
// text, whatever a sender has put there, for nobody has looked at a message yet.

const COMPONENTS = /^BEGIN:(VEVENT|VTODO|VJOURNAL|VCARD|VNOTE)$/i;

/**
 * `{ name, params, value }` of each line of the first component; nested ones, such as alarms, are left out.
 * @param {string} text
 */
export function fieldsOf(text) {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const start = lines.findIndex((line) => COMPONENTS.test(line));
  const fields = [];
  let depth = 0;
  for (const line of lines.slice(start + 1)) {
    if (/^BEGIN:/i.test(line)) depth++;
    else if (/^END:/i.test(line)) {
      if (depth-- === 0) break;
    } else if (depth === 0) {
      const field = fieldOf(line);
      if (field) fields.push(field);
    }
  }
  return fields;
}

/**
 * `item1.TEL;TYPE="a:b":+49 30`: the value begins behind the first colon outside quotes. undefined for what has none.
 * @param {string} line
 */
function fieldOf(line) {
  const name = /^(?:[\w-]+\.)?([\w-]+)(?=[;:])/.exec(line);
  if (!name) return undefined;
  const start = name[0].length;
  let colon = start;
  for (let isQuoted = false; isQuoted || line[colon] !== ':'; colon++) {
    if (colon === line.length) return undefined;
    if (line[colon] === '"') isQuoted = !isQuoted;
  }
  return { name: name[1].toUpperCase(), params: line.slice(start, colon), value: line.slice(colon + 1) };
}

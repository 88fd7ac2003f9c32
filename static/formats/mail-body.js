// What is written as the body of a message: text alone, or text and HTML as alternatives with the pictures of the HTML
// beside it (RFC 2046 section 5.1, RFC 2387), in quoted-printable and base64 (RFC 2045 section 6).

/** @typedef {{ cid: string, type: string, name: string, base64: string }} BodyPicture */

/** RFC 2045 section 6.7 */
const LINE = 76;

/**
 * `html` undefined: only text. Lines end in CR LF where it has parts.
 * @param {{ text: string, html?: string, pictures?: BodyPicture[] }} written
 * @returns {{ type: string, body: string }}
 */
export function mailBody({ text, html, pictures = [] }) {
  if (html === undefined) return { type: 'text/plain; charset=utf-8', body: `${text.trimEnd()}\n` };
  const plain = part('text/plain; charset=utf-8', `${text.trimEnd()}\n`);
  const page = part('text/html; charset=utf-8', `<!DOCTYPE html><html><body>${html}</body></html>\n`);
  const rich = pictures.length === 0 ? page : asPart(joined('related', [page, ...pictures.map(picturePart)]));
  return joined('alternative', [plain, rich]);
}

/** @param {{ type: string, body: string }} entity */
const asPart = ({ type, body }) => `Content-Type: ${type}\r\n\r\n${body}`;

/** @param {string} type @param {string} text */
const part = (type, text) =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}`;

/** @param {BodyPicture} picture */
function picturePart({ cid, type, name, base64 }) {
  const safe = name.replaceAll(/[^\w. -]/g, '_');
  const head = [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    `Content-ID: <${cid}>`,
    `Content-Disposition: inline; filename="${safe}"`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${base64.match(/.{1,76}/g)?.join('\r\n') ?? ''}\r\n`;
}

/** The boundary holds `=_`, which neither of the encodings writes. @param {string} subtype @param {string[]} parts */
function joined(subtype, parts) {
  const boundary = `=_${crypto.randomUUID()}`;
  const body = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('');
  return { type: `multipart/${subtype}; boundary="${boundary}"`, body: `${body}--${boundary}--\r\n` };
}

/**
 * RFC 2045 section 6.7; line ends of the text become CR LF. No line is `000`: it ends a text of the line protocol, for
 * which a gateway would store the whole as base64.
 * @param {string} text
 */
export function quotedPrintable(text) {
  return text
    .split(/\r\n|\n|\r/)
    .map(encodedLine)
    .join('\r\n')
    .replaceAll(/^000$/gm, '=3000');
}

const encoder = new TextEncoder();

/** @param {string} line */
function encodedLine(line) {
  const bytes = encoder.encode(line);
  /** @type {string[]} */
  const pieces = [];
  let column = 0;
  bytes.forEach((byte, at) => {
    const isBlank = byte === 32 || byte === 9;
    const isPlain = isBlank ? at < bytes.length - 1 : byte > 32 && byte < 127 && byte !== 61;
    const written = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    // the sign of a line that goes on needs a column
    if (column + written.length > LINE - 1) {
      pieces.push('=\r\n');
      column = 0;
    }
    pieces.push(written);
    column += written.length;
  });
  return pieces.join('');
}

/** a picture by `src`, or as a background: in the HTML of the gateway, which writes them in one way */
const PICTURE = /( src="|url\(')([^"'&)]+)/g;
/** characters that an address does not encode */
const PLAIN_ID = /^[\w.@+=$!-]+$/;

/**
 * The HTML of a message as the gateway gives it, in which pictures have the addresses of their parts, with the names
 * that they have within the message again; and the parts that it shows by them. What comes from elsewhere stays.
 * @template {{ partnum: string, content_id: string }} P
 * @param {string} html @param {P[]} parts
 */
export function withContentIds(html, parts) {
  /** @type {Map<string, { part: P, cid: string }>} */
  const shown = new Map();
  const written = html.replaceAll(PICTURE, (whole, before, address) => {
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return whole;
    const name = decoded(address.slice(address.lastIndexOf('/') + 1));
    const part = parts.find(({ partnum }) => name === partnum) ?? parts.find(({ content_id }) => name === content_id);
    if (!part) return whole;
    const known = shown.get(part.partnum) ?? { part, cid: contentId(part, parts) };
    shown.set(part.partnum, known);
    return `${before}cid:${known.cid}`;
  });
  return { html: written, shown: [...shown.values()] };
}

/**
 * Its own, where that names it alone and needs no signs for it.
 * @param {{ partnum: string, content_id: string }} part @param {{ content_id: string }[]} parts
 */
function contentId({ partnum, content_id: own }, parts) {
  const isAlone = parts.filter(({ content_id }) => content_id === own).length === 1;
  return isAlone && PLAIN_ID.test(own) ? own : `part-${partnum}@picture`;
}

/** @param {string} html @param {string} cid */
export const holdsPicture = (html, cid) => html.includes(`cid:${cid}"`) || html.includes(`cid:${cid}'`);

/** @param {string} segment */
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

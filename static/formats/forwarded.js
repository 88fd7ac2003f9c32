// A message that goes on to others within a new one: a block behind what is written, which nothing rewrites. Its HTML is
// as the gateway has made it safe, and as a recipient's program gets it: with pictures from elsewhere.

import { parseHtml } from './html-tree.js';
import { richToText } from './rich-output.js';
import { readRich } from './rich-text.js';

/** @typedef {{ html: string, text: string }} Forwarded `text` is for readers without HTML */

/** a name of a place within a message, as sanitise.ts leaves it */
const START = '<div id="m-forwarded">';
const REMOTE = /^(?:https?:)?\/\//i;
/** in the HTML of the gateway a double quote stands around attribute values only */
const REMOTE_GROUND = /url\('(?:https?:)?\/\/[^'&)]*'\)/gi;

/** @param {string} head @param {string} body both HTML */
export const forwardedHtml = (head, body) => `${START}${head}${body}</div>`;

/**
 * What was written, and the forwarded message behind it; `text` is that of both.
 * @param {string} html @param {string} text
 * @returns {{ html: string, forwarded?: Forwarded }}
 */
export function splitForwarded(html, text) {
  const at = html.indexOf(START);
  if (at < 0) return { html };
  const written = richToText(readRich(parseHtml(html.slice(0, at))));
  const block = html.slice(at);
  const rest = text.startsWith(written) ? text.slice(written.length).trim() : richToText(readRich(parseHtml(block)));
  return { html: html.slice(0, at), forwarded: { html: block, text: rest } };
}

/**
 * A message with what it forwards.
 * @param {{ text: string, html: string, forwarded?: Forwarded }} draft
 */
export function wholeOf({ text, html, forwarded }) {
  if (!forwarded) return { text, html };
  return { text: [text.trimEnd(), forwarded.text].filter(Boolean).join('\n\n'), html: html + forwarded.html };
}

/**
 * For its writer to see. `addressOf` is where a picture of the message is found; without `isRemote` nothing is loaded
 * from elsewhere.
 * @param {string} html @param {(cid: string) => string | undefined} addressOf @param {boolean} [isRemote]
 */
export function previewOf(html, addressOf, isRemote = false) {
  const own = html.replaceAll(/( src="|url\(')cid:([\w.@+=$!-]+)/g, (whole, before, cid) => {
    const address = addressOf(cid);
    return address === undefined ? whole : before + address;
  });
  if (isRemote) return own;
  const [first = '', ...pictures] = own.split('<img ');
  return (first + pictures.map(withoutRemote).join('')).replaceAll(REMOTE_GROUND, 'none');
}

/** `rest` follows `<img `. A remote picture becomes its alternative text. @param {string} rest */
function withoutRemote(rest) {
  const end = rest.indexOf('>');
  const attributes = rest.slice(0, end);
  const [, src = ''] = /src="([^"]*)"/.exec(attributes) ?? [];
  if (!REMOTE.test(src)) return `<img ${rest}`;
  const [, alt = ''] = / alt="([^"]*)"/.exec(attributes) ?? [];
  return alt + rest.slice(end + 1);
}

/** @param {string} html */
export const hasRemote = (html) => previewOf(html, () => undefined) !== html;

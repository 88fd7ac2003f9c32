// The tokens that people read: without comments, declarations and the elements whose content is code, foreign (SVG,
// MathML) or a replacement for something we never show.

import type { HtmlToken } from './tags.ts';
import { tokenize } from './tokenizer.ts';

const DROPPED = new Set(
  (
    'script style template noscript iframe object applet svg math title textarea select xmp noembed noframes ' +
    'plaintext audio video'
  ).split(' '),
);
const FOREIGN = new Set(['svg', 'math']);

export type ContentToken = Extract<HtmlToken, { type: 'start' | 'end' | 'text' }>;

/** A dropped element that is never closed hides the rest, as it does in a browser. */
export function* contentTokens(html: string): Generator<ContentToken> {
  let dropped = '';
  let depth = 0;
  for (const token of tokenize(html, () => FOREIGN.has(dropped))) {
    if (token.type === 'comment' || token.type === 'doctype') continue;
    if (dropped === '' && (token.type !== 'start' || !DROPPED.has(token.name))) {
      yield token;
    } else if (token.type === 'start' && (dropped === '' || token.name === dropped)) {
      // only foreign elements can close themselves
      if (token.isSelfClosing && FOREIGN.has(token.name)) continue;
      dropped = token.name;
      depth++;
    } else if (token.type === 'end' && token.name === dropped && --depth === 0) {
      dropped = '';
    }
  }
}

// The tokens of HTML in short, for tests.

import { tokenize } from '../../src/html/tokenizer.ts';

/** tokens in short: text `"a"`, start `<b x=1 /`, end `</b`, comment `!c`, DOCTYPE `?html` */
export function brief(html: string, isForeign?: () => boolean): string[] {
  return [...tokenize(html, isForeign)].map((token) => {
    if (token.type === 'text') return `"${token.data}"`;
    if (token.type === 'end') return `</${token.name}`;
    if (token.type === 'comment') return `!${token.data}`;
    if (token.type === 'doctype') return `?${token.name}`;
    const attributes = [...token.attributes].map(([name, value]) => ` ${name}=${value}`).join('');
    return `<${token.name}${attributes}${token.isSelfClosing ? ' /' : ''}`;
  });
}

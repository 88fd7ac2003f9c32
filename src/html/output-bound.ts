// The bound on the output made of one message: tags, marks and blanks can be a multiple of the text. One bound is
// handed through all writers of a message.

import { MAX_RENDERED_CHARACTERS } from '../limits/mime.ts';

/** stands at the end of a text that was cut */
export const CUT_NOTE = '[The text is longer than what is shown here.]';

export class OutputBound {
  /** UTF-16 units that may still be written */
  left: number;
  /** Something did not fit: nothing more is to be written, but what ends the elements that are open. */
  isCut = false;

  constructor(left = MAX_RENDERED_CHARACTERS) {
    this.left = left;
  }

  /** Whether so many more units fit. Once something did not, nothing does. */
  take(length: number): boolean {
    if (length > this.left) this.isCut = true;
    if (this.isCut) return false;
    this.left -= length;
    return true;
  }

  /** The text, or as much of its beginning as fits; of a character, or a reference where it is HTML, all or nothing. */
  takeText(text: string, isHtml: boolean): string {
    if (this.isCut) return '';
    if (this.take(text.length)) return text;
    const start = text.slice(0, this.left);
    const whole = isHtml ? start.replace(/&[a-z]{0,5}$/, '') : start;
    return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
  }
}

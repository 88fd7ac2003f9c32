// Limits the output for one message, because markup can be a multiple of the text. All writers of a message share one
// bound.

import { MAX_RENDERED_CHARACTERS } from '../limits/mime.ts';

export const CUT_NOTE = '[The text is longer than what is shown here.]';

export class OutputBound {
  /** remaining UTF-16 units */
  left: number;
  /** the limit was reached: write nothing more but end tags */
  isCut = false;

  constructor(left = MAX_RENDERED_CHARACTERS) {
    this.left = left;
  }

  /** Whether this many units fit. After the first failure, nothing fits. */
  take(length: number): boolean {
    if (length > this.left) this.isCut = true;
    if (this.isCut) return false;
    this.left -= length;
    return true;
  }

  /** As much of the text as fits, without splitting characters or, in HTML, references. */
  takeText(text: string, isHtml: boolean): string {
    if (this.isCut) return '';
    if (this.take(text.length)) return text;
    const start = text.slice(0, this.left);
    const whole = isHtml ? start.replace(/&[a-z]{0,5}$/, '') : start;
    return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
  }
}

// Builds MIME entities from content that is not MIME: texts and files of other formats, and a multipart with a missing
// or wrong boundary.

import { KIB } from '../limits/units.ts';
import { formatContentDisposition, formatContentType, isMediaType } from './headers.ts';
import { isLeaf } from './part.ts';
import { walk } from './walk.ts';

export interface EntityFile {
  name: string;
  /** '' if unknown */
  type: string;
  contentId: string;
  data: Buffer;
}

export interface EntityText {
  type: string;
  charset: string;
  data: Buffer;
}

/** Does not occur in the parts: text that contains it is encoded, too. */
const BOUNDARY = 'unpacked-part-boundary';

export function entityOf(text: EntityText | undefined, files: readonly EntityFile[]): Buffer {
  const part = (header: string, data: Buffer) =>
    `--${BOUNDARY}\n${header}Content-Transfer-Encoding: base64\n\n${data.toString('base64')}\n`;
  const parts = files.map(({ name, type, contentId, data }) => {
    const known = isMediaType(type) ? type : 'application/octet-stream';
    const disposition = formatContentDisposition('attachment', name);
    const id = /^[!-~]+$/.test(contentId) ? `Content-ID: <${contentId}>\n` : '';
    return part(`Content-Type: ${known}\nContent-Disposition: ${disposition}\n${id}`, data);
  });
  const params: [string, string][] = text && text.charset !== '' ? [['charset', text.charset]] : [];
  const first = text ? part(`Content-Type: ${formatContentType(text.type, params)}\n`, text.data) : '';
  return Buffer.from(
    `Content-Type: multipart/mixed; boundary=${BOUNDARY}\n\n${first}${parts.join('')}--${BOUNDARY}--\n`,
  );
}

/** its beginning, in which the first delimiter stands */
const BEGINNING_BYTES = 64 * KIB;
const DELIMITER = /^--(\S.{0,69}?)[ \t]*\r?\n(?=Content-[A-Za-z-]{1,30}:)/m;

/** A multipart that was encoded as a whole, or whose boundary is missing or another than its header says. */
export function multipartIn(type: string, given: string | undefined, content: Buffer): Buffer | undefined {
  const known = given?.trimEnd() ?? '';
  const isKnown = known !== '' && content.includes(`--${known}`);
  const boundary = isKnown ? known : DELIMITER.exec(content.toString('latin1', 0, BEGINNING_BYTES))?.[1];
  if (boundary === undefined) return undefined;
  const head = `Content-Type: ${formatContentType(type, [['boundary', boundary]])}\n\n`;
  const entity = Buffer.concat([Buffer.from(head), content]);
  return isLeaf(walk(entity)) ? undefined : entity;
}

// Bytes to text by the charset labels of the WHATWG Encoding Standard, as browsers do. Called by headers.ts,
// encoded-words.ts and whoever shows or indexes the text of a message. Never throws.

import { isUtf8 as isValidUtf8 } from 'node:buffer';

/** labels seen in mail that the standard does not list */
const ALIASES: Readonly<Record<string, string>> = {
  'latin-1': 'windows-1252',
  'iso-latin-1': 'windows-1252',
  ascii7: 'windows-1252',
  'utf-8-sig': 'utf-8',
  utf8mb4: 'utf-8',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  'windows-932': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
};

/** the longest label of the standard has 19 characters */
const MAX_LABEL_LENGTH = 40;

/** Only labels that are known get in, so the label list of the standard bounds it. */
const decoders = new Map<string, TextDecoder>();

/** The decoder of a charset label (any case, blanks and quotes around it ignored), undefined if it is not known. */
export function decoderOf(charset: string): TextDecoder | undefined {
  if (charset.length > MAX_LABEL_LENGTH) return undefined;
  const label = charset.replace(/^[\s"']+|[\s"']+$/g, '').toLowerCase();
  const known = decoders.get(label);
  if (known) return known;
  try {
    const decoder = new TextDecoder(Object.hasOwn(ALIASES, label) ? ALIASES[label] : label);
    decoders.set(label, decoder);
    return decoder;
  } catch {
    return undefined;
  }
}

export function isUtf8(bytes: Buffer): boolean {
  return isValidUtf8(bytes);
}

/** Bytes of a charset as text; an unknown or empty label means UTF-8 if the bytes are, else windows-1252. */
export function decodeText(bytes: Buffer, charset: string): string {
  const decoder = charset === '' ? undefined : decoderOf(charset);
  return (decoder ?? decoderOf(isValidUtf8(bytes) ? 'utf-8' : 'windows-1252')!).decode(bytes);
}

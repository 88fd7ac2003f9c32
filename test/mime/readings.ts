// Messages of a few parts for tests, and what is read of them.

import { type ReadableText, type ReadingOptions, readableText } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';

const PAGE: ReadingOptions = { isPlain: false, isRemoteLoaded: false, partUrl: () => undefined };

export function read(message: string, options: Partial<ReadingOptions> = {}, isWhole = true): ReadableText {
  const source = Buffer.from(message);
  const walker = new MimeWalker();
  walker.push(source);
  return readableText(source, walker.end(), isWhole, { ...PAGE, ...options });
}

export const html = (message: string): string => read(message).text;
export const plain = (message: string): string => read(message, { isPlain: true }).text;

/** A multipart of that type and parameters; each part is header lines, an empty line, text. */
export const multipart = (type: string, ...parts: string[]): string => {
  const boundary = `b${parts.length}-${type.replace(/\W/g, '')}`;
  return (
    `Content-Type: multipart/${type}; boundary="${boundary}"\n\n` +
    `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`
  );
};
export const part = (type: string, text: string, ...more: string[]): string =>
  [`Content-Type: ${type}`, ...more, '', text].join('\n');
export const PLAIN = part('text/plain', 'words');
export const HTML = part('text/html', '<p>page</p>');

// The text of a message for people: the best of its alternatives, as safe HTML or as plain text. Messages never change,
// so what was rendered once is kept for a while.

import type { RoomRef } from '../client/goto.ts';
import type { Identity } from '../client/identity.ts';
import { type MessageHead, withRfc822 } from '../client/messages.ts';
import { MAX_RENDERED_SOURCE_BYTES, MAX_RENDERED_TEXT_BYTES } from '../limits.ts';
import { decodeText } from '../mime/charset.ts';
import { htmlToText } from '../mime/html-text.ts';
import { sanitise } from '../mime/sanitise.ts';
import { textToHtml, unflow, variformatToText } from '../mime/text-html.ts';
import { decoderFor } from '../mime/transfer.ts';
import { type MimePart, MimeWalker } from '../mime/walk.ts';
import type { App } from './app.ts';

export interface Wanted {
  isPlain: boolean;
  isRemoteLoaded: boolean;
  /** address of a part, by number or Content-ID */
  partUrl(part: string): string;
}

export async function readText(
  app: App,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  head: MessageHead,
  wanted: Wanted,
): Promise<string> {
  const view = `${wanted.isPlain ? 'plain' : 'html'}${wanted.isRemoteLoaded ? ' remote' : ''}`;
  // the id, because another room server may have given the number to another message
  const key = `${head.entered.name}\0${msgnum}\0${head.fields.get('msgn')}\0${view}`;
  const known = app.renderedTexts.get(key);
  if (known !== undefined) return known;
  const source = await withRfc822(app.pool, identity, room, msgnum, firstBytes);
  const text = render(source, head.fields.get('type') ?? '', wanted);
  if (text.length <= MAX_CACHED_TEXT) app.renderedTexts.set(key, text);
  return text;
}

const MAX_CACHED_TEXT = 16 * 1024;

/** Text stands before attachments in practice: what lies behind the bound is not looked at. */
async function firstBytes(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_RENDERED_SOURCE_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function render(source: Buffer, format: string, wanted: Wanted): string {
  const walker = new MimeWalker();
  walker.push(source);
  const root = walker.end();
  if (format === '0' || format === '1') {
    const text = lines(decodeText(source.subarray(root.start, root.end), 'utf-8'));
    return fromText(format === '0' ? variformatToText(text) : text, wanted);
  }
  return chosenLeaves(root, wanted.isPlain)
    .map((leaf) => renderLeaf(source, leaf, wanted))
    .join(wanted.isPlain ? '\n' : '');
}

function renderLeaf(source: Buffer, leaf: MimePart, wanted: Wanted): string {
  const text = lines(textOf(source, leaf));
  if (leaf.type === 'text/html') {
    if (wanted.isPlain) return htmlToText(text, 78);
    return sanitise(text, { remote: wanted.isRemoteLoaded, partUrl: wanted.partUrl }).html;
  }
  const isFlowed = leaf.params.format?.toLowerCase() === 'flowed';
  return fromText(isFlowed ? unflow(text, leaf.params.delsp?.toLowerCase() === 'yes') : text, wanted);
}

function fromText(text: string, wanted: Wanted): string {
  return wanted.isPlain ? text : textToHtml(text);
}

function textOf(source: Buffer, leaf: MimePart): string {
  const coder = decoderFor(leaf.encoding);
  const encoded = source.subarray(leaf.start, leaf.end);
  const bytes = coder ? Buffer.concat([coder.push(encoded), coder.end()]) : encoded;
  return decodeText(bytes.subarray(0, MAX_RENDERED_TEXT_BYTES), leaf.charset);
}

function lines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The parts that make up what is to be read: of alternatives one, of a mixture all text that is no attachment. */
function chosenLeaves(part: MimePart, isPlain: boolean): MimePart[] {
  if (part.type === 'message/rfc822' || part.disposition === 'attachment') return [];
  if (part.children.length > 0) {
    const perChild = part.children.map((child) => chosenLeaves(child, isPlain));
    if (part.type === 'multipart/related') return perChild[0] ?? [];
    if (part.type !== 'multipart/alternative') return perChild.flat();
    const readable = perChild.filter((leaves) => leaves.length > 0);
    const preferred = isPlain ? 'text/plain' : 'text/html';
    return readable.find((leaves) => leaves.some((leaf) => leaf.type === preferred)) ?? readable.at(-1) ?? [];
  }
  const isText = part.type === '' || part.type === 'text/plain' || part.type === 'text/html';
  return isText && part.filename === '' ? [part] : part.type.startsWith('text/') && part.number === '1' ? [part] : [];
}

// Which parts of a message make up its readable text (RFC 2046 section 5.1): of alternatives the best, of a signed or
// related multipart the main one, of a mixture all text that is no attachment.

import { isCalendar, isCard } from './objects/object-text.ts';
import { isLeaf, isMessage, type MimePart } from './part.ts';

/** In reading order. A message among them stands for its head: what is to be read of its content follows. */
export function chosenParts(root: MimePart, isPlain: boolean): MimePart[] {
  if (isLeaf(root)) return isReadable(root, true) ? [root] : [];
  return isMessage(root) ? withHead(root, isPlain) : chosenOf(root, isPlain);
}

function chosenOf(part: MimePart, isPlain: boolean): MimePart[] {
  if (part.disposition === 'attachment' || isMessage(part)) return [];
  if (isLeaf(part)) return isReadable(part, false) ? [part] : [];
  switch (part.type) {
    case 'multipart/alternative':
      return bestOf(
        part.children.map((child) => chosenOf(child, isPlain)),
        isPlain,
      );
    case 'multipart/related':
      return chosenOfRelated(part, isPlain);
    case 'multipart/signed': // RFC 1847: the other part is the signature
    case 'multipart/report': // RFC 6522: the others are for programs
      return chosenOf(part.children[0]!, isPlain);
    case 'multipart/digest':
      return part.children.flatMap((child) => (isMessage(child) ? withHead(child, isPlain) : chosenOf(child, isPlain)));
    default:
      return part.children.flatMap((child) => chosenOf(child, isPlain));
  }
}

function withHead(message: MimePart, isPlain: boolean): MimePart[] {
  return [message, ...message.children.flatMap((child) => chosenParts(child, isPlain))];
}

/** The root, RFC 2387 section 3.2; where it holds nothing to read (a picture put first), the first one that does. */
function chosenOfRelated({ params, children }: MimePart, isPlain: boolean): MimePart[] {
  const id = params.start?.replace(/^<|>$/g, '');
  const root = children.find((child) => id !== undefined && child.contentId === id) ?? children[0]!;
  // each once: nested ones that hold nothing would be looked through twice as often a level
  for (const part of new Set([root, ...children])) {
    const chosen = chosenOf(part, isPlain);
    if (chosen.length > 0) return chosen;
  }
  return [];
}

/** Of those that suit best the last, which the sender holds for the most faithful. */
function bestOf(alternatives: readonly MimePart[][], isPlain: boolean): MimePart[] {
  let best: MimePart[] = [];
  let bestRank = 0;
  for (const parts of alternatives) {
    const rank = Math.max(0, ...parts.map((part) => rankOf(part, isPlain)));
    if (rank >= bestRank && rank > 0) [best, bestRank] = [parts, rank];
  }
  return best;
}

/** What the sender wrote for people is better than what is made of an event. */
function rankOf({ type }: MimePart, isPlain: boolean): number {
  if (isCalendar(type) || isCard(type)) return 1;
  return (type === 'text/html') === isPlain ? 2 : 3;
}

function isReadable(part: MimePart, isAlone: boolean): boolean {
  const { type, disposition, filename } = part;
  if (part.decodedLength === 0) return false;
  // a multipart that cannot be taken apart: nothing of it may get lost
  if (type.startsWith('multipart/')) return true;
  if (isAlone) return type === '' || type.startsWith('text/');
  if (filename !== '' && disposition !== 'inline') return false;
  const isKnown = ['', 'text/plain', 'text/html', 'text/x-citadel-variformat'].includes(type);
  return isKnown || isCalendar(type) || isCard(type) || (type.startsWith('text/') && part.number === '1');
}

// Parts of a message by number, including those of an attached message that was encoded as a whole: the room server
// does not look inside base64. Streamed, at any size.

import { AppError } from '../errors.ts';
import type { OpenedMessage } from '../gateway/message/open-message.ts';
import { decoderFor, transform } from '../mime/coding/transfer.ts';
import { isMessageType } from '../mime/message-facts.ts';
import { isLeaf, type MimePart } from '../mime/part.ts';
import { numberParts } from '../mime/part-list.ts';
import { MimeWalker } from '../mime/walk.ts';
import type { PartRow } from '../model.ts';
import { innerPrefix } from '../render/message.ts';
import { type MessagePart, withPart } from '../room-server/message-content.ts';
import { slice } from '../system/bytes.ts';

export interface OpenPart extends MessagePart {
  bytes: AsyncIterable<Buffer>;
  /** if it is a message: its parts can be fetched by number */
  canLookInside: boolean;
}

/** Streams a part to `use`, which must consume `bytes` before it returns. Throws not_found. */
export async function withAnyPart<T>(
  message: OpenedMessage,
  partnum: string,
  use: (part: OpenPart) => Promise<T>,
): Promise<T> {
  const { app, caller, room, msgnum, head } = message;
  const { identity } = caller;
  const outer = packedAround(head.parts, partnum);
  if (outer === undefined) {
    return withPart(app.pool, identity, room, msgnum, partnum, (part) => use({ ...part, canLookInside: true }));
  }
  const inner = await withPart(app.pool, identity, room, msgnum, outer, ({ bytes }) => find(bytes, outer, partnum));
  if (!inner) throw new AppError('not_found', 'No such part.');
  return withPart(app.pool, identity, room, msgnum, outer, ({ bytes }) =>
    use({
      length: inner.decodedLength,
      filename: inner.filename || inner.name,
      contentType: inner.type,
      charset: inner.charset,
      bytes: transform(slice(bytes, inner.start, inner.end), decoderFor(inner.encoding)),
      canLookInside: !isLeaf(inner),
    }),
  );
}

/** The number of the message around the part, if the server lists nothing inside it. */
function packedAround(rows: readonly PartRow[], partnum: string): string | undefined {
  const around = rows.filter((row) => partnum === row.partnum || partnum.startsWith(`${row.partnum}.`));
  const outer = around.reduce((longest, { partnum }) => (partnum.length > longest.length ? partnum : longest), '');
  const type = around.find((row) => row.partnum === outer)?.contentType ?? '';
  const isPacked = outer !== partnum && isMessageType(type);
  return isPacked && !rows.some((row) => row.partnum.startsWith(`${outer}.`)) ? outer : undefined;
}

async function find(bytes: AsyncIterable<Buffer>, outer: string, partnum: string): Promise<MimePart | undefined> {
  const walker = new MimeWalker();
  for await (const chunk of bytes) walker.push(chunk);
  const root = walker.end();
  const prefix = innerPrefix(outer, root);
  return numberParts(root, []).find(({ number }) => `${prefix}${number}` === partnum)?.part;
}

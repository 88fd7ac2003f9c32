// Parts of a message by number, including those of an attached message that was encoded as a whole: the room server
// does not look inside base64. Streamed, at any size.

import { AppError } from '../errors.ts';
import type { OpenedMessage } from '../gateway/message/open-message.ts';
import { MAX_UNPACKED_BYTES } from '../limits/mime.ts';
import { decoderFor, transform } from '../mime/coding/transfer.ts';
import { isMessageType } from '../mime/message-facts.ts';
import { contentOf, isLeaf, isMessage, type MimePart, namedFile } from '../mime/part.ts';
import { numberParts } from '../mime/part-list.ts';
import { unpack, unpackParts } from '../mime/unpack.ts';
import { MimeWalker, walk } from '../mime/walk.ts';
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
  if (!isMessageType(outer.contentType)) return withUnpacked(message, outer, partnum, use);
  const inner = await withPart(app.pool, identity, room, msgnum, outer.partnum, ({ bytes }) =>
    find(bytes, outer.partnum, partnum),
  );
  if (!inner) return withUnpacked(message, outer, partnum, use);
  return withPart(app.pool, identity, room, msgnum, outer.partnum, ({ bytes }) =>
    use({
      length: inner.decodedLength,
      filename: namedFile(inner),
      contentType: inner.type,
      charset: inner.charset,
      bytes: transform(slice(bytes, inner.start, inner.end), decoderFor(inner.encoding)),
      canLookInside: !isLeaf(inner) || isMessageType(inner.type),
    }),
  );
}

/** A part of what unpack.ts finds in another part. */
async function withUnpacked<T>(
  { app, caller, room, msgnum }: OpenedMessage,
  outer: PartRow,
  partnum: string,
  use: (part: OpenPart) => Promise<T>,
): Promise<T> {
  const found = await withPart(app.pool, caller.identity, room, msgnum, outer.partnum, async (whole) => {
    if (whole.length > MAX_UNPACKED_BYTES) return undefined;
    const { contentType: type, charset } = whole;
    const content = Buffer.concat(await Array.fromAsync(whole.bytes));
    const entity = unpack({ type, name: outer.name || outer.filename, charset }, content);
    const root = entity && walk(entity);
    return root && { entity: unpackParts(entity, root), part: partIn(root, outer.partnum, partnum) };
  });
  if (!found?.part) throw new AppError('not_found', 'No such part.');
  const { part } = found;
  const content = contentOf(found.entity, part);
  const { type: contentType, charset } = part;
  const filename = namedFile(part);
  const bytes = (async function* () {
    yield content;
  })();
  return use({ length: content.length, filename, contentType, charset, bytes, canLookInside: !isLeaf(part) });
}

/** The number of the part around it, if the server lists nothing inside that one. */
function packedAround(rows: readonly PartRow[], partnum: string): PartRow | undefined {
  const around = rows.filter((row) => row.partnum !== '' && partnum.startsWith(`${row.partnum}.`));
  const outer = around.reduce<PartRow | undefined>(
    (longest, row) => (longest && longest.partnum.length > row.partnum.length ? longest : row),
    undefined,
  );
  return outer && !rows.some((row) => row.partnum.startsWith(`${outer.partnum}.`)) ? outer : undefined;
}

async function find(bytes: AsyncIterable<Buffer>, outer: string, partnum: string): Promise<MimePart | undefined> {
  const walker = new MimeWalker();
  for await (const chunk of bytes) walker.push(chunk);
  return partIn(walker.end(), outer, partnum);
}

function partIn(root: MimePart, outer: string, partnum: string): MimePart | undefined {
  const prefix = innerPrefix(outer, root);
  const found = numberParts(root, []).find(({ number }) => `${prefix}${number}` === partnum)?.part;
  return found && (isLeaf(found) || isMessage(found)) ? found : undefined;
}

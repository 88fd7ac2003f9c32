// Uploads: files that a caller sends to attach them to a message later (paths below `p`).

import { AppError } from '../errors.ts';
import type { UploadRecord } from '../fleet/uploads.ts';
import type { App } from '../gateway/app.ts';
import { ownerOf, userOf } from '../gateway/caller.ts';
import { type OpenedMessage, withNamed } from '../gateway/message/open-message.ts';
import { FOREIGN_CONTENT, foreignType } from '../gateway/message/representation.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { bodyStream } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseMultipart } from '../http/multipart.ts';
import { sendRepresentation } from '../http/representation.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import { MAX_FILE_NAME_BYTES } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { formatContentDisposition, isMediaType, parseParameters } from '../mime/headers.ts';
import { fileNameOf, filesAmong } from '../mime/message-facts.ts';
import { storePieces } from '../system/file-pieces.ts';
import { asksForRfc822, withFile } from './messages.ts';
import { withAnyPart } from './packed-parts.ts';
import { partsOfMessage } from './rendered-message.ts';

const EML = '.eml';

/** POST p: multipart/form-data with any number of files, or any other body as one file → 201 and their records. */
export async function postUploads(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const owner = await ownerOf(app, caller);
  const contentType = exchange.header('content-type') ?? '';
  const body = bodyStream(exchange, app.maxBodyBytes);
  const records = await allOrNone(app, owner, async (keep) => {
    if (!/^multipart\/form-data\b/i.test(contentType)) {
      const record = { uploadfilename: cleanFileName(nameOf(exchange)), contenttype: mediaType(contentType) };
      await keep(record, body);
      return;
    }
    for await (const part of parseMultipart(body, contentType)) {
      if (part.filename === undefined) continue; // an ordinary form field
      const record = { uploadfilename: cleanFileName(part.filename), contenttype: mediaType(part.contentType) };
      await keep(record, part.body);
    }
  });
  if (records.length === 0) throw new AppError('bad_request', 'The request contains no file.');
  await send(exchange, 201, asJson(records));
}

type Keep = (record: { uploadfilename: string; contenttype: string }, bytes: AsyncIterable<Buffer>) => Promise<void>;

/** A refused or broken request leaves nothing behind. */
async function allOrNone(app: App, owner: string, fill: (keep: Keep) => Promise<void>): Promise<UploadRecord[]> {
  const records: UploadRecord[] = [];
  try {
    await fill(async (record, bytes) => {
      records.push(await app.fleet.uploads.add(owner, record, (path, maxBytes) => writeUpload(path, bytes, maxBytes)));
    });
    return records;
  } catch (error) {
    for (const { ref } of records) await app.fleet.uploads.remove(owner, ref);
    throw error;
  }
}

/** Returns the number of bytes written. Throws too_large. */
async function writeUpload(path: string, bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<number> {
  let size = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw new AppError('too_large', 'The upload is too large.');
      yield chunk;
    }
  }
  return storePieces(path, counted());
}

function nameOf(exchange: Exchange): string {
  const disposition = parseParameters(exchange.header('content-disposition') ?? '').params.get('filename');
  return disposition ?? exchange.query.get('filename') ?? '';
}

/** No path, no control characters, not empty. */
export function cleanFileName(name: string, maxBytes = MAX_FILE_NAME_BYTES): string {
  const base = name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  const clean = Buffer.from(base === '' || base === '.' || base === '..' ? 'file' : base);
  // without a character that the cut would split
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(clean.subarray(0, maxBytes), { stream: true });
}

function mediaType(text: string): string {
  return isMediaType(parseParameters(text).value) && !/[^ -~]/.test(text) ? text : 'application/octet-stream';
}

/** GET p/:id */
export async function getUpload(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const upload = await app.fleet.uploads.get(await ownerOf(app, caller), exchange.params.id!);
  if (!upload) throw noSuchUpload();
  await sendRepresentation(exchange, {
    contentType: foreignType(exchange, upload.contenttype),
    size: upload.contentlength,
    etag: `"${upload.ref}"`,
    lastModified: upload.createdSeconds,
    headers: {
      ...FOREIGN_CONTENT,
      'Content-Disposition': formatContentDisposition('attachment', upload.uploadfilename),
    },
    open: (start, end) => app.fleet.uploads.open(upload, start, (end ?? upload.contentlength) - 1),
  });
}

/** DELETE p/:id */
export async function deleteUpload(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const owner = await ownerOf(app, caller);
  if (!(await app.fleet.uploads.remove(owner, exchange.params.id!))) throw noSuchUpload();
  await sendEmpty(exchange, 204);
}

/** GET p/:room/:name: the attachments of a message, or for format=rfc822 itself, become uploads of the caller. */
export async function loadAttachments(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const owner = await ownerOf(app, context.caller);
  const isWhole = asksForRfc822(exchange);
  const records = await withNamed(context, exchange.params.name!, async (message) => {
    if (isWhole) {
      const record = { uploadfilename: fileNameOfMessage(message), contenttype: 'message/rfc822' };
      return allOrNone(app, owner, (keep) => withFile(message, (bytes) => keep(record, bytes)));
    }
    // pictures in the text count as files, so a new text loses none
    const files = filesAmong(await partsOfMessage(message), () => false);
    const taken = await allOrNone(app, owner, async (keep) => {
      for (const part of files) {
        const record = { uploadfilename: cleanFileName(fileNameOf(part)), contenttype: mediaType(part.type) };
        await withAnyPart(message, part.number, ({ bytes }) => keep(record, bytes));
      }
    });
    return taken.map((record, i) => ({ ...record, partnum: files[i]!.number }));
  });
  await send(exchange, 200, asJson(records));
}

/** Named after its subject. */
function fileNameOfMessage({ head }: OpenedMessage): string {
  const subject = decodeWords(head.fields.get('subj') ?? '').replace(/[\s/\\:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ');
  const name = subject.trim() === '' ? 'message' : cleanFileName(subject, MAX_FILE_NAME_BYTES - EML.length);
  return `${name}${EML}`;
}

function noSuchUpload(): AppError {
  return new AppError('not_found', 'No such upload.');
}

// Turns a job into JSON. Large messages are rendered in a thread (worker.ts), small ones on the main thread.

import { AppError } from '../errors.ts';
import { MAX_READING_BYTES } from '../limits/http.ts';
import { headerValue } from '../mime/headers.ts';
import type { RenderedMessage } from '../mime/readable.ts';
import { UNTYPED } from '../model.ts';
import { checkObject, type RenderJob } from './job.ts';
import { innerFields, readInner, readMessage, readParts } from './message.ts';

/** divisor of the source length for each retry; all retries together cost a third of the first attempt */
const SHRINK = 4;

/**
 * JSON in its own memory. If it would exceed `maxBytes`, only the beginning of the source is rendered. undefined: an
 * embedded message without header. Throws not_rendered.
 */
export function render(job: RenderJob, maxBytes = MAX_READING_BYTES): Buffer | undefined {
  for (let { source, isWhole } = job; ; isWhole = false) {
    const json = jsonOf({ ...job, source, isWhole });
    // UTF-8 has at least one byte per UTF-16 unit
    const size = json === undefined || json.length > maxBytes ? json?.length : Buffer.byteLength(json);
    if (json === undefined || size === undefined) return undefined;
    if (size <= maxBytes) {
      // a slice of Buffer's pool cannot be transferred
      const bytes = Buffer.allocUnsafeSlow(size);
      bytes.write(json);
      return bytes;
    }
    if (source.length < SHRINK) throw new AppError('not_rendered', 'This message has too many parts to list.');
    source = source.subarray(0, source.length / SHRINK);
  }
}

function jsonOf(job: RenderJob): string | undefined {
  if (job.kind === 'object') return JSON.stringify(checkObject(job));
  if (job.kind === 'parts') return JSON.stringify(readParts(job));
  if (job.kind === 'message') {
    const { parts, ...rest } = jsonFields(readMessage(job));
    const fields = job.path === undefined ? rest : { parts, ...rest };
    return job.fields ? JSON.stringify({ ...job.fields, ...fields }) : `,${JSON.stringify(fields).slice(1)}`;
  }
  if (job.kind === 'text') {
    const { text } = readMessage(job);
    return JSON.stringify(Buffer.byteLength(text) <= job.maxTextBytes ? { text } : {});
  }
  const inner = readInner(job);
  return (
    inner &&
    JSON.stringify({
      msgnum: job.msgnum,
      partnum: job.partnum,
      ...innerFields(inner.fields),
      content_type: headerValue(inner.fields, 'Content-Type') || UNTYPED,
      ...jsonFields(inner.rendered),
    })
  );
}

function jsonFields({ parts, hasBlockedRemote, isCut, text }: RenderedMessage) {
  return {
    parts: parts.map((part) => ({
      partnum: part.number,
      filename: part.name,
      disposition: part.disposition,
      content_type: part.type || UNTYPED,
      charset: part.charset,
      content_length: part.encodedLength,
      size: part.size,
      content_id: part.contentId,
    })),
    has_blocked_remote: hasBlockedRemote,
    is_cut: isCut,
    text,
  };
}

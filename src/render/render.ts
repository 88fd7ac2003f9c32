// From a job to the JSON that answers it. Pure. Slow for some messages: large ones are rendered in a thread
// (worker.ts), small ones where their request is.

import { AppError } from '../errors.ts';
import { MAX_READING_BYTES } from '../limits/render.ts';
import { headerValue } from '../mime/headers.ts';
import type { Reading } from '../mime/readable.ts';
import { UNTYPED } from '../model.ts';
import { innerFields, readInner } from './inner-message.ts';
import { checkObject, type RenderJob } from './job.ts';
import { readMessage, readParts } from './message.ts';

/** what of a source is tried next; all tries together cost a third more than the first */
const SHRINK = 4;

/**
 * JSON, in memory of its own. Of a message that would become more than `maxBytes` only the beginning is read, as of one
 * that is longer than what is read at all. undefined for an inner message that is none. Throws not_rendered.
 */
export function render(job: RenderJob, maxBytes = MAX_READING_BYTES): Buffer | undefined {
  for (let { source, isWhole } = job; ; isWhole = false) {
    const json = jsonOf({ ...job, source, isWhole });
    // UTF-8 has at least as many bytes as the text has units
    const size = json === undefined || json.length > maxBytes ? json?.length : Buffer.byteLength(json);
    if (json === undefined || size === undefined) return undefined;
    if (size <= maxBytes) {
      // a slice of the pool could not go to another thread, and holds all of it
      const bytes = Buffer.allocUnsafeSlow(size);
      bytes.write(json);
      return bytes;
    }
    if (source.length < SHRINK) throw new AppError('not_rendered', 'This message has too many parts to be listed.');
    source = source.subarray(0, source.length / SHRINK);
  }
}

function jsonOf(job: RenderJob): string | undefined {
  if (job.kind === 'object') return JSON.stringify(checkObject(job));
  if (job.kind === 'parts') return JSON.stringify(readParts(job));
  if (job.kind === 'message') {
    const { parts, ...rest } = readingFields(readMessage(job));
    const told = job.path === undefined ? rest : { parts, ...rest };
    return job.fields ? JSON.stringify({ ...job.fields, ...told }) : `,${JSON.stringify(told).slice(1)}`;
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
      ...readingFields(inner.reading),
    })
  );
}

function readingFields(reading: Reading) {
  return {
    parts: reading.parts.map((part) => ({
      partnum: part.number,
      filename: part.name,
      disposition: part.disposition,
      content_type: part.type || UNTYPED,
      charset: part.charset,
      content_length: part.encodedLength,
      size: part.size,
      content_id: part.contentId,
    })),
    has_blocked_remote: reading.hasBlockedRemote,
    is_cut: reading.isCut,
    text: reading.text,
  };
}

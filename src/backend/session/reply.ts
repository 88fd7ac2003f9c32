// Replies of verbs (protocol sections 3 and 4), the lines that they consist of, and transfers collected in memory.
// Longer transfers have their own sinks.

import { isUtf8 } from 'node:buffer';
import { BACKEND_HIGH_WATER_BYTES, BACKEND_TURN_MS } from '../../limits/backend.ts';
import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { STATUS } from '../../protocol/status.ts';

/** Whole reply lines, each with its LF: `'200 Ok\n'`, `'100 Known floors:\n0|Main Floor|3\n000\n'`. */
export type Lines = string;

/** A reply too large to hold: pulled while the socket takes it. Nothing else of the session runs meanwhile. */
export interface StreamReply {
  stream: Iterable<string | Buffer>;
}

/** A 4xx or 8xx reply and the sink of the lines that follow, up to `000`. */
export interface TextReply {
  reply: Lines;
  text: TextSink;
}

/** Takes a text that the client sends. */
export interface TextSink {
  /** More of the text, with LF line ends; a piece may begin and end anywhere. The bytes are only lent. */
  write(bytes: Buffer): void;
  /** The line `000` arrived. Returns what is still to be sent: `''` after 4xx, the listing after 8xx. */
  end(): Owed | Promise<Owed>;
  /** The connection ended first: drops what was received. */
  abort(): void;
}

/** What follows a text: the lines of a listing, without a status. */
export type Owed = Lines | StreamReply;

/** A 7xx reply and the sink of the bytes that follow. */
export interface BinaryReply {
  reply: Lines;
  length: number;
  bytes: BinarySink;
}

/** Takes bytes that the client sends. */
export interface BinarySink {
  write(bytes: Buffer): void;
  end(): Lines;
  abort(): void;
}

export type Reply = Lines | StreamReply | TextReply | BinaryReply;

/** Byte 4 of a reply: `*` if instant messages wait. Only NOOP, GOTO, GETR and RWHO set it. */
export type Flag = '*' | ' ';

/** The line that ends a listing. */
export const LISTING_END = '000\n';

/** `200 TEXT`: done; nothing follows. */
export function ok(text: string | number, flag: Flag = ' '): Lines {
  return statusLine(STATUS.done, text, flag);
}

/** `100 TITLE`, the rows, and the end. Each row has its LF; no line of theirs may be `000`. */
export function listing(title: string, rows: string | readonly string[], flag: Flag = ' '): Lines {
  return `${listingStart(title, flag)}${typeof rows === 'string' ? rows : rows.join('')}${LISTING_END}`;
}

/** `100 TITLE`: rows follow, and LISTING_END. */
export function listingStart(title: string, flag: Flag = ' '): Lines {
  return statusLine(STATUS.listing, title, flag);
}

/** `600 LENGTH|…`: exactly so many bytes follow. */
export function binaryStart(length: number, ...fields: readonly (string | number)[]): Lines {
  return statusLine(STATUS.binary, [length, ...fields].join('|'));
}

/** `512 Usage error`, of a refusal too. `code`: of STATUS. */
export function statusLine(code: number, text: string | number, flag: Flag = ' '): Lines {
  return `${code}${flag}${text}\n`;
}

/** rows formatted in one turn: each may stand for some thousand messages */
const PIECE_ROWS = 10;

/**
 * A listing from its head and its pieces: one string if it is small and quickly made, so that pipelined replies go out
 * in one write; else a stream.
 */
export function inPieces(head: string, pieces: Iterator<string>): Owed {
  const turnEnd = performance.now() + BACKEND_TURN_MS;
  let text = head;
  for (;;) {
    const next = pieces.next();
    if (next.done) return `${text}${LISTING_END}`;
    text += next.value;
    if (text.length > BACKEND_HIGH_WATER_BYTES || performance.now() >= turnEnd)
      return { stream: continued(text, pieces) };
  }
}

function* continued(text: string, pieces: Iterator<string>): Generator<string> {
  yield text;
  for (let next = pieces.next(); !next.done; next = pieces.next()) yield next.value;
  yield LISTING_END;
}

/** What `format` makes of some rows at a time. */
export function* piecesOf<Row>(
  rows: readonly Row[],
  format: (row: Row) => string,
  rowsEach = PIECE_ROWS,
): Generator<string> {
  for (let at = 0; at < rows.length; at += rowsEach) {
    yield rows
      .slice(at, at + rowsEach)
      .map(format)
      .join('');
  }
}

/** The content between two lines or texts. */
export function* framed(head: string, content: Iterable<Buffer>, end = ''): Generator<Buffer> {
  yield Buffer.from(head);
  yield* content;
  if (end !== '') yield Buffer.from(end);
}

/** A reply in one piece when its content is small, so that pipelined replies go out in one write; else a stream. */
export function whole(stream: Iterable<Buffer>, contentBytes: number): Reply {
  if (contentBytes > STREAM_CHUNK_BYTES) return { stream };
  const bytes = Buffer.concat([...stream]);
  return isUtf8(bytes) ? bytes.toString() : { stream: [bytes] };
}

const FIRST_BUFFER_BYTES = 4096;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * A sink for up to `maxBytes` of text. `done` gets it with LF line ends, or undefined if there was more: half a text
 * must not be stored, and after 4xx it can no longer be refused.
 */
export function collectText(maxBytes: number, done: (text: string | undefined) => Owed | Promise<Owed>): TextSink {
  // One buffer, because pieces may be of one byte each.
  let text = EMPTY;
  let size = 0;
  return {
    write(bytes) {
      const start = size;
      size += bytes.length;
      if (size > maxBytes) {
        text = EMPTY;
        return;
      }
      if (size > text.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(FIRST_BUFFER_BYTES, size * 2), maxBytes));
        text.copy(larger, 0, 0, start);
        text = larger;
      }
      bytes.copy(text, start);
    },
    end: () => done(size > maxBytes ? undefined : decodeWireText(text.subarray(0, size))),
    abort() {
      text = EMPTY;
    },
  };
}

/** `400 PROMPT`: the client sends lines, and no reply follows. `done` gets the text unless it is too long. */
export function takeText(prompt: string, maxBytes: number, done: (text: string) => void | Promise<void>): TextReply {
  const end = (text: string | undefined) => {
    const work = text === undefined ? undefined : done(text);
    return work instanceof Promise ? work.then(() => '') : '';
  };
  return { reply: statusLine(STATUS.sendText, prompt), text: collectText(maxBytes, end) };
}

/** `800 PROMPT`: the client sends lines, and a listing without a status line follows, as collectText. */
export function answerText(prompt: string, ...collect: Parameters<typeof collectText>): TextReply {
  return { reply: statusLine(STATUS.sendTextThenListing, prompt), text: collectText(...collect) };
}

/** Text of the wire: UTF-8 when it is, else every byte a character (ISO 8859-1). */
export function decodeWireText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** The reply `700 length`; `take` gets the bytes of a complete transfer. */
export function collected(length: number, take: (bytes: Buffer) => void): BinaryReply {
  let parts: Buffer[] = [];
  return {
    reply: statusLine(STATUS.sendBinary, length),
    length,
    bytes: {
      write: (bytes) => void parts.push(bytes),
      end: () => {
        take(Buffer.concat(parts));
        return '';
      },
      abort: () => {
        parts = [];
      },
    },
  };
}

// An incremental parser for RESP2 replies (redis.io, "Redis serialization protocol specification"). RESP2, because
// every version of Redis and Valkey supports it.

import {
  MAX_BULK_BYTES,
  MAX_REPLY_BYTES,
  MAX_REPLY_DEPTH,
  MAX_REPLY_ELEMENTS,
  MAX_REPLY_LINE_BYTES,
} from '../../limits/processes.ts';

/** Simple strings are strings, bulk strings Buffers, error replies ReplyErrors (as values, not thrown). */
export type RespReply = string | number | null | Buffer | ReplyError | RespReply[];

/** An error reply. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  /** the first word: `MOVED`, `NOSCRIPT`, `ERR` */
  readonly word: string;

  constructor(text: string) {
    super(text);
    this.word = text.split(' ', 1)[0]!;
  }
}

const LF = 10;
const CR = 13;
const INTEGER = /^-?\d{1,19}$/;
const LENGTH = /^(?:-1|\d{1,10})$/;

interface Open {
  items: RespReply[];
  wanted: number;
}

/** One per connection. */
export class ReplyReader {
  /** pieces of an unterminated line */
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** a bulk string with its CRLF, filled up to `filled` */
  #bulk: Buffer | undefined;
  #filled = 0;
  /** incomplete arrays, outermost first */
  readonly #open: Open[] = [];
  #elements = 0;
  #bytes = 0;

  /** Returns the replies completed by these bytes. Throws for malformed replies and above the bounds. */
  read(piece: Buffer): RespReply[] {
    const replies: RespReply[] = [];
    for (let at = 0; at < piece.length; ) {
      const before = at;
      at = this.#bulk ? this.#fill(piece, at, replies) : this.#readLine(piece, at, replies);
      this.#bytes += at - before;
      if (this.#bytes > MAX_REPLY_BYTES) throw new Error('reply too long');
      if (this.#open.length === 0 && !this.#bulk && this.#lineBytes === 0) this.#bytes = this.#elements = 0;
    }
    return replies;
  }

  #fill(piece: Buffer, at: number, replies: RespReply[]): number {
    const bulk = this.#bulk!;
    const copied = piece.copy(bulk, this.#filled, at);
    this.#filled += copied;
    if (this.#filled === bulk.length) {
      if (bulk[bulk.length - 2] !== CR || bulk[bulk.length - 1] !== LF) throw new Error('unterminated bulk string');
      this.#bulk = undefined;
      this.#put(bulk.subarray(0, -2), replies);
    }
    return at + copied;
  }

  #readLine(piece: Buffer, at: number, replies: RespReply[]): number {
    const found = piece.indexOf(LF, at);
    const end = found < 0 ? piece.length : found + 1;
    this.#lineBytes += end - at;
    if (this.#lineBytes > MAX_REPLY_LINE_BYTES) throw new Error('line too long');
    this.#line.push(piece.subarray(at, end));
    if (found < 0) return end;
    const line = this.#line.length === 1 ? this.#line[0]! : Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (line[line.length - 2] !== CR) throw new Error('unterminated line');
    this.#begin(String.fromCharCode(line[0]!), line.toString('utf8', 1, line.length - 2), replies);
    return end;
  }

  #begin(type: string, text: string, replies: RespReply[]): void {
    if (type === '+') this.#put(text, replies);
    else if (type === '-') this.#put(new ReplyError(text), replies);
    else if (type === ':' && INTEGER.test(text)) this.#put(Number(text), replies);
    else if ((type === '$' || type === '*') && LENGTH.test(text)) this.#beginLong(type, Number(text), replies);
    else throw new Error('malformed reply');
  }

  #beginLong(type: '$' | '*', length: number, replies: RespReply[]): void {
    if (length < 0) this.#put(null, replies);
    else if (type === '$') {
      if (length > MAX_BULK_BYTES) throw new Error('bulk string too long');
      this.#bulk = Buffer.allocUnsafeSlow(length + 2);
      this.#filled = 0;
    } else {
      this.#elements += length;
      if (this.#elements > MAX_REPLY_ELEMENTS) throw new Error('reply with too many elements');
      if (length === 0) this.#put([], replies);
      else if (this.#open.push({ items: [], wanted: length }) > MAX_REPLY_DEPTH)
        throw new Error('reply nested too deeply');
    }
  }

  /** Adds to the innermost open array, or to the result. */
  #put(reply: RespReply, replies: RespReply[]): void {
    for (let value = reply; ; ) {
      const last = this.#open.at(-1);
      if (!last) {
        replies.push(value);
        return;
      }
      last.items.push(value);
      if (last.items.length < last.wanted) return;
      this.#open.pop();
      value = last.items;
    }
  }
}

/** Encodes a command as an array of bulk strings. */
export function encodeCommand(words: readonly (string | number | Buffer)[]): Buffer {
  const pieces: Buffer[] = [];
  let text = `*${words.length}\r\n`;
  for (const word of words) {
    if (Buffer.isBuffer(word)) {
      pieces.push(Buffer.from(`${text}$${word.length}\r\n`), word);
      text = '\r\n';
    } else {
      const string = String(word);
      text += `$${Buffer.byteLength(string)}\r\n${string}\r\n`;
    }
  }
  pieces.push(Buffer.from(text));
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Text of a bulk or simple string; undefined otherwise. */
export function replyText(reply: RespReply | undefined): string | undefined {
  return typeof reply === 'string' ? reply : Buffer.isBuffer(reply) ? reply.toString() : undefined;
}

/** Items of an array; empty otherwise. */
export function replyItems(reply: RespReply | undefined): RespReply[] {
  return Array.isArray(reply) ? reply : [];
}

// What a verb of the embedded server is: a function from the session and the rest of the command line to a reply.
// session.ts runs them; verbs.ts is the table.

import type { Session } from './session.ts';

/** Whole reply lines, each with its LF: `'200 ok\n'`, `'100 Known floors:\n0|Main Floor|3\n000\n'`. */
export type Lines = string;

/** A reply too large to hold: pulled while the socket takes it. Nothing else of the session runs meanwhile. */
export interface StreamReply {
  stream: Iterable<string | Buffer>;
}

/** A 4xx or 8xx reply and who takes the lines that follow, up to `000`. */
export interface TextReply {
  reply: Lines;
  text: TextSink;
}

export interface TextSink {
  /** More of the text, with LF line ends; a piece may begin and end anywhere. The bytes are only lent. */
  write(bytes: Buffer): void;
  /** The line `000` came. The answer is what the verb still owes: `''` after 4xx, the listing after 8xx. */
  end(): Owed | Promise<Owed>;
  /** The connection died first: nothing may remain. */
  abort(): void;
}

/** What follows a text: the lines of a listing, without a status. */
export type Owed = Lines | StreamReply;

/** A 7xx reply and who takes the bytes that follow. */
export interface BinaryReply {
  reply: Lines;
  length: number;
  bytes: BinarySink;
}

export interface BinarySink {
  write(bytes: Buffer): void;
  end(): Lines;
  abort(): void;
}

export type Reply = Lines | StreamReply | TextReply | BinaryReply;

/** `args` is everything behind the fifth byte of the line. */
export type Verb = (session: Session, args: string) => Reply | Promise<Reply>;

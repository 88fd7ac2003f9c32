// What a room server sends behind the status line of a started command, pulled piece by piece: a listing (1xx) or bytes
// (6xx; protocol section 4).

import { MAX_DRAIN_BYTES, STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { ListingStream } from '../../protocol/framing.ts';
import type { ByteQueue } from '../../protocol/lines.ts';

/** What a transfer needs of its connection. */
export interface Receiving {
  /** The next piece that `read` takes; the socket rests while nobody pulls. */
  pull<T>(read: (queue: ByteQueue) => T | undefined): Promise<T>;
  isOver(): boolean;
  close(): void;
  /** Nothing more is owed. */
  finish(): void;
}

/** Raw bytes with their line ends, without the final `000`. A short rest is read away, a long one ends the connection. */
export async function* receivedListing({ pull, isOver, close, finish }: Receiving): AsyncGenerator<Buffer> {
  const stream = new ListingStream();
  const next = (queue: ByteQueue) => stream.read(queue);
  let isEnded = false;
  try {
    for (;;) {
      const piece = await pull(next);
      if (piece === 'end') {
        isEnded = true;
        return;
      }
      yield piece;
    }
  } finally {
    let drained = 0;
    while (!isEnded && !isOver()) {
      const piece = await pull(next).catch(() => 'end' as const);
      if (piece === 'end') isEnded = true;
      else if ((drained += piece.length) > MAX_DRAIN_BYTES) close();
    }
    finish();
  }
}

/** Exactly `length` bytes. The rest after an early stop as for a listing. */
export async function* receivedBytes(
  { pull, isOver, close, finish }: Receiving,
  length: number,
): AsyncGenerator<Buffer> {
  let left = length;
  const next = (queue: ByteQueue) => (queue.length === 0 ? undefined : queue.take(Math.min(left, STREAM_CHUNK_BYTES)));
  try {
    while (left > 0) {
      const piece = await pull(next);
      left -= piece.length;
      yield piece;
    }
  } finally {
    if (left > MAX_DRAIN_BYTES) close();
    while (left > 0 && !isOver()) {
      const piece = await pull(next).catch(() => undefined);
      left -= piece?.length ?? left;
    }
    finish();
  }
}

// The files of directory rooms as rows of chunks: written while they arrive, read at any offset.

import { BACKEND_CHUNK_BYTES, BACKEND_SWEEP_BYTES } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import { CONTENT_STATE } from './schema.ts';
import type { Store } from './store.ts';

/** A row of room_file. */
export interface RoomFile {
  id: number;
  room: number;
  name: string;
  type: string;
  comment: string;
  time: number;
  size: number;
}

const COLUMNS = 'id, room, name, type, comment, time, size';

/** The complete file of this name; case matters. */
export function fileNamed(store: Store, roomId: number, name: string): RoomFile | undefined {
  return store
    .prepare(`SELECT ${COLUMNS} FROM room_file WHERE room = ? AND name = ? AND complete = ${CONTENT_STATE.complete}`)
    .get(roomId, name) as RoomFile | undefined;
}

/** By name. */
export function filesOf(store: Store, roomId: number): RoomFile[] {
  return store
    .prepare(`SELECT ${COLUMNS} FROM room_file WHERE room = ? AND complete = ${CONTENT_STATE.complete} ORDER BY name`)
    .all(roomId) as unknown as RoomFile[];
}

/** Files of a room, including unfinished uploads. */
export function countFiles(store: Store, roomId: number): number {
  return Number(
    store
      .prepare(`SELECT count(*) AS n FROM room_file WHERE room = ? AND complete < ${CONTENT_STATE.removed}`)
      .get(roomId)!.n,
  );
}

/** Of all rooms. */
export function bytesOfFiles(store: Store): number {
  return Number(store.get`SELECT total(size) AS bytes FROM room_file`!.bytes);
}

/** At most `count` bytes from `offset`; fewer at the end. */
export function readFile(store: Store, fileId: number, offset: number, count: number): Buffer {
  const first = Math.floor(offset / BACKEND_CHUNK_BYTES);
  const last = Math.floor((offset + count - 1) / BACKEND_CHUNK_BYTES);
  const rows = store.all`SELECT data FROM room_file_chunk WHERE file = ${fileId} AND seq BETWEEN ${first} AND ${last}
    ORDER BY seq`;
  const bytes = Buffer.concat(rows.map((row) => row.data as Uint8Array));
  const start = offset - first * BACKEND_CHUNK_BYTES;
  return bytes.subarray(start, start + count);
}

/** Marks a large file for removal in pieces by maintenance/removal.ts; deletes a small one. */
export function removeFile(store: Store, fileId: number, size: number): void {
  store.transaction(() => {
    if (size <= BACKEND_SWEEP_BYTES) {
      store.run`DELETE FROM room_file WHERE id = ${fileId}`;
      return;
    }
    store.prepare(`UPDATE room_file SET complete = ${CONTENT_STATE.removed} WHERE id = ?`).run(fileId);
    store.noteGarbage();
  });
}

/** Moves a file to a room that has none of its name. */
export function moveFile(store: Store, fileId: number, roomId: number): void {
  store.transaction(() => store.run`UPDATE room_file SET room = ${roomId} WHERE id = ${fileId}`);
}

/** Removes uploads that the end of the server interrupted. */
export function dropUnfinishedFiles(store: Store): void {
  store.transaction(() => {
    const { changes } = store
      .prepare(`UPDATE room_file SET complete = ${CONTENT_STATE.removed} WHERE complete = ${CONTENT_STATE.arriving}`)
      .run();
    if (changes > 0) store.noteGarbage();
  });
}

/** One upload: append…, then finish or abort. The file is invisible before finish. */
export class FileWriter {
  readonly #store: Store;
  readonly id: number;
  #size = 0;
  #seq = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(store: Store, file: Pick<RoomFile, 'room' | 'name' | 'type' | 'comment'>) {
    this.#store = store;
    const { lastInsertRowid } = store.transaction(() =>
      store
        .prepare(
          `INSERT INTO room_file (room, name, type, comment, time, size, complete)
           VALUES (?, ?, ?, ?, ?, 0, ${CONTENT_STATE.arriving})`,
        )
        .run(file.room, file.name, file.type, file.comment, now()),
    );
    this.id = Number(lastInsertRowid);
  }

  get size(): number {
    return this.#size;
  }

  append(bytes: Buffer): void {
    this.#size += bytes.length;
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % BACKEND_CHUNK_BYTES);
    this.#store.transaction(() => {
      for (let at = 0; at < whole; at += BACKEND_CHUNK_BYTES) this.#write(all.subarray(at, at + BACKEND_CHUNK_BYTES));
    });
    this.#rest = all.subarray(whole);
  }

  /** Call it inside a transaction that has checked that the name is free. */
  finish(): void {
    if (this.#rest.length > 0) this.#write(this.#rest);
    this.#store
      .prepare(`UPDATE room_file SET size = ?, time = ?, complete = ${CONTENT_STATE.complete} WHERE id = ?`)
      .run(this.#size, now(), this.id);
  }

  abort(): void {
    removeFile(this.#store, this.id, this.#size);
  }

  #write(chunk: Buffer): void {
    this.#store.run`INSERT INTO room_file_chunk (file, seq, data) VALUES (${this.id}, ${this.#seq++}, ${chunk})`;
  }
}

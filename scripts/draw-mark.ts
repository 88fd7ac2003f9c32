// Draws static/mark-192.png and mark-512.png: the arched door on its green ground, as home screens show it (PNG, W3C).
// What matters lies within the middle four fifths, so that a screen may cut it to any shape. Run: node
// scripts/draw-mark.ts

import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const SIZES = [192, 512];
const GROUND = [0x0f, 0x6a, 0x5b] as const;
/** half the width of a stroke, on a field of 32 */
const HALF = 1.15;
/** samples of a pixel in each direction */
const FINE = 4;

for (const size of SIZES) {
  writeFileSync(new URL(`../static/mark-${size}.png`, import.meta.url), png(size));
}

/** Whether a point of the field of 32 is on the door: posts with an arch, the sill, the handle. */
function isDrawn(x: number, y: number): boolean {
  const fromLine = (x1: number, y1: number, x2: number, y2: number) => {
    const along = Math.max(
      0,
      Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / Math.hypot(x2 - x1, y2 - y1) ** 2),
    );
    return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
  };
  const arch = y < 14 ? Math.abs(Math.hypot(x - 16, y - 14) - 5) : Number.POSITIVE_INFINITY;
  const strokes = [arch, fromLine(11, 14, 11, 23), fromLine(21, 14, 21, 23), fromLine(8.5, 23, 23.5, 23)];
  return Math.min(...strokes) <= HALF || Math.hypot(x - 18.2, y - 18) <= HALF;
}

function png(size: number): Buffer {
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let drawn = 0;
      for (let i = 0; i < FINE * FINE; i++) {
        const [dx, dy] = [((i % FINE) + 0.5) / FINE, (Math.floor(i / FINE) + 0.5) / FINE];
        if (isDrawn(((x + dx) * 32) / size, ((y + dy) * 32) / size)) drawn++;
      }
      const part = drawn / FINE ** 2;
      const at = y * (1 + 3 * size) + 1 + 3 * x;
      for (const [i, value] of GROUND.entries()) rows[at + i] = Math.round(value + part * (255 - value));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2], 8); // bits of a channel, red green blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

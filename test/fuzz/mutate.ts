// New inputs out of old ones: bytes and pieces changed, left out, repeated, put together with those of another input,
// and words of the format put anywhere.

import type { Random } from '../support/random.ts';

const MAX_CHANGES = 6;
const MAX_PIECE_BYTES = 64;
const MAX_REPEATS = 40;
export const MAX_INPUT_BYTES = 64 * 1024;
/** bytes that end, quote, fold or hide something in most formats */
const SPECIAL = Buffer.from('\0\t\n\r "\'%&()*+,-./:;<=>?@[\\]^_`{|}~\x7f\x80\xc3\xa9\xe2\xf0\xff', 'latin1');

export function mutated(input: Buffer, other: Buffer, words: readonly string[], random: Random): Buffer {
  let bytes = input;
  for (let i = 1 + random(1 + random(MAX_CHANGES)); i > 0; i--) bytes = changed(bytes, other, words, random);
  return bytes.subarray(0, MAX_INPUT_BYTES);
}

function changed(bytes: Buffer, other: Buffer, words: readonly string[], random: Random): Buffer {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random(MAX_PIECE_BYTES));
  const replacedBy = (piece: Buffer, until = at) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(until)]);
  switch (random(9)) {
    case 0:
      return replacedBy(Buffer.of(random(256)), Math.min(bytes.length, at + 1));
    case 1:
      return replacedBy(SPECIAL.subarray(...oneOf(SPECIAL.length, random)), Math.min(bytes.length, at + random(2)));
    case 2:
      return replacedBy(Buffer.alloc(0), end);
    case 3: {
      const piece = bytes.subarray(at, end);
      const times = 1 + random(MAX_REPEATS);
      return replacedBy(Buffer.concat(Array.from({ length: times }, () => piece)));
    }
    case 4: {
      const from = random(other.length + 1);
      return replacedBy(other.subarray(from, from + 1 + random(4 * MAX_PIECE_BYTES)), random(2) === 0 ? at : end);
    }
    case 5:
      return withDigitsChanged(bytes, random);
    case 6:
      return withLinesSwapped(bytes, random);
    default:
      return replacedBy(Buffer.from(words[random(words.length)] ?? ''), random(3) === 0 ? end : at);
  }
}

function oneOf(length: number, random: Random): [number, number] {
  const at = random(length);
  return [at, at + 1];
}

const NUMBERS = ['0', '1', '-1', '255', '256', '65536', '2147483648', '9007199254740993', '1e9', '0x10', '00'];

/** A number somewhere in it becomes another one. */
function withDigitsChanged(bytes: Buffer, random: Random): Buffer {
  const runs = [...bytes.toString('latin1').matchAll(/\d+/g)];
  const run = runs[random(Math.max(1, runs.length))];
  if (!run) return bytes;
  const number = Buffer.from(NUMBERS[random(NUMBERS.length)]!);
  return Buffer.concat([bytes.subarray(0, run.index), number, bytes.subarray(run.index + run[0].length)]);
}

function withLinesSwapped(bytes: Buffer, random: Random): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const [a, b] = [random(lines.length), random(lines.length)];
  [lines[a], lines[b]] = [lines[b]!, lines[a]!];
  return Buffer.from(lines.join('\n'), 'latin1');
}

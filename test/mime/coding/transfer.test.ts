import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TEXT_LINE_BYTES } from '../../../src/limits/mime.ts';
import { base64Encoder, decoderFor, encoderFor, encodingName, transform } from '../../../src/mime/coding/transfer.ts';
import { cutUp, newSeed, randomBytes, randomFrom } from '../../support/random.ts';
import { runCoder } from './run-coder.ts';

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
const samples: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from('a'),
  'one NUL': Buffer.from([0]),
  'one LF': Buffer.from('\n'),
  'empty lines only': Buffer.from('\n\n\n\n'),
  'empty lines around': Buffer.from('\n\n\na\n\nb\n\n\n'),
  'all byte values': allBytes,
  'all byte values backwards': Buffer.from(allBytes).reverse(),
  'CR only': Buffer.from('\r'),
  CRs: Buffer.from('a\rb\r\r\rc\r'),
  CRLF: Buffer.from('one\r\ntwo\r\n\r\n'),
  'a line 000': Buffer.from('000\n'),
  'lines 000': Buffer.from('000\n000\r\n0000\n00\n0\n\n000\n 000\n000 \n000'),
  dots: Buffer.from('.\n..\n.\r\n.'),
  'blanks before line ends': Buffer.from('a \nb\t\n \n\t\n   \nc \t \n  '),
  'equals signs': Buffer.from('=\n==\n=3D\n=\r\n'),
  'no line end': Buffer.from('first\nlast'),
  'UTF-8': Buffer.from('Grüße, 日本語 😀\n'.repeat(20)),
  'a line of 75': Buffer.from(`${'x'.repeat(75)}\n`),
  'a line of 76': Buffer.from(`${'x'.repeat(76)}\n`),
  'a line of 75 and zeros': Buffer.from(`${'x'.repeat(75)}000\nx`),
  'zeros behind two soft breaks': Buffer.from(`${'x'.repeat(150)}000\n${'y'.repeat(74)} 000\n`),
  'a thousand zeros': Buffer.from(`${'0'.repeat(1000)}\n${'0'.repeat(78)}\n`),
};
const longLine = Buffer.alloc(1024 * 1024, 'abcdefghij =\xe9', 'latin1');

function assertPassesLineProtocol(encoded: Buffer, name: string): void {
  assert.equal(encoded.includes(0), false, name);
  assert.equal(encoded.includes(13), false, name);
  const lines = encoded.toString('latin1').split('\n');
  assert.equal(lines.pop(), '', `${name}: ends in LF`);
  assert.ok(!lines.includes('000'), `${name}: no line 000`);
  assert.ok(
    lines.every((line) => line.length <= 76 && /^[\t -~]*$/.test(line) && !/[ \t]$/.test(line)),
    `${name}: short printable lines`,
  );
  if (lines.length > 0) assert.ok(lines[0] !== '' && lines.at(-1) !== '', `${name}: no empty line at either end`);
}

describe('transfer encodings', () => {
  for (const encoding of ['base64', 'quoted-printable'] as const) {
    it(`gives back what went through ${encoding}, byte for byte, and passes the line protocol`, () => {
      for (const [name, bytes] of Object.entries({ ...samples, longLine })) {
        const encoded = runCoder(encoderFor(encoding), [bytes]);
        assertPassesLineProtocol(encoded, name);
        assert.ok(runCoder(decoderFor(encoding), [encoded]).equals(bytes), name);
      }
    });

    it(`does not depend on how a stream is cut in ${encoding}`, () => {
      for (const [name, bytes] of Object.entries(samples)) {
        const encoded = runCoder(encoderFor(encoding), [bytes]);
        assert.ok(runCoder(encoderFor(encoding), cutUp(bytes, randomFrom(1), 1)).equals(encoded), `${name}, encoding`);
        assert.ok(runCoder(decoderFor(encoding), cutUp(encoded, randomFrom(1), 1)).equals(bytes), `${name}, decoding`);
      }
    });

    it(`gives back random bytes through ${encoding}, cut at random`, () => {
      const seed = newSeed();
      const random = randomFrom(seed);
      const alphabets = ['0\n', '0\nx', ' \t\n0', 'x =\r\n', '\x00\xff\n'];
      for (let round = 0; round < 120; round++) {
        const alphabet = Buffer.from(alphabets[round % alphabets.length]!, 'latin1');
        const bytes =
          round % 6 === 5
            ? randomBytes(random, random(3000))
            : randomBytes(random, random(700)).map((byte) => alphabet[byte % alphabet.length]!);
        const original = Buffer.from(bytes);
        const encoded = runCoder(encoderFor(encoding), cutUp(original, random, 90));
        assertPassesLineProtocol(encoded, `seed ${seed} round ${round}`);
        const decoded = runCoder(decoderFor(encoding), cutUp(encoded, random, 90));
        assert.ok(decoded.equals(original), `seed ${seed} round ${round}`);
      }
    });
  }

  it('takes an encoding as it is meant, and any other word for none', () => {
    const meant: [name: string, encoded: string, fields: string[]][] = [
      ['base64', 'Q2F0', ['base64', 'BASE64', '"base64"', 'base64 (comment)', 'base64;', 'Base-64', 'x-base64']],
      [
        'quoted-printable',
        'C=61t',
        ['Quoted-Printable', 'quoted-printable;', 'quoted_printable', "'quoted-printable'"],
      ],
      ['x-uuencode', 'begin 644 a\n#0V%T\n`\nend\n', ['x-uuencode', 'uuencode', 'X-UUE', 'uue']],
      ['7bit', 'Cat', ['7bit', '7-bit', '7 bit', '7BITS']],
      ['8bit', 'Cat', ['8bit', '8-bit', '"8bit"', '8bit;']],
      ['binary', 'Cat', ['binary', 'none', 'utf-8', 'identity', '__proto__', 'x-unheard-of']],
      ['', 'Cat', ['', ' ', '(comment)']],
    ];
    for (const [name, encoded, fields] of meant)
      for (const field of fields) {
        assert.equal(encodingName(field), name, field);
        assert.equal(runCoder(decoderFor(field), [Buffer.from(encoded)]).toString(), 'Cat', field);
      }
  });

  it('decodes uuencoded lines and nothing around them, in pieces of any size', () => {
    const lines = '\r\nbegin 644 two words.bin\r\n%:&5L;&\\\r\n#(%1H\r\n`\r\nend\r\nbye\r\n';
    for (const size of [1, 7, 1000])
      assert.equal(
        runCoder(decoderFor('uuencode'), cutUp(Buffer.from(lines), randomFrom(size), size)).toString(),
        'hello Th',
      );
    assert.equal(runCoder(decoderFor('uuencode'), [Buffer.from('begin 644 a\n#0V%T')]).toString(), 'Cat');
    for (const text of ['hello\nbegin 644 a\n#0V%T\n', 'x'.repeat(2000), 'x', '\n'])
      for (const size of [1, 5000])
        assert.equal(
          runCoder(decoderFor('uuencode'), cutUp(Buffer.from(text), randomFrom(1), size))
            .toString()
            .trim(),
          text.trim(),
        );
    const long = (count: number) => Buffer.from(`begin 644 a\n#0V%T${' '.repeat(count - 5)}\n`);
    const inPieces = (bytes: Buffer) => runCoder(decoderFor('uuencode'), [bytes.subarray(0, -1), bytes.subarray(-1)]);
    assert.equal(inPieces(long(MAX_TEXT_LINE_BYTES)).toString(), 'Cat');
    assert.equal(inPieces(long(MAX_TEXT_LINE_BYTES + 1)).toString(), '');
  });

  it('passes a stream through a coder without empty chunks', async () => {
    async function* source() {
      for (const piece of ['a', 'bc', '']) yield Buffer.from(piece);
    }
    const chunks: string[] = [];
    for await (const chunk of transform(source(), base64Encoder())) chunks.push(chunk.toString());
    assert.deepEqual(chunks, ['YWJj\n']);
  });
});

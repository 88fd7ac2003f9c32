import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  base64Decoder,
  base64Encoder,
  type Coder,
  decoderFor,
  encoderFor,
  quotedPrintableDecoder,
  quotedPrintableEncoder,
  transform,
} from '../../../src/mime/coding/transfer.ts';
import { cutUp, newSeed, randomBytes, randomFrom } from '../../support/random.ts';

function run(coder: Coder, chunks: Buffer[]): Buffer {
  const coded = chunks.map((chunk) => Buffer.from(coder.push(chunk)));
  return Buffer.concat([...coded, coder.end()]);
}

const encodeQp = (text: string) => run(quotedPrintableEncoder(), [Buffer.from(text, 'latin1')]).toString('latin1');
const decodeQp = (text: string) => run(quotedPrintableDecoder(), [Buffer.from(text, 'latin1')]).toString('latin1');
const decode64 = (text: string) => run(base64Decoder(), [Buffer.from(text, 'latin1')]).toString('latin1');

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
        const encoded = run(encoderFor(encoding), [bytes]);
        assertPassesLineProtocol(encoded, name);
        assert.ok(run(decoderFor(encoding)!, [encoded]).equals(bytes), name);
      }
    });

    it(`does not depend on how a stream is cut in ${encoding}`, () => {
      for (const [name, bytes] of Object.entries(samples)) {
        const encoded = run(encoderFor(encoding), [bytes]);
        assert.ok(run(encoderFor(encoding), cutUp(bytes, randomFrom(1), 1)).equals(encoded), `${name}, encoding`);
        assert.ok(run(decoderFor(encoding)!, cutUp(encoded, randomFrom(1), 1)).equals(bytes), `${name}, decoding`);
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
        const encoded = run(encoderFor(encoding), cutUp(original, random, 90));
        assertPassesLineProtocol(encoded, `seed ${seed} round ${round}`);
        const decoded = run(decoderFor(encoding)!, cutUp(encoded, random, 90));
        assert.ok(decoded.equals(original), `seed ${seed} round ${round}`);
      }
    });
  }

  it('knows the encodings by name in any case and no other', () => {
    for (const name of ['', '7bit', '8BIT', 'Binary', 'BASE64', 'Quoted-Printable']) assert.ok(decoderFor(name), name);
    for (const name of ['x-uuencode', 'base-64', '__proto__']) assert.equal(decoderFor(name), undefined, name);
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

describe('quoted-printable', () => {
  it('leaves text readable', () => {
    assert.equal(encodeQp('Grüße = 1\n'), 'Gr=FC=DFe =3D 1\n');
    assert.equal(encodeQp('one\ntwo\n'), 'one\ntwo\n');
  });
  it('encodes what stands before a line end and would be lost', () => {
    assert.equal(encodeQp('a\r\n'), 'a=0D\n');
    assert.equal(encodeQp('a \nb\t\n'), 'a=20\nb=09\n');
  });
  it('encodes the first character of a line 000, also behind a soft break', () => {
    assert.equal(encodeQp('000\n'), '=3000\n');
    assert.equal(encodeQp(`${'x'.repeat(75)}000\n`), `${'x'.repeat(75)}=\n=3000\n`);
    assert.equal(encodeQp('0000\n00\n'), '0000\n00\n');
  });
  it('ends in a soft break where the text has no line end', () => {
    assert.equal(encodeQp('a'), 'a=\n');
    assert.equal(encodeQp('a '), 'a =\n');
  });
  it('protects the empty lines at either end', () => {
    assert.equal(encodeQp('\n\na\n'), '=0A=\n\na\n');
    assert.equal(encodeQp('a\n\n\n'), 'a\n\n=0A=\n');
    assert.equal(encodeQp('\n'), '=0A=\n');
  });
  it('breaks lines at 76 characters', () => {
    assert.equal(encodeQp(`${'x'.repeat(75)}\n`), `${'x'.repeat(75)}\n`);
    assert.equal(encodeQp(`${'x'.repeat(76)}\n`), `${'x'.repeat(75)}=\nx\n`);
  });
  it('reads soft breaks with blanks behind the equals sign, LF or CRLF, and at the very end', () => {
    assert.equal(decodeQp('a=\nb=\r\nc= \t\nd= \r\ne='), 'abcde');
    assert.equal(decodeQp('a=  '), 'a');
    assert.equal(decodeQp('a=\r'), 'a');
  });
  it('reads lower case digits and keeps what is no escape as it is', () => {
    assert.equal(decodeQp('=e9=E9'), '\xe9\xe9');
    assert.equal(decodeQp('=XY =4 =G0 == =\rx =4'), '=XY =4 =G0 == =\rx =4');
  });
  it('keeps line ends as they are', () => {
    assert.equal(decodeQp('a\nb\r\n\r\n'), 'a\nb\r\n\r\n');
  });
  it('does not hold more than a bounded run of blanks', () => {
    const blanks = ' '.repeat(76);
    assert.equal(decodeQp(`a=${blanks}\nb`), 'ab');
    assert.equal(decodeQp(`a=${blanks} \nb`), `a=${blanks} \nb`);
    const decoder = quotedPrintableDecoder();
    decoder.push(Buffer.from('='));
    assert.equal(decoder.push(Buffer.alloc(100_000, ' ')).length, 100_001);
  });
});

describe('base64', () => {
  it('writes lines of 76 characters', () => {
    const lines = run(base64Encoder(), [Buffer.alloc(58)])
      .toString()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => line.length),
      [76, 4, 0],
    );
  });
  it('ignores white space and rubbish, and stops at the padding', () => {
    assert.equal(decode64(' Y\r\nW!\0-_J\tj\xff'), 'abc');
    assert.equal(decode64('YQ==YWJj'), 'a');
    assert.equal(decode64('YQ=\n=\nYWJj'), 'a');
  });
  it('takes nothing behind the padding from a later chunk', () => {
    assert.equal(run(base64Decoder(), [Buffer.from('YQ=='), Buffer.from('YWJj')]).toString(), 'a');
  });
  it('tolerates missing padding and drops a lonely last character', () => {
    assert.equal(decode64('YQ'), 'a');
    assert.equal(decode64('YWI'), 'ab');
    assert.equal(decode64('YWJjY'), 'abc');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_DELIMITER_LINE_BYTES,
  MAX_MIME_DEPTH,
  MAX_MIME_HEADER_BYTES,
  MAX_MIME_PARTS,
  MAX_STRAY_HEADER_BYTES,
} from '../../src/limits/mime.ts';
import { type MimePart, MimeWalker } from '../../src/mime/walk.ts';
import { cutUp, newSeed, randomFrom, waysToCut } from '../support/random.ts';
import { MIXED, NESTED } from '../support/sample-messages.ts';

function walk(...chunks: (Buffer | string)[]): MimePart {
  const walker = new MimeWalker();
  for (const chunk of chunks) walker.push(Buffer.from(chunk as string));
  return walker.end();
}

/** one row a part: number, type, encoded and decoded length */
function rows(part: MimePart): string[] {
  const row = `${part.number} ${part.type} ${part.encodedLength} ${part.decodedLength}`;
  return [row, ...part.children.flatMap(rows)];
}

/** number and content of the leaves */
function leaves(body: string, part = walk(body)): string[] {
  if (part.children.length > 0) return part.children.flatMap((child) => leaves(body, child));
  return [`${part.number}:${Buffer.from(body).toString('utf8', part.start, part.end)}`];
}

describe('a line that is no header field', () => {
  it('is skipped where a field begins in the MAX_STRAY_HEADER_BYTES behind it', () => {
    const typeBehind = (bytes: number) => {
      const rubbish = `${'rubbish '.repeat(bytes / 8).slice(0, bytes - 1)}\n`;
      return walk(`Subject: x\nno field\n${rubbish}Content-Type: text/html\n\n<p>x</p>\n`).type;
    };
    assert.deepEqual([MAX_STRAY_HEADER_BYTES - 8, MAX_STRAY_HEADER_BYTES].map(typeBehind), ['text/html', '']);
  });
});

describe('MimeWalker', () => {
  it('numbers and measures the parts of a multipart as the room server does', () => {
    const root = walk(MIXED);
    assert.deepEqual(rows(root).slice(1), ['1 text/plain 16 16', '2 image/png 97 70', '3 text/plain 15 15']);
    assert.deepEqual([root.number, root.type, root.params], ['', 'multipart/mixed', { boundary: 'outer' }]);
    const [text, image] = root.children as [MimePart, MimePart];
    assert.equal(text.charset, 'utf-8');
    assert.deepEqual(image, {
      number: '2',
      type: 'image/png',
      params: { name: 'dot.png' },
      charset: '',
      name: 'dot.png',
      filename: 'dot.png',
      disposition: 'attachment',
      contentId: 'dot@example',
      encoding: 'base64',
      headerStart: MIXED.indexOf('Content-type: image'),
      start: MIXED.indexOf('iVBORw0'),
      end: MIXED.indexOf('iVBORw0') + 97,
      encodedLength: 97,
      decodedLength: 70,
      children: [],
    });
    assert.equal(MIXED.slice(root.start, root.start + 13), 'This preamble');
    assert.equal(root.end, MIXED.length);
  });

  it('numbers and measures nested multiparts and messages as the room server does', () => {
    const root = walk(NESTED);
    assert.deepEqual(
      rows(root).filter((row) => !row.includes('multipart')),
      [
        '1.1.1 text/plain 10 10',
        '1.1.2 text/html 37 37',
        '1.2 image/png 97 70',
        '2 message/rfc822 345 345',
        '2.1.1 text/plain 10 10',
        '2.1.2 application/pdf 8 5',
        '3 text/x-log 18 18',
      ],
    );
    assert.deepEqual(
      rows(root)
        .filter((row) => row.includes('multipart'))
        .map((row) => row.split(' ').slice(0, 2).join(' ')),
      [' multipart/mixed', '1 multipart/related', '1.1 multipart/alternative', '2.1 multipart/mixed'],
    );
    const inner = root.children[1]!.children[0]!;
    assert.equal(NESTED.slice(inner.headerStart, inner.headerStart + 11), 'From: Other');
  });

  it('finds the same tree however the body is cut', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    for (const body of [MIXED, NESTED, MIXED.replaceAll('\n', '\r\n'), NESTED.replaceAll('\n', '\r\n')]) {
      const whole = walk(body);
      for (const chunks of waysToCut(Buffer.from(body), seed)) {
        assert.deepEqual(walk(...chunks), whole, `seed ${seed}`);
      }
      // the reader's buffer is used again for each chunk
      const walker = new MimeWalker();
      const buffer = Buffer.alloc(50);
      for (const chunk of cutUp(Buffer.from(body), random, 50)) {
        buffer.set(chunk);
        walker.push(buffer.subarray(0, chunk.length));
      }
      assert.deepEqual(walker.end(), whole, `seed ${seed}`);
    }
  });

  it('finds the same leaves with CRLF line ends as with LF', () => {
    const crlf = MIXED.replaceAll('\n', '\r\n');
    assert.deepEqual(
      leaves(crlf),
      leaves(MIXED).map((leaf) => leaf.replaceAll('\n', '\r\n')),
    );
    assert.equal(walk(crlf).children[1]!.decodedLength, 70);
  });

  it('gives a simple message the number 1 and all of the body', () => {
    const part = walk('Content-type: text/plain; charset=utf-8\n\nGrüße\n--x\n\n');
    assert.deepEqual([part.number, part.type, part.decodedLength], ['1', 'text/plain', 13]);
    assert.deepEqual(rows(walk('Content-Transfer-Encoding: Quoted-Printable\n\n=C3=BC=\n')), ['1  8 2']);
    assert.deepEqual(rows(walk('Content-Transfer-Encoding: x-unheard-of\n\nabc\n\n')), ['1  5 5']);
  });

  it('takes a body without header, and one without text', () => {
    assert.deepEqual(leaves('just text\nmore: text\n'), ['1:just text\nmore: text\n']);
    assert.deepEqual(leaves(' indented\n'), ['1: indented\n']);
    assert.deepEqual(leaves('\ntext'), ['1:text']);
    assert.deepEqual(leaves('A: 1\nB: 2'), ['1:']);
    assert.deepEqual(leaves(''), ['1:']);
  });

  const multipart = (body: string, boundary = 'b') =>
    `Content-Type: multipart/mixed; boundary="${boundary}"\n\n${body}`;

  it('counts parts without header, tiny and empty parts, and an unclosed last part', () => {
    assert.deepEqual(leaves(multipart('--b\n\nno header\n--b\n\nx\n--b\n\n\n--b\n--b\nA: 1\n--b\n\nlast\n')), [
      '1:no header',
      '2:x',
      '3:',
      '4:',
      '5:',
      '6:last\n',
    ]);
    assert.deepEqual(leaves(multipart('--b\ntext at once\n--b--')), ['1:text at once']);
  });

  it('knows a delimiter at the very end, and with blanks behind it', () => {
    assert.deepEqual(leaves(multipart('--b\n\none\n--b \t\n\ntwo\n--b--')), ['1:one', '2:two']);
    assert.deepEqual(leaves(multipart('--b\n\none\n--b-- ')), ['1:one']);
    assert.deepEqual(leaves(multipart('--b\n\none\n--b')), ['1:one', '2:']);
  });

  it('holds a delimiter line back up to its bound', () => {
    const withBlanks = (length: number) =>
      leaves(multipart(`--b\n\none\n--b${' '.repeat(length - 4)}\n\ntwo\n--b--`)).length;
    assert.equal(withBlanks(MAX_DELIMITER_LINE_BYTES), 2);
    assert.equal(withBlanks(MAX_DELIMITER_LINE_BYTES + 1), 1);
  });

  it('does not take a line for a delimiter that only begins like one', () => {
    assert.deepEqual(leaves(multipart('--b\n\n--bb\n--b-\n--b---\n --b\n-b\n--B\nx--b\n--b--\n')), [
      '1:--bb\n--b-\n--b---\n --b\n-b\n--B\nx--b',
    ]);
  });

  it('tells boundaries apart when one is the beginning of the other', () => {
    const inner = 'Content-Type: multipart/mixed; boundary=bb\n\n--bb\n\ninner\n--bb--\n';
    assert.deepEqual(leaves(multipart(`--b\n${inner}--b\n\nouter\n--b--\n`)), ['1.1:inner', '2:outer']);
    const reversed = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\ninner\n--b--\n';
    assert.deepEqual(leaves(multipart(`--bb\n${reversed}--bb\n\nouter\n--bb--\n`, 'bb')), ['1.1:inner', '2:outer']);
  });

  it('ends inner parts at an outer delimiter', () => {
    const inner =
      'Content-Type: multipart/mixed; boundary=i\n\n--i\nContent-Type: message/rfc822\n\nSubject: x\n\ninner\n';
    assert.deepEqual(leaves(multipart(`--b\n${inner}--b\n\nouter\n--b--\n`)), ['1.1.1:inner', '2:outer']);
    // also inside a header
    assert.deepEqual(leaves(multipart('--b\nContent-Type: message/rfc822\n--b\n\ntwo\n--b--')), ['1.1:', '2:two']);
    assert.deepEqual(leaves(multipart('--a:b\nA: 1\n--a:b\n\ntwo\n--a:b--', 'a:b')), ['1:', '2:two']);
  });

  it('ignores delimiters behind the closing one', () => {
    assert.deepEqual(leaves(multipart('--b\n\none\n--b--\n--b\n\nepilogue\n--b--\n')), ['1:one']);
  });

  it('looks as deep as the bound allows', () => {
    const deep = (levels: number): string =>
      levels === 0
        ? '\nx\n'
        : `Content-Type: multipart/mixed; boundary=b${levels}\n\n--b${levels}\n${deep(levels - 1)}`;
    assert.equal(rows(walk(deep(MAX_MIME_DEPTH))).length, MAX_MIME_DEPTH + 1);
    assert.equal(rows(walk(deep(MAX_MIME_DEPTH + 1))).length, MAX_MIME_DEPTH + 1);
    assert.equal(rows(walk('Content-Type: message/rfc822\n\n'.repeat(MAX_MIME_DEPTH + 5))).length, MAX_MIME_DEPTH + 1);
  });

  it('lists as many parts as the bound allows', () => {
    const many = (count: number) => multipart(`${'--b\n\nx\n'.repeat(count)}--b--\n`);
    assert.equal(walk(many(MAX_MIME_PARTS - 1)).children.length, MAX_MIME_PARTS - 1);
    const over = walk(many(MAX_MIME_PARTS + 5));
    assert.equal(over.children.length, MAX_MIME_PARTS - 1);
    assert.equal(over.children.at(-1)!.decodedLength, 1);
  });

  it('reads headers up to the bound and takes the rest for text', () => {
    const header = (length: number) => `Content-Type: text/html\nX: ${'x'.repeat(length - 28)}\n`;
    const fits = walk(`${header(MAX_MIME_HEADER_BYTES - 1)}\nbody`);
    assert.deepEqual([fits.type, fits.encodedLength], ['text/html', 4]);
    const blankOver = walk(`${header(MAX_MIME_HEADER_BYTES)}\nbody`);
    assert.deepEqual([blankOver.type, blankOver.encodedLength], ['text/html', 5]);
    const over = `${header(MAX_MIME_HEADER_BYTES + 1)}\nbody`;
    const seed = newSeed();
    for (const chunks of [[Buffer.from(over)], cutUp(Buffer.from(over), randomFrom(seed), 9000)]) {
      const part = walk(...chunks);
      assert.deepEqual([part.type, part.start], ['text/html', 24], `seed ${seed}`);
    }
    assert.equal(walk('x'.repeat(MAX_MIME_HEADER_BYTES * 2)).start, 0);
  });

  it('measures a large attachment in one long line and in short ones', () => {
    const size = 5 * 1024 * 1024;
    const text = Buffer.alloc(size, 'payload').toString('base64');
    const head = `${multipart('--b\nContent-Transfer-Encoding: base64\n\n')}`;
    const lines = text.replace(/.{76}/g, '$&\r\n');
    for (const content of [text, lines]) {
      const body = Buffer.from(`${head}${content}\n--b--\n`);
      const chunks = Array.from({ length: Math.ceil(body.length / 65536) }, (_, i) =>
        body.subarray(i * 65536, (i + 1) * 65536),
      );
      const part = walk(...chunks).children[0]!;
      assert.deepEqual([part.encodedLength, part.decodedLength], [content.length, size]);
    }
  });

  it('takes what only begins like a delimiter for content, however often', () => {
    const delimiter = `--${'b'.repeat(70)}`;
    const body = multipart(`${delimiter}\n\n${`--${delimiter}\n`.repeat(20_000)}`, 'b'.repeat(70));
    assert.deepEqual(leaves(body), [`1:${`--${delimiter}\n`.repeat(20_000)}`]);
    assert.deepEqual(walk(multipart('\n--b-'.repeat(100_000))).children, []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { parseMultipart } from '../../src/http/multipart.ts';
import {
  MAX_DELIMITER_PADDING_BYTES,
  MAX_PART_HEADER_BYTES,
  MAX_PART_HEADER_COUNT,
  MAX_PARTS,
} from '../../src/limits/http.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { chunks, field, parse, part, refusal, type Seen, TYPE } from './forms.ts';

/** contents that look like delimiters, or nearly so */
const ADVERSARIAL = [
  '',
  'plain',
  '\r\n',
  '\r',
  '\n',
  '\r\n\r\n',
  '\n--XyZ\n',
  '\r\n--XyW',
  '\r\n--Xy',
  '\r\n--XyZa',
  '\r\n--XyZ-',
  '\r\n--XyZ-x',
  '\r\n--XyZ \rx',
  '\r\n-',
  '\r\r\n--Xy\r\n--X\r\n--',
  'a\r\n--XyZb\r\n--XyZc\r\n--Xy',
  '\r\n--XyZ\r',
  '\0\xff\r\n\x80',
  '000\r\n000\r\n',
];

const FORM = `preamble --XyZ\r\n${ADVERSARIAL.map((body, i) => part(`p${i}`, body)).join('')}--XyZ--\r\nepilogue --XyZ`;
const EXPECTED: Seen[] = ADVERSARIAL.map((body, i) => {
  return { name: `p${i}`, filename: undefined, contentType: 'text/plain', body };
});

describe('a form', () => {
  it('comes out the same whole, byte by byte and at random splits', async () => {
    assert.deepEqual(await parse(FORM), EXPECTED);
    assert.deepEqual(await parse(FORM, () => 1), EXPECTED);
    const seed = newSeed();
    const random = randomFrom(seed);
    for (let round = 0; round < 200; round++) {
      const most = 1 + random(40);
      assert.deepEqual(await parse(FORM, () => 1 + random(most)), EXPECTED, `seed ${seed} round ${round}`);
    }
  });

  it('has files with names and types', async () => {
    const form =
      `--XyZ\r\n${field('upload', '; filename="a.txt"')}Content-Type: image/png\r\nX-Other: y\r\n\r\ndata\r\n` +
      `--XyZ\r\n${field('upload', '; filename=""')}\r\n\r\n--XyZ--`;
    assert.deepEqual(await parse(form), [
      { name: 'upload', filename: 'a.txt', contentType: 'image/png', body: 'data' },
      { name: 'upload', filename: '', contentType: 'text/plain', body: '' },
    ]);
  });

  it('may have no parts, a part without content, a padded delimiter', async () => {
    assert.deepEqual(await parse('--XyZ--\r\n'), []);
    assert.deepEqual(await parse('preamble\r\n--XyZ--'), []);
    const bare = `--XyZ \t\r\n${field('a')}\r\n--XyZ\r\n${field('b')}\r\n\r\n--XyZ-- `;
    for (const size of [1, 1000]) {
      assert.deepEqual(
        (await parse(bare, () => size)).map(({ name, body }) => [name, body]),
        [
          ['a', ''],
          ['b', ''],
        ],
      );
    }
    const padded = (count: number) => `--XyZ${' '.repeat(count)}\r\n${field('a')}\r\nx\r\n--XyZ--`;
    assert.equal(await refusal(padded(MAX_DELIMITER_PADDING_BYTES)), 'none');
    assert.equal(await refusal(padded(MAX_DELIMITER_PADDING_BYTES + 1)), 'too_large');
  });

  it('is refused when it ends early, wherever that is', async () => {
    const form = part('a', 'some content');
    for (let end = 0; end <= form.length; end++) {
      assert.equal(await refusal(form.slice(0, end)), 'bad_request', `at ${end}`);
    }
    assert.equal(await refusal(`${form}--XyZ-`), 'bad_request');
    assert.equal(await refusal(`${form}--XyZ--`), 'none');
  });

  it('is refused with bare LF at delimiters and with broken headers', async () => {
    assert.equal(await refusal(`--XyZ\n${field('a')}\r\nx\r\n--XyZ--`), 'bad_request');
    assert.equal(await refusal(part('a', 'x').replaceAll('\r\n', '\n')), 'bad_request');
    const withHeader = (header: string) => `--XyZ\r\n${header}\r\nx\r\n--XyZ--`;
    for (const header of [
      '',
      'Content-Type: text/plain\r\n',
      'Content-Disposition: attachment; name="a"\r\n',
      'Content-Disposition: form-data\r\n',
      'Content-Disposition: form-data; name="a\r\n',
      'Content-Disposition form-data; name="a"\r\n',
      `${field('a')} folded\r\n`,
      `${field('a')}X: a\nb\r\n`,
      `${field('a')}X: a\0b\r\n`,
      `${field('a')}X : y\r\n`,
    ]) {
      assert.equal(await refusal(withHeader(header)), 'bad_request', JSON.stringify(header));
    }
  });

  it('may have so many parts, header fields and header bytes, and no more', async () => {
    const parts = (count: number) => `${part('a', 'x').repeat(count)}--XyZ--`;
    assert.equal(await refusal(parts(MAX_PARTS)), 'none');
    assert.equal(await refusal(parts(MAX_PARTS + 1)), 'too_large');
    const fields = (count: number) => `--XyZ\r\n${field('a')}${'X: y\r\n'.repeat(count - 1)}\r\nx\r\n--XyZ--`;
    assert.equal(await refusal(fields(MAX_PART_HEADER_COUNT)), 'none');
    assert.equal(await refusal(fields(MAX_PART_HEADER_COUNT + 1)), 'too_large');
    const bytes = (count: number) => {
      const start = `${field('a')}X: `;
      return `--XyZ\r\n${start.padEnd(count, 'y')}\r\n\r\nx\r\n--XyZ--`;
    };
    assert.equal(await refusal(bytes(MAX_PART_HEADER_BYTES)), 'none');
    assert.equal(await refusal(bytes(MAX_PART_HEADER_BYTES + 1)), 'too_large');
    assert.equal(await refusal(`--XyZ\r\n${'y'.repeat(2 * MAX_PART_HEADER_BYTES)}`), 'too_large');
  });
});

describe('pulling', () => {
  const text = `${part('a', 'A'.repeat(50))}${part('b', 'B')}${part('c', 'C')}--XyZ--`;

  it('reads the source only when something is asked for', async () => {
    let pulled = 0;
    async function* source() {
      for (const byte of Buffer.from(text)) {
        pulled++;
        yield Buffer.from([byte]);
      }
    }
    const parts = parseMultipart(source(), TYPE);
    assert.equal(pulled, 0);
    const first = (await parts.next()).value!;
    const afterHeader = pulled;
    assert.ok(afterHeader <= part('a', '').length, `${afterHeader}`);
    const body = first.body[Symbol.asyncIterator]();
    await body.next();
    assert.ok(pulled < afterHeader + 10, `${pulled}`);
  });

  it('skips what was not read of a part, and gives a part nothing of the next one', async () => {
    const names: string[] = [];
    const bodies: AsyncIterable<Buffer>[] = [];
    for await (const { name, body } of parseMultipart(
      chunks(Buffer.from(text), () => 7),
      TYPE,
    )) {
      for (const stale of bodies) for await (const _ of stale) assert.fail('content of the next part');
      names.push(name);
      bodies.push(body);
      if (name === 'b') for await (const _ of body) break;
    }
    assert.deepEqual(names, ['a', 'b', 'c']);
    for (const body of bodies) for await (const _ of body) assert.fail('stale content');
  });

  it('tells the source when the consumer stops, and reads it to its end otherwise', async () => {
    let ended = '';
    async function* source() {
      try {
        yield* chunks(Buffer.from(`${text}\r\n${'epilogue'.repeat(10)}`), () => 10);
        ended += 'read ';
      } finally {
        ended += 'returned ';
      }
    }
    for await (const _ of parseMultipart(source(), TYPE)) break;
    assert.equal(ended, 'returned ');
    for await (const _ of parseMultipart(source(), TYPE));
    assert.equal(ended, 'returned read returned ');
  });

  it('passes on what the source throws', async () => {
    async function* source() {
      yield Buffer.from(text.slice(0, 90));
      throw new AppError('too_large', 'too large');
    }
    await assert.rejects(
      async () => {
        for await (const { body } of parseMultipart(source(), TYPE)) for await (const _ of body);
      },
      { code: 'too_large' },
    );
  });

  it('gives near-delimiters as the content that they are, however many', async () => {
    const body = '\r\n--XyZx'.repeat(200_000);
    const [seen] = await parse(`${part('a', body)}--XyZ--`, () => 65_536);
    assert.ok(seen!.body === body, `${seen!.body.length} of ${body.length} bytes, each as it was sent`);
  });
});

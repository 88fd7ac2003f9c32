// What a client sends in a request line, in header fields and in forms costs steps in proportion to its length.

import './growth.ts';
import { describe } from 'node:test';
import { evaluate, parseHttpDate, parseRange } from '../../src/http/conditional.ts';
import { parseCookies } from '../../src/http/cookies.ts';
import { holds, parseIf } from '../../src/http/if-header.ts';
import { formBoundary, parseMultipart, parsePartHeader } from '../../src/http/multipart.ts';
import { preferredEncoding, preferredType } from '../../src/http/negotiate.ts';
import { decodePercent, decodePercentText, parseForm, Query } from '../../src/http/query.ts';
import { Router } from '../../src/http/router.ts';
import { asBytes, cut, grows, mixtures } from './growth.ts';

const FIELD = { perUnit: 30 };

describe('steps of what reads a request', () => {
  grows('Cookie', mixtures([';', '=', 'a', ' ', '"', 'a=b;', '; '], ['a="', '"']), parseCookies, FIELD);
  grows(
    'Accept',
    mixtures([',', ';', 'q=', ' ', '0.', 'text/html', '*/*;q=1,', '=']),
    (header) => {
      preferredType(header, ['application/json', 'text/html', 'text/plain']);
      preferredEncoding(header, ['br', 'gzip']);
    },
    { ...FIELD, perUnit: 100 },
  );
  grows(
    'Range',
    mixtures(['0', '-', ' ', '\t', '=', ','], ['bytes=', ''], ['bytes=0-', ' x']),
    (header) => parseRange(header, 1000),
    FIELD,
  );
  grows(
    'If',
    mixtures(['<', '(', ')', '[', ' ', '"', 'Not', '(["a"])', '<x>'], ['<x> (', ')'], ['(["', '"])']),
    (header) => holds(parseIf(header), () => ({ etag: '"1"', tokens: [] })),
    { perUnit: 60 },
  );
  grows(
    'If-Match and If-None-Match',
    mixtures(['"', ',', ' ', 'W/', '"a"', '"a",', '\t', 'a'], ['"', '"']),
    (value) => {
      for (const name of ['if-match', 'if-none-match']) {
        const header = (wanted: string) => (wanted === name ? value : undefined);
        evaluate({ method: 'GET', header } as never, { etag: '"1"' });
      }
    },
    { ...FIELD, perUnit: 40 },
  );
  grows('dates', mixtures([' ', ',', 'A', '0', ':', 'GMT'], ['Sat, 21 Nov 2026 ', '']), parseHttpDate, FIELD);
  grows(
    'percent-encoding',
    mixtures(['%', '%2', '%41', '\x80', '\xc3\xa9', 'a', '%00', '%ff']),
    (text) => {
      try {
        decodePercent(text);
      } finally {
        decodePercentText(text);
      }
    },
    FIELD,
  );
  grows(
    'query and form',
    mixtures(['&', '=', '+', '%', '%41', 'a', 'a=b&', ';']),
    (text) => {
      new Query(text).getAll('a');
      parseForm(text);
    },
    FIELD,
  );
  const router = new Router<string>();
  for (const path of ['/svc/r/:room/', '/svc/r/:room/:message', '/svc/r/:room/:message/:part', '/s/*path']) {
    router.add('GET', path, path);
  }
  grows(
    'paths',
    mixtures(['/', '//', '%2F', 'a', 'r/', ':', '*', '..', '/a'], ['/svc/r/', '/'], ['/s/', '']),
    (path) => router.match('GET', path),
    FIELD,
  );
});

const PART_WORDS = [';', '=', '"', ' ', '\\"', 'a', '; a="b"', '%'];

describe('steps of what reads a form', () => {
  grows(
    'Content-Type',
    mixtures(PART_WORDS, ['multipart/form-data; boundary="', '"'], ['multipart/form-data;', '; boundary=b']),
    formBoundary,
    FIELD,
  );
  const disposition = (value: string) =>
    parsePartHeader(Buffer.from(`Content-Disposition: form-data; name=a${value}\r\n`));
  grows('Content-Disposition', mixtures(PART_WORDS, ['; filename="', '"'], ["; filename*=UTF-8''", '']), disposition, {
    ...FIELD,
    perUnit: 40,
  });
  grows(
    'header of a part',
    mixtures(['a:', '\r\n', ' ', ':', 'a: b\r\n', '\n', '\0']),
    (text) => parsePartHeader(Buffer.from(text)),
    FIELD,
  );

  const type = 'multipart/form-data; boundary=-';
  const words = ['\r\n', '---', '\r\n---', ' ', '\r', 'a: b\r\n', '\r\n---\r\n\r\n'];
  const part = '---\r\nContent-Disposition: form-data; name=a\r\n';
  for (const [name, size] of [
    ['at once', 1 << 20],
    ['byte by byte', 1],
  ] as const) {
    grows(
      `multipart, ${name}`,
      asBytes(mixtures(words, [`${part}\r\n`, ''], [part, ''])),
      async (bytes) => {
        for await (const { body } of parseMultipart(from(cut(bytes, size)), type)) for await (const _ of body);
      },
      { perUnit: 60, size: 250 },
    );
  }
});

async function* from(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

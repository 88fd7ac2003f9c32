// Values of options: what is read, and what is none.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  parseAddress,
  parseBackend,
  parseBounds,
  parseCount,
  parseFolder,
  parseHost,
  parseLanding,
  parseOrigins,
  parsePort,
  parsePrefix,
  parseSwitch,
  quote,
} from '../../src/cli/option-values.ts';
import { MAX_UNIX_PATH_BYTES } from '../../src/limits/protocol.ts';

type Rows = readonly (readonly [text: string, value: unknown])[];

function assertReads(parse: (text: string) => unknown, rows: Rows): void {
  for (const [text, value] of rows) assert.deepEqual(parse(text), value, JSON.stringify(text));
}

describe('an option takes', () => {
  it('bounds: each by its name and once, within what it may be', () => {
    assertReads(parseBounds, [
      ['locks=500', { locks: 500 }],
      ['locks=500, rooms-of-user=50', { locks: 500, 'rooms-of-user': 50 }],
      ['locks=500,locks=501', undefined],
      ['locks=0', undefined],
      ['locks=1000001', undefined],
      ['locks', undefined],
      ['locks=1e3', undefined],
      ['constructor=1', undefined],
      ['', undefined],
    ]);
  });

  it('hosts: names, IPv4, IPv6 in brackets or without', () => {
    assertReads(parseHost, [
      ['a.example', 'a.example'],
      ['127.0.0.1', '127.0.0.1'],
      ['[::1]', '::1'],
      ['::1', '::1'],
      ['[a.example]', undefined],
      ['[127.0.0.1]', undefined],
      ['a b', undefined],
      ['a/b', undefined],
      ['', undefined],
    ]);
  });

  it('ports from 0 to 65535, in digits', () => {
    assertReads(parsePort, [
      ['0', 0],
      ['65535', 65535],
      ['65536', undefined],
      ['000080', undefined],
      ['1e3', undefined],
      [' 1', undefined],
      ['', undefined],
    ]);
  });

  it('counts from 1 up to what is most', () => {
    assertReads(parseCount(9), [
      ['1', 1],
      ['9', 9],
      ['10', undefined],
      ['0', undefined],
      ['01', undefined],
      ['1.0', undefined],
    ]);
    assert.equal(parseCount(Number.MAX_SAFE_INTEGER)('1000000000'), undefined, 'ten digits are a mistake');
  });

  it('prefixes, with or without the slashes around them', () => {
    assertReads(parsePrefix, [
      ['svc', '/svc/'],
      ['/a/b', '/a/b/'],
      ['/a/b/', '/a/b/'],
      ['/a..b/', '/a..b/'],
      ['', undefined],
      ['/..', undefined],
      ['.', undefined],
      ['/a//', undefined],
      ['.well-known', undefined],
      ['a/.well-known', '/a/.well-known/'],
    ]);
  });

  it('addresses of sockets, and nothing longer than a socket can be bound to', () => {
    const longest = `/${'x'.repeat(MAX_UNIX_PATH_BYTES - 1)}`;
    assertReads(parseAddress, [
      ['unix:run/s', { kind: 'unix', path: resolve('run/s') }],
      [`unix:${longest}`, { kind: 'unix', path: longest }],
      [`unix:${longest}x`, undefined],
      ['unix:', undefined],
      ['tcp://h:0', { kind: 'tcp', host: 'h', port: 0 }],
      ['tcp://[::1]:504', { kind: 'tcp', host: '::1', port: 504 }],
      ['tcp://::1:504', undefined],
      ['tcp://h', undefined],
      ['tcp://h:1/', undefined],
      ['http://h:1', undefined],
      ['embedded', undefined],
    ]);
  });

  it('room servers that can be connected to', () => {
    assertReads(parseBackend, [
      ['embedded', 'embedded'],
      ['tcp://h:504', { kind: 'tcp', host: 'h', port: 504 }],
      ['tcp://h:0', undefined],
      ['unix:/s', { kind: 'unix', path: '/s' }],
    ]);
  });

  it('folders that exist', () => {
    assertReads(parseFolder, [
      [tmpdir(), resolve(tmpdir())],
      [fileURLToPath(import.meta.url), undefined],
      [`${tmpdir()}/no/such/folder`, undefined],
      ['a\0b', undefined],
    ]);
  });

  it('landing pages of this site alone', () => {
    assertReads(parseLanding, [
      ['/a', '/a'],
      ['/a?b#c', '/a?b#c'],
      ['/', undefined],
      ['//evil.example', undefined],
      ['/a\\b', undefined],
      ['/\t/evil.example', undefined],
      ['/a b', undefined],
      ['/\u00fc', undefined],
    ]);
  });

  it('origins as browsers write them, and never everybody', () => {
    const other = [
      'https://a.example/',
      'https://a.example/x',
      'a.example',
      'ftp://a',
      'https://a?b',
      'https://u@a',
      'null',
    ];
    assertReads(parseOrigins, [
      ['https://A.example:443', ['https://a.example']],
      ['http://localhost:5173', ['http://localhost:5173']],
      ['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
      ...['*', '', 'https://a.example,', 'https://*.example', ...other].map((text) => [text, undefined] as const),
    ]);
  });

  it('switches in the usual spellings', () => {
    for (const text of ['1', 'True', 'YES', 'on']) assert.equal(parseSwitch(text), true);
    for (const text of ['0', 'FALSE', 'no', 'Off']) assert.equal(parseSwitch(text), false);
    for (const text of ['', '2', 'y', 'on ', 'true\n']) assert.equal(parseSwitch(text), undefined);
  });
});

it('what was typed is quoted on one line, and not at any length', () => {
  assert.equal(quote('a"\n\u001b'), '"a\\"\\n\\u001b"');
  assert.equal(quote('x'.repeat(100)), `"${'x'.repeat(100)}"`);
  assert.equal(quote('x'.repeat(101)), `"${'x'.repeat(100)}…"`);
});

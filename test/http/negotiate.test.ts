import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { preferredEncoding, preferredType } from '../../src/http/negotiate.ts';

const TYPES = ['application/json', 'text/html', 'text/plain'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('Accept', () => {
  it('gives the first type to who does not care', () => {
    assert.equal(preferredType(undefined, TYPES), 'application/json');
    assert.equal(preferredType('', TYPES), 'application/json');
    assert.equal(preferredType('*/*', TYPES), 'application/json');
    assert.equal(preferredType('text/*, application/json', TYPES), 'application/json');
  });

  it('follows quality values, the more specific range first', () => {
    assert.equal(preferredType(BROWSER, TYPES), 'text/html');
    assert.equal(preferredType('text/*;q=0.5, text/plain', TYPES), 'text/plain');
    assert.equal(preferredType('*/*, application/json;q=0', TYPES), 'text/html');
    assert.equal(preferredType('Application/JSON;q=0.2, TEXT/HTML ; Q=0.3', TYPES), 'text/html');
    assert.equal(preferredType('text/html;level=1;q=0.4, text/plain;q=0.3', TYPES), 'text/html');
  });

  it('gives nothing when nothing is accepted', () => {
    assert.equal(preferredType('image/png', TYPES), undefined);
    assert.equal(preferredType('*/*;q=0', TYPES), undefined);
    assert.equal(preferredType('text/html;q=2, ,;q=1', TYPES), undefined);
  });
});

describe('Accept-Encoding', () => {
  const encodings = ['br', 'gzip'] as const;

  it('chooses the coding that is liked best, ours first in a tie', () => {
    assert.equal(preferredEncoding('gzip, deflate, br, zstd', encodings), 'br');
    assert.equal(preferredEncoding('br;q=0.5, gzip', encodings), 'gzip');
    assert.equal(preferredEncoding('*', encodings), 'br');
    assert.equal(preferredEncoding('br;q=0, *;q=0.1', encodings), 'gzip');
  });

  it('leaves the answer as it is for who asks for nothing or for other codings', () => {
    assert.equal(preferredEncoding(undefined, encodings), undefined);
    assert.equal(preferredEncoding('', encodings), undefined);
    assert.equal(preferredEncoding('identity, deflate', encodings), undefined);
    assert.equal(preferredEncoding('gzip;q=0', encodings), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_UNSUBSCRIBE_ADDRESSES, MAX_UNSUBSCRIBE_CHARACTERS } from '../../src/limits/mime.ts';
import { listAddresses } from '../../src/mime/addresses.ts';

describe('where a mailing list can be left', () => {
  it('is what stands in angle brackets, in its order, with comments and folding left out', () => {
    assert.deepEqual(
      listAddresses('(by mail) <mailto:off@list.example?subject=off>,\n <https://list.example/off?u=\n 1>'),
      ['mailto:off@list.example?subject=off', 'https://list.example/off?u=1'],
    );
    assert.deepEqual(listAddresses('<HTTP://list.example/a,b>'), ['HTTP://list.example/a,b']);
  });

  it('is nothing that could run, and nothing where the field is missing or empty', () => {
    assert.equal(listAddresses('<javascript:alert(1)>, <data:text/html,x>, <ftp://x/y>, <mailto:>'), undefined);
    assert.equal(listAddresses('https://list.example/without/brackets'), undefined);
    assert.equal(listAddresses('<<<mailto:'), undefined);
    assert.equal(listAddresses(''), undefined);
    assert.equal(listAddresses(undefined), undefined);
  });

  it('is bounded in number and length', () => {
    const many = (n: number) => listAddresses(Array.from({ length: n }, (_, i) => `<mailto:${i}@x>`).join(','));
    assert.equal(many(MAX_UNSUBSCRIBE_ADDRESSES)!.length, MAX_UNSUBSCRIBE_ADDRESSES);
    assert.equal(many(MAX_UNSUBSCRIBE_ADDRESSES + 1)!.length, MAX_UNSUBSCRIBE_ADDRESSES);
    const long = (n: number) => listAddresses(`<${'https://x/'.padEnd(n, 'a')}>`);
    assert.equal(long(MAX_UNSUBSCRIBE_CHARACTERS)![0]!.length, MAX_UNSUBSCRIBE_CHARACTERS);
    assert.equal(long(MAX_UNSUBSCRIBE_CHARACTERS + 1), undefined);
  });
});

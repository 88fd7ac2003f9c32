// The body of sync-collection (RFC 6578 section 6.1), and the tokens of answers that were cut.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pagesToken, parsePagesToken, readSyncCollection } from '../../../src/dav/report/sync.ts';
import { MAX_LIMITED_RESPONSES } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

describe('the body of a sync-collection', () => {
  const sync = (inner: string) => readSyncCollection(xmlOf(`<D:sync-collection>${inner}</D:sync-collection>`));

  it('has a token, empty the first time', () => {
    assert.equal(sync('<D:sync-token/>').token, '');
    assert.equal(sync('<D:sync-token> data:,1-2\n</D:sync-token>').token, 'data:,1-2');
    refuses(() => sync('<D:sync-level>1</D:sync-level>'), 'bad_request');
  });

  it('takes the levels of RFC 6578 section 6.3, and none', () => {
    assert.equal(sync('<D:sync-token/>').isDeep, false);
    assert.equal(sync('<D:sync-token/><D:sync-level>infinite</D:sync-level>').isDeep, true);
    refuses(() => sync('<D:sync-token/><D:sync-level>2</D:sync-level>'), 'bad_request');
  });

  it('may limit the answer', () => {
    assert.equal(sync('<D:sync-token/>').limit, Number.POSITIVE_INFINITY);
    assert.equal(sync('<D:sync-token/><D:limit><D:nresults>3</D:nresults></D:limit>').limit, 3);
    const limited = (count: number) =>
      sync(`<D:sync-token/><D:limit><D:nresults>${count}</D:nresults></D:limit>`).limit;
    assert.equal(limited(MAX_LIMITED_RESPONSES), MAX_LIMITED_RESPONSES);
    assert.equal(limited(MAX_LIMITED_RESPONSES + 1), MAX_LIMITED_RESPONSES);
  });
});

describe('the token of an answer that was cut', () => {
  it('comes back as what it was made of', () => {
    for (const position of [{ number: 12 }, { removed: 'a&b ü.ics' }]) {
      for (const since of ['', 'data:,1-2']) {
        const pages = { since, until: 'data:,1-9', position };
        assert.deepEqual(parsePagesToken(pagesToken(pages)), pages);
        assert.ok(URL.canParse(pagesToken(pages)));
      }
    }
  });

  it('is no other token, and valid-sync-token when it was made up', () => {
    assert.equal(parsePagesToken('data:,1-9'), undefined);
    for (const wrong of [
      '',
      '1',
      '1;2',
      '1;2;number;-1',
      '1;2;number;',
      '1;;number;1',
      '1;2;other;3',
      '%;2;number;1',
    ]) {
      refuses(() => parsePagesToken(`data:,more;${wrong}`), 'valid-sync-token', wrong);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  allowsRange,
  evaluate,
  formatHttpDate,
  isConditional,
  parseHttpDate,
  type Validators,
} from '../../src/http/conditional.ts';
import type { Exchange } from '../../src/http/exchange.ts';

const AT = 784111777;
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const NOW: Validators = { etag: '"7"', lastModified: AT };

function asked(method: string, headers: Record<string, string>): Exchange {
  return { method, rawPath: '/svc/r/A%20B/f.txt', header: (name: string) => headers[name] } as Exchange;
}

const get = (headers: Record<string, string>, validators = NOW) => evaluate(asked('GET', headers), validators);
const put = (headers: Record<string, string>, validators = NOW) => evaluate(asked('PUT', headers), validators);

describe('If-Match', () => {
  it('passes for the tag, a list with it and *', () => {
    for (const value of ['"7"', '"6", "7"', '"6" ,\t"7"', '*', ' * ', ', "7"']) {
      assert.equal(put({ 'if-match': value }), 'proceed', value);
    }
  });

  it('fails for other tags, weak tags and what is no tag', () => {
    for (const value of ['"8"', 'W/"7"', '7', '"7', '', 'x, "7"', '"77"', '*, "8"']) {
      assert.equal(put({ 'if-match': value }), 'precondition_failed', value);
    }
    assert.equal(put({ 'if-match': 'W/"7"' }, { etag: 'W/"7"' }), 'precondition_failed');
    assert.equal(put({ 'if-match': '"7"' }, { etag: 'W/"7"' }), 'precondition_failed');
    assert.equal(get({ 'if-match': '"8"' }), 'precondition_failed');
  });

  it('fails where there is nothing, also for *', () => {
    assert.equal(put({ 'if-match': '*' }, { exists: false }), 'precondition_failed');
    assert.equal(put({ 'if-match': '"7"' }, { exists: false }), 'precondition_failed');
    assert.equal(put({ 'if-match': '*' }, {}), 'proceed');
    assert.equal(put({ 'if-match': '"7"' }, {}), 'precondition_failed');
  });
});

describe('If-None-Match', () => {
  it('is 304 for reads and 412 for the rest when the tag is known', () => {
    for (const value of ['"7"', 'W/"7"', '"1", W/"7"', '*']) {
      assert.equal(get({ 'if-none-match': value }), 'not_modified', value);
      assert.equal(evaluate(asked('HEAD', { 'if-none-match': value }), NOW), 'not_modified', value);
      assert.equal(put({ 'if-none-match': value }), 'precondition_failed', value);
    }
    assert.equal(get({ 'if-none-match': '"7"' }, { etag: 'W/"7"' }), 'not_modified');
  });

  it('passes for other tags, what is no tag, and where there is nothing', () => {
    for (const value of ['"8"', '7', '"7', '', 'x, "7"'])
      assert.equal(get({ 'if-none-match': value }), 'proceed', value);
    assert.equal(put({ 'if-none-match': '*' }, { exists: false }), 'proceed');
    assert.equal(put({ 'if-none-match': '"7"' }, { exists: false }), 'proceed');
  });
});

describe('dates', () => {
  it('are looked at only without entity tags', () => {
    assert.equal(get({ 'if-modified-since': DATE }), 'not_modified');
    assert.equal(get({ 'if-modified-since': EARLIER }), 'proceed');
    assert.equal(get({ 'if-modified-since': DATE, 'if-none-match': '"8"' }), 'proceed');
    assert.equal(put({ 'if-modified-since': LATER }), 'proceed');
    assert.equal(put({ 'if-unmodified-since': DATE }), 'proceed');
    assert.equal(put({ 'if-unmodified-since': EARLIER }), 'precondition_failed');
    assert.equal(put({ 'if-unmodified-since': EARLIER, 'if-match': '"7"' }), 'proceed');
    assert.equal(put({ 'if-unmodified-since': EARLIER }, { exists: false }), 'proceed');
  });

  it('come in three forms, and anything else is ignored', () => {
    assert.equal(parseHttpDate(DATE), AT);
    assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT'), AT);
    assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994'), AT);
    for (const text of ['', '1994', '2020-01-01', 'Sun, 06 Nov 1994 08:49:37 +0100', 'Sun, 99 Nov 1994 08:49:37 GMT']) {
      assert.equal(parseHttpDate(text), undefined, text);
    }
    assert.equal(get({ 'if-modified-since': 'tomorrow' }), 'proceed');
    assert.equal(formatHttpDate(AT + 0.9), DATE);
    assert.equal(formatHttpDate(-1e15), 'Sat, 01 Jan 0000 00:00:00 GMT');
  });
});

it('checks If-Match before If-None-Match', () => {
  assert.equal(get({ 'if-match': '"8"', 'if-none-match': '"7"' }), 'precondition_failed');
  assert.equal(get({ 'if-match': '"7"', 'if-none-match': '"7"' }), 'not_modified');
});

it('applies a range only when If-Range names exactly this representation', () => {
  const allows = (value: string | undefined, validators = NOW) =>
    allowsRange(asked('GET', value === undefined ? {} : { 'if-range': value }), validators);
  assert.ok(allows(undefined));
  assert.ok(allows('"7"'));
  assert.ok(allows(DATE));
  for (const value of ['"8"', 'W/"7"', '7', LATER, EARLIER, '']) assert.ok(!allows(value), value);
  assert.ok(!allows('W/"7"', { etag: 'W/"7"' }));
  assert.ok(!allows(DATE, { etag: '"7"' }));
});

describe('a request that changes something only as it was', () => {
  it('has If, If-Match or If-None-Match', () => {
    for (const name of ['if', 'if-match', 'if-none-match'])
      assert.ok(isConditional(asked('PUT', { [name]: 'x' })), name);
    assert.ok(!isConditional(asked('PUT', { 'if-modified-since': DATE })));
  });
});

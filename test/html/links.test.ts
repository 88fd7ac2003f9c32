// Which addresses are links: hosts that no server can have are none, because to write them in ASCII takes quadratic
// time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageName, remoteAddress, safeLink } from '../../src/html/links.ts';
import { MAX_HOST_CHARACTERS, MAX_LABEL_CHARACTERS } from '../../src/limits/mime.ts';

/** A host of that length, of labels that are short enough. */
const host = (length: number): string =>
  'abcdefg.'
    .repeat(length)
    .slice(0, length - 1)
    .concat('z');

describe('an address', () => {
  it('has a host of MAX_HOST_CHARACTERS at most', () => {
    for (const [before, after] of [
      ['http://', '/'],
      ['https:', ''],
      [' http:\\\\', '?x'],
      ['HT\nTP:/\t/', '#x'],
      ['http://user@', '/'],
    ] as const) {
      for (const check of [safeLink, remoteAddress]) {
        assert.ok(check(before + host(MAX_HOST_CHARACTERS) + after), before);
        assert.equal(check(before + host(MAX_HOST_CHARACTERS + 1) + after), undefined, before);
      }
    }
  });

  it('has labels of MAX_LABEL_CHARACTERS at most in its host', () => {
    for (const dot of ['.', '\u3002', '\uff0e', '\uff61']) {
      const address = (length: number) => `http://${'x'.repeat(length)}${dot}example/`;
      assert.ok(safeLink(address(MAX_LABEL_CHARACTERS)));
      assert.equal(safeLink(address(MAX_LABEL_CHARACTERS + 1)), undefined);
    }
  });

  it('may be as long as it likes elsewhere', () => {
    const long = 'x'.repeat(10_000);
    for (const address of [`http://a.example/${long}`, `http://a.example?${long}`, `mailto:${long}@a.example`]) {
      assert.equal(safeLink(address), address.replace('example?', 'example/?'));
    }
    assert.equal(safeLink(`http://${long}@a.example/`), `http://${long}@a.example/`);
    assert.equal(pageName(long), long);
  });
});

// Text that becomes part of HTML.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml, removeControls } from '../../src/html/escape.ts';

describe('text in HTML', () => {
  it('ends no text, tag or attribute in double quotes', () => {
    assert.equal(escapeHtml('<b title="x">&amp;'), '&lt;b title=&quot;x&quot;&gt;&amp;amp;');
    assert.equal(escapeHtml("it's plain ü 😀"), "it's plain ü 😀");
  });

  it('has no control characters but tab and line feed', () => {
    const all = String.fromCharCode(...Array.from({ length: 160 }, (_, code) => code));
    for (const made of [removeControls(all), escapeHtml(all)]) {
      assert.doesNotMatch(made, /[\0-\x08\x0b-\x1f\x7f-\x9f]/);
      assert.ok(made.startsWith('\t\n !'));
    }
  });
});

// Character references as the standard decodes them (HTML section 13.2.5.72 and after), in text and in attributes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeReferences } from '../../src/html/references.ts';

describe('character references', () => {
  const data = (text: string): string => decodeReferences(text, false);

  it('decodes named ones, the old ones also without semicolon', () => {
    assert.equal(data('&lt;&gt&AMP;&quot&copyx&nbsp;&euro;&hellip;&Tab;&colon;'), '<>&"©x\u00a0€…\t:');
    assert.equal(data('&notin;&notit;&Eacute;&eacute'), '∉¬it;Éé');
  });

  it('leaves what it does not know as it is', () => {
    for (const text of ['&', '&;', '&x', '&xyzzy;', '&euro', '&#', '&#;', '&#x;', '&#xg', '&EURO;', '&1;', 'a&b&&c']) {
      assert.equal(data(text), text);
    }
  });

  it('decodes numbers as the standard corrects them', () => {
    assert.equal(data('&#65;&#x42;&#X43&#068x'), 'ABCDx');
    assert.equal(data('&#128;&#x92;&#x9F;&#x81;'), '€’Ÿ\u0081');
    assert.equal(data('&#0;&#xD800;&#xDFFF;&#x110000;&#99999999999999999999;'), '\ufffd'.repeat(5));
    assert.equal(data('&#x10FFFF;&#xFFFE;&#13;&#x1F600;'), '\u{10ffff}\ufffe\r😀');
  });

  it('keeps query parameters in attributes', () => {
    const attribute = '?a=1&copy=2&lang=3&ltx&amp;b&not;&para';
    assert.equal(decodeReferences(attribute, true), '?a=1&copy=2&lang=3&ltx&b¬¶');
  });

  it('does not decode twice', () => {
    assert.equal(data('&amp;lt;&amp;#60;&#38;lt;'), '&lt;&#60;&lt;');
  });
});

// A message that goes on within a new one: kept as it is, found again in a draft, shown without what would tell of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sanitise } from '../../../src/html/sanitise.ts';
// @ts-expect-error: the web client has no types
import { forwardedHtml, hasRemote, previewOf, splitForwarded, wholeOf } from '../../../static/formats/forwarded.js';

const BODY = '<table width="600"><tr><td colspan="2" bgcolor="#103050">News</td></tr></table>';

describe('a forwarded message', () => {
  it('is found again behind what was written, as the gateway gives it', () => {
    const forwarded = { html: forwardedHtml('<p>From: Bob</p>', BODY), text: 'From: Bob\n\nNews' };
    const written = wholeOf({ text: 'Look at this\n\n', html: '<p>Look at <b>this</b></p>', forwarded });
    assert.equal(written.text, 'Look at this\n\nFrom: Bob\n\nNews');
    const { html } = sanitise(`<!DOCTYPE html><html><body>${written.html}</body></html>\n`, { remote: true });
    const found = splitForwarded(html.trimEnd(), written.text);
    assert.equal(found.html, '<p>Look at <b>this</b></p>');
    assert.deepEqual(found.forwarded, forwarded);
    assert.deepEqual(wholeOf(found.forwarded && { text: 'Look at this', ...found }), written);
  });

  it('is the outermost of several, and none where there is none', () => {
    const inner = forwardedHtml('', BODY);
    const outer = forwardedHtml('<p>Again</p>', inner);
    assert.equal(splitForwarded(`<p>x</p>${outer}`, 'x\n\ny').forwarded.html, outer);
    assert.deepEqual(splitForwarded('<p>x &lt;div id="m-forwarded"&gt;</p>', 'x'), {
      html: '<p>x &lt;div id="m-forwarded"&gt;</p>',
    });
    const draft = { text: 'a\n', html: '<p>a</p>' };
    assert.deepEqual(wholeOf(draft), draft);
  });

  it('has a text made of its HTML where that of the draft does not begin with what was written', () => {
    assert.equal(splitForwarded(`<p>new</p>${forwardedHtml('', BODY)}`, 'old\n\nrest').forwarded.text, 'News');
  });

  it('is shown with its own pictures, and what comes from elsewhere by its words alone', () => {
    const html = sanitise(
      '<img src="cid:a@x" width=9><img src="https://x.example/p.png" alt="A &gt; &quot;b&quot;" width=300>' +
        '<img src="data:image/png;base64,AAAA"><td style="background:url(cid:a@x)">cid:a@x',
      { remote: true, partUrl: (id: string) => `cid:${id}` },
    ).html;
    const addressOf = (cid: string) => (cid === 'a@x' ? 'blob:1' : undefined);
    assert.equal(
      previewOf(html, addressOf),
      '<img src="blob:1" width="9">A &gt; &quot;b&quot;<img src="data:image/png;base64,AAAA">' +
        html.slice(html.indexOf('AAAA">') + 6).replace("'cid:a@x'", "'blob:1'"),
    );
    assert.match(previewOf(html, addressOf, true), /<img src="https:\/\/x\.example\/p\.png"/);
    assert.ok(hasRemote(html) && hasRemote(`<p style="background-image: url('https://x.example/b')">`));
    assert.ok(!hasRemote('<p>https://x.example</p><img src="cid:b@x"><img src="data:image/png;base64,AA">'));
    assert.equal(
      previewOf(`<p style="background-image: url('//x.example/b'); color: red">`, addressOf),
      '<p style="background-image: none; color: red">',
    );
  });
});

// Raw text and scripts as the standard has them (HTML section 13.2.5), in the cases where sanitisers and browsers have
// disagreed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brief } from './brief-tokens.ts';

const groups: Record<string, [string, string[]][]> = {
  'raw text': [
    ['<style><b>&amp;</b></style >x', ['<style', '"<b>&amp;</b>"', '</style', '"x"']],
    ['<style></styles></style/x', ['<style', '"</styles>"']],
    ['<style></STYLE\n>x', ['<style', '</style', '"x"']],
    ['<style>a\0</style', ['<style', '"a\ufffd</style"']],
    ['<title><b>&amp;</b></title>x', ['<title', '"<b>&</b>"', '</title', '"x"']],
    ['<textarea></title></textarea>', ['<textarea', '"</title>"', '</textarea']],
    ['<noscript><p title="</noscript>"></p>', ['<noscript', '"<p title=""', '</noscript', '"">"', '</p']],
    ['<iframe><!--</iframe>-->', ['<iframe', '"<!--"', '</iframe', '"-->"']],
    ['<plaintext></plaintext>&amp;', ['<plaintext', '"</plaintext>&amp;"']],
    ['<xmp/>a</xmp>', ['<xmp /', '"a"', '</xmp']],
  ],
  scripts: [
    ['<script>a<b</script>c', ['<script', '"a<b"', '</script', '"c"']],
    ['<script>"</script>"', ['<script', '"""', '</script', '"""']],
    ['<script><!--</script>-->', ['<script', '"<!--"', '</script', '"-->"']],
    ['<script><!--<script></script>--></script>a', ['<script', '"<!--<script></script>-->"', '</script', '"a"']],
    ['<script><!--<script>--></script>a', ['<script', '"<!--<script>-->"', '</script', '"a"']],
    ['<script><!--><script></script>a', ['<script', '"<!--><script>"', '</script', '"a"']],
    ['<script><!--<scripty></script>a', ['<script', '"<!--<scripty>"', '</script', '"a"']],
    ['<script><script></script>a</script>', ['<script', '"<script>"', '</script', '"a"', '</script']],
  ],
};

describe('tokenize', () => {
  for (const [name, cases] of Object.entries(groups)) {
    it(`follows the standard: ${name}`, () => {
      for (const [html, expected] of cases) assert.deepEqual(brief(html), expected, JSON.stringify(html));
    });
  }

  it('knows CDATA sections, and no raw text, in foreign content only', () => {
    const html = '<style><![CDATA[a<b>&amp;]]>c</style><![CDATA[d';
    const expected = ['<style', '"a<b>&amp;c"', '</style', '"d"'];
    assert.deepEqual(
      brief(html, () => true),
      expected,
    );
    assert.deepEqual(brief(html), ['<style', '"<![CDATA[a<b>&amp;]]>c"', '</style', '![CDATA[d']);
  });
});

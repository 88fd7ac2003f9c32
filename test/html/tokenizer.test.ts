// Tokenization as the standard has it (HTML section 13.2.5), in the cases where sanitisers and browsers have disagreed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenize } from '../../src/html/tokenizer.ts';

/** tokens in short: text `"a"`, start `<b x=1 /`, end `</b`, comment `!c`, DOCTYPE `?html` */
function brief(html: string, isForeign?: () => boolean): string[] {
  return [...tokenize(html, isForeign)].map((token) => {
    if (token.type === 'text') return `"${token.data}"`;
    if (token.type === 'end') return `</${token.name}`;
    if (token.type === 'comment') return `!${token.data}`;
    if (token.type === 'doctype') return `?${token.name}`;
    const attributes = [...token.attributes].map(([name, value]) => ` ${name}=${value}`).join('');
    return `<${token.name}${attributes}${token.isSelfClosing ? ' /' : ''}`;
  });
}

const groups: Record<string, [string, string[]][]> = {
  tags: [
    ['<a>x</a>', ['<a', '"x"', '</a']],
    ['<A HREF=X>', ['<a href=X']],
    ['<br/><br / ><br//>', ['<br /', '<br', '<br /']],
    ['<a/b/c=d/>', ['<a b= c=d/']],
    ['<a b = "c"d=\'e\'f>', ['<a b=c d=e f=']],
    ['<a b=c"d\'e<f`g=h>', ['<a b=c"d\'e<f`g=h']],
    ['<a b=>', ['<a b=']],
    ['<a =b =c==d><a/=e>', ['<a =b=c==d', '<a =e=']],
    ['<a "b\'<c>', ['<a "b\'<c=']],
    ['<a b=1 B=2>', ['<a b=1']],
    ['<a b="x>y">', ['<a b=x>y']],
    ['<a\tb\nc\fd\re>', ['<a b= c= d= e=']],
    ['<a\0b c\0=d\0>', ['<a\ufffdb c\ufffd=d\ufffd']],
    ['<K\u212a>', ['<k\u212a']],
    ['</a b="c>d" />x', ['</a', '"x"']],
    ['x<a b="', ['"x"']],
    ['x<a b', ['"x"']],
    ['x</a', ['"x"']],
    ['<', ['"<"']],
    ['a< b<1<<c>', ['"a< b<1<"', '<c']],
    ['</', ['"</"']],
    ['</>a', ['"a"']],
    ['</ x>a', ['! x', '"a"']],
    ['</1>', ['!1']],
    ['a\r\nb\rc', ['"a\nb\nc"']],
    ['a\0b', ['"a\0b"']],
  ],
  'comments and declarations': [
    ['<!--a-->', ['!a']],
    ['<!---->', ['!']],
    ['<!-->a-->', ['!', '"a-->"']],
    ['<!--->a-->', ['!', '"a-->"']],
    ['<!--a--!>b', ['!a', '"b"']],
    ['<!--a--!b-->c', ['!a--!b', '"c"']],
    ['<!--a--->b', ['!a-', '"b"']],
    ['<!--a- ->b-->', ['!a- ->b']],
    ['<!--a<!--b-->c-->', ['!a<!--b', '"c-->"']],
    ['<!--a<!-->b', ['!a<!', '"b"']],
    ['<!---!>a-->', ['!-!>a']],
    ['<!--a\0', ['!a\ufffd']],
    ['<!--a--', ['!a']],
    ['<!--a--!', ['!a']],
    ['<!-', ['!-']],
    ['<!x>a', ['!x', '"a"']],
    ['<?x?>a', ['!?x?', '"a"']],
    ['<!DOCTYPE html>a', ['?html', '"a"']],
    ['<!doctypeHTML PUBLIC "a>b">', ['?html', '"b">"']],
    ['<!doctype', ['?']],
    ['<![CDATA[a>b]]>', ['![CDATA[a', '"b]]>"']],
  ],
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

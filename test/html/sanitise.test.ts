// The sanitiser against hostile and ordinary mail: invariants of the output, idempotence, exact results, linear time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sanitise } from '../../src/html/sanitise.ts';
import { MAX_HTML_DEPTH } from '../../src/limits/mime.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { randomHtml } from './html-random.ts';
import { checkSafe, shownText } from './html-safety.ts';
import { VECTORS } from './html-vectors.ts';

const local = (html: string): string => sanitise(html, { remote: false }).html;
const partUrl = (id: string): string | undefined => (id === 'missing' ? undefined : `/part/${encodeURIComponent(id)}`);
const pageUrl = (page: string): string | undefined =>
  page === 'missing' ? undefined : `/page/${encodeURIComponent(page)}`;

function checkAll(html: string): void {
  for (const remote of [false, true]) {
    checkSafe(sanitise(html, { remote, partUrl, pageUrl }).html);
    const once = sanitise(html, { remote }).html;
    const deepest = checkSafe(once);
    assert.ok(deepest <= MAX_HTML_DEPTH);
    assert.equal(sanitise(once, { remote }).html, once, 'idempotent');
    if (!remote) assert.doesNotMatch(once, /<img src="(?!data:)/);
  }
}

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"';
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 1500);
const payloads = Object.values(VECTORS).flat();

describe('sanitise: hostile input', () => {
  for (const [name, list] of Object.entries(VECTORS)) {
    it(`leaves nothing but the allow-list of ${list.length} payloads: ${name}`, () => {
      for (const payload of list) {
        try {
          checkAll(payload);
        } catch (error) {
          throw new Error(`payload ${JSON.stringify(payload)} gave ${JSON.stringify(local(payload))}`, {
            cause: error,
          });
        }
      }
    });
  }

  it('leaves nothing but the allow-list of random mutations of the payloads', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const pick = <T>(list: readonly T[] | string): T => list[random(list.length)] as T;
    const noise = '<>"\'`=/& \t\n\0\x01-!;:()\\[]#x1pb\u00a0\ud800';
    for (let round = 0; round < ROUNDS; round++) {
      let html = pick(payloads);
      for (let change = 0; change < 4; change++) {
        const at = random(html.length + 1);
        const length = random(6);
        const kind = random(4);
        if (kind === 0) html = html.slice(0, at) + html.slice(at + length);
        else if (kind === 1) html = html.slice(0, at) + pick<string>(noise) + html.slice(at);
        else if (kind === 2) html = html.slice(0, at) + pick(payloads) + html.slice(at);
        else html = html.slice(0, at) + pick(payloads).slice(0, length * 4);
      }
      try {
        checkAll(html);
      } catch (error) {
        throw new Error(`TEST_SEED=${seed}, round ${round}: ${JSON.stringify(html)}`, { cause: error });
      }
    }
  });

  it('leaves nothing but the allow-list of random HTML', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    for (let round = 0; round < ROUNDS / 3; round++) {
      const html = randomHtml(random, 1 + random(40));
      try {
        checkAll(html);
      } catch (error) {
        throw new Error(`TEST_SEED=${seed}, round ${round}: ${JSON.stringify(html)}`, { cause: error });
      }
    }
  });

  it('flattens nesting beyond the bound and keeps the text', () => {
    const nested = (depth: number): string => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}y`;
    assert.equal(local(nested(MAX_HTML_DEPTH)), nested(MAX_HTML_DEPTH));
    assert.equal(local(nested(MAX_HTML_DEPTH + 1)), nested(MAX_HTML_DEPTH));
    const [start, end] = ['<b>'.repeat(MAX_HTML_DEPTH), '</b>'.repeat(MAX_HTML_DEPTH)];
    assert.equal(local(`${start}<b>x</b>y${end}`), `${start}xy${end}`);
  });

  it('is done with 100,000 nested elements without a stack overflow, and bounded', () => {
    const html = local(`${'<div>'.repeat(100_000)}x`);
    assert.equal(html, `${'<div>'.repeat(MAX_HTML_DEPTH)}x${'</div>'.repeat(MAX_HTML_DEPTH)}`);
  });

  it('shows the text in and behind long runs of unfinished and repeated constructs', () => {
    const times = 20_000;
    const shown = (html: string): string => {
      const safe = local(html);
      checkSafe(safe);
      return shownText(safe);
    };
    for (const piece of ['<b><p>', '</b>', '<ul><li>']) assert.equal(shown(`${piece.repeat(times)}x`), 'x', piece);
    for (const piece of ['<', '&']) assert.equal(shown(`${piece.repeat(times)} x`), `${piece.repeat(times)} x`);
    for (const piece of ['</', '<!--', '<a ', '<script><!--', '<svg>']) {
      assert.equal(shown(`x${piece.repeat(times)}x`), 'x', `${piece} hides all that is behind it`);
    }
    const blanks = ' '.repeat(times);
    assert.equal(shown(`<p ${Array.from({ length: times }, (_, index) => `a${index}=1`).join(' ')}>x`), 'x');
    assert.equal(shown(`<p title="${blanks}x" width="${blanks}x" style="${"a:'(".repeat(4000)}">x`), 'x');
    const letters = 'a'.repeat(times);
    assert.equal(shown(`<a href="${blanks}javascript:x">&${letters};&#${'0'.repeat(times)}65;`), `&${letters};A`);
  });
});

describe('sanitise: images and links', () => {
  it('loads remote images only when asked, and says that it left some out', () => {
    const html = '<p>a<img src="http://x.example/a.png" alt="A &amp; B" onload=x>b</p>';
    assert.deepEqual(sanitise(html, { remote: false }), { html: '<p>aA &amp; Bb</p>', blockedRemote: true });
    assert.deepEqual(sanitise(html, { remote: true }), {
      html: '<p>a<img src="http://x.example/a.png" alt="A &amp; B">b</p>',
      blockedRemote: false,
    });
  });

  it('shows images of the message itself by the address of their part', () => {
    const html = '<img src="cid:a%40b"><img src=" CID:missing" alt=gone><img src="cid:" alt=none>';
    const result = sanitise(html, { remote: false, partUrl });
    assert.deepEqual(result, { html: '<img src="/part/a%40b">gonenone', blockedRemote: false });
  });

  it('keeps bitmap data images and no others', () => {
    assert.equal(local('<img src="data:image/png;base64,iVBO\nRw0=">'), '<img src="data:image/png;base64,iVBORw0=">');
    assert.equal(local('<img alt=x src="data:image/svg+xml;base64,PHN2Zz4=">'), 'x');
    assert.equal(local('<img alt=x src="data:image/png;base64,a%22b">'), 'x');
  });

  it('opens links in a new window that knows nothing of this one', () => {
    assert.equal(
      local('<a href=" HTTPS://X.example/a?b=1&c=2 " class=x rel=opener target=_top title="t">x</a>'),
      `<a href="https://x.example/a?b=1&amp;c=2" ${LINK} title="t">x</a>`,
    );
    assert.equal(local('<a href="mailto:a@b.example">x</a>'), `<a href="mailto:a@b.example" ${LINK}>x</a>`);
    assert.equal(local('<a href="tel:+4930123">x</a>'), `<a href="tel:+4930123" ${LINK}>x</a>`);
    assert.equal(local('<a href="/relative">y</a>'), 'y');
    for (const [address, href] of [
      ['webcal://x.example/c.ics', 'webcal://x.example/c.ics'],
      ['sms:+491', 'sms:+491'],
      ['//x.example/a', 'https://x.example/a'],
      [' /\t/x.example/a', 'https://x.example/a'],
      ['www.x.example/a', 'http://www.x.example/a'],
    ] as const) {
      assert.equal(local(`<a href="${address}">y</a>`), `<a href="${href}" ${LINK}>y</a>`, address);
    }
  });

  it('leads to places within the message, whose names cannot hide those of a page', () => {
    assert.equal(local('<a name=top>x</a><a href="#top">y</a>'), '<a id="m-top">x</a><a href="#m-top">y</a>');
    assert.equal(local('<p id=cookie>x<a href="#b%20c">y</a></p>'), '<p id="m-cookie">xy</p>');
  });

  it('reads relative addresses by the first base', () => {
    const html = '<base href="http://x.example/d/"><base href="http://y.example/"><a href="a">a</a>';
    assert.equal(local(html), `<a href="http://x.example/d/a" ${LINK}>a</a>`);
    assert.equal(
      sanitise('<base href="http://x.example/d/"><img src="a.png">', { remote: true }).html,
      '<img src="http://x.example/d/a.png">',
    );
    assert.equal(local('<base href="javascript:x"><a href="alert(1)">a</a>'), 'a');
    assert.equal(local('<base href="http://x.example/"><a href="javascript:x">a</a>'), 'a');
  });

  it('keeps the areas of a picture', () => {
    const html =
      '<img src="cid:d" usemap="#m"><map name=m><area shape=rect coords="0,0,9,9" href="http://x.example/l" alt=l>' +
      '<area href="javascript:x"></map>';
    const safe = sanitise(html, { remote: false, partUrl }).html;
    assert.equal(
      safe,
      `<img src="/part/d" usemap="#m-m"><map name="m-m"><area href="http://x.example/l" ${LINK} shape="rect" ` +
        'coords="0,0,9,9" alt="l"></map>',
    );
    checkSafe(safe);
  });

  it('keeps links to other pages where it is a page of a wiki, and to nothing else', () => {
    const named = [
      ['home', 'home'],
      [' ./home#beds\n', 'home'],
      ['Soil tests', 'Soil tests'],
      ['Soil%20tests', 'Soil tests'],
      ['\u00dcber uns/a b', '\u00dcber uns/a b'],
      ['a/../b', 'b'],
      ['100%25', '100%'],
      ['%252e%252e', '%2e%2e'],
      ['javascript%3Aalert(1)', 'javascript:alert(1)'],
      ['&quot;&gt;&lt;b&gt;', '"><b>'],
    ] as const;
    const wiki = (address: string) =>
      sanitise(`<a href="${address}" target=_top onclick=x>t</a>`, { remote: false, pageUrl }).html;
    for (const [address, page] of named) {
      assert.equal(wiki(address), `<a href="/page/${encodeURIComponent(page)}">t</a>`, address);
      assert.equal(local(`<a href="${address}">t</a>`), 't', 'no link where it is none');
    }
    const nowhere = ['', '#top', '?q', 'home?q', '.', 'missing', '%', '%ff'];
    const outside = [
      '..',
      '../x',
      '../some/where',
      '%2e%2e/x',
      '..%2f',
      '..\\x',
      'a/../../x',
      '/x',
      '/room/x',
      '//evil.example/x',
    ];
    const hosts = ['\\\\evil.example', '/\\evil.example', 'http://room.invalid/room/x', '//room.invalid/room/x'];
    const schemes = ['javascript:x', 'java\nscript:x', '\x01javascript:x', 'data:text/html,x', 'vbscript:x', 'x:y'];
    for (const address of [...nowhere, ...outside, ...hosts, ...schemes]) {
      assert.doesNotMatch(wiki(address), /\/page\/(?!\.\.%2F")/, address);
    }
    assert.equal(wiki('https://x.example/'), `<a href="https://x.example/" ${LINK}>t</a>`);
    const escaped = sanitise('<a href=x>t</a>', { remote: false, pageUrl: () => '/?a&b"' }).html;
    assert.equal(escaped, '<a href="/?a&amp;b&quot;">t</a>');
  });
});

describe('sanitise: ordinary mail', () => {
  const cases: [string, string, string][] = [
    ['plain text', 'Hello & goodbye, 1 < 2', 'Hello &amp; goodbye, 1 &lt; 2'],
    ['character references', 'caf&eacute; &#8364; &unknown; &copy 2024', 'café € &amp;unknown; © 2024'],
    [
      'a document',
      '<!DOCTYPE html><html><head><title>t</title></head><body bgcolor=red><p>x</p></body></html>y',
      '<div style="background-color: red"><p>x</p>y</div>',
    ],
    ['paragraphs without end tags', '<p>a<p>b<div>c</div>', '<p>a</p><p>b</p><div>c</div>'],
    [
      'lists without end tags',
      '<ul><li>a<li>b<ol start=3 type=a><li>c</ol><li>d</ul>e',
      '<ul><li>a</li><li>b<ol start="3" type="a"><li>c</li></ol></li><li>d</li></ul>e',
    ],
    ['definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>'],
    [
      'a table without end tags',
      '<table border=1 width=100%><tr><td>a<td colspan=2>b<tr><th>c</table>',
      '<table border="1" width="100%"><tr><td>a</td><td colspan="2">b</td></tr><tr><th>c</th></tr></table>',
    ],
    [
      'a table in a table',
      '<table><tr><td><table><tr><td>a</table><td>b</table>',
      '<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>',
    ],
    ['a document without a look of its own', '<html><body class=x>x</body></html>', 'x'],
    [
      'struck words and numbered items',
      '<strike>a</strike><nobr>b</nobr><dfn>c</dfn><ol reversed><li value=5>d</ol><ul type=square><li>e</ul>',
      '<strike>a</strike><nobr>b</nobr><dfn>c</dfn><ol reversed=""><li value="5">d</li></ol>' +
        '<ul type="square"><li>e</li></ul>',
    ],
    [
      'what is hidden',
      '<div hidden>a</div><div style="max-height:0;overflow:hidden;opacity:0">b</div>',
      '<div hidden="">a</div><div style="max-height: 0; overflow: hidden; opacity: 0">b</div>',
    ],
    ['cells without a table', '<td>a</td><tr>b', 'ab'],
    [
      'a link in a link',
      '<a href="http://a.example/">a<a href="http://b.example/">b</a>c</a>d',
      `<a href="http://a.example/" ${LINK}>a</a><a href="http://b.example/" ${LINK}>b</a>cd`,
    ],
    ['end tags in the wrong order', '<b>a<i>b</b>c</i>d', '<b>a<i>b</i></b>cd'],
    [
      'an end tag does not leave its cell',
      '<div><table><td>a</div>b</table>c</div>',
      '<div><table><td>ab</td></table>c</div>',
    ],
    [
      'quoted mail',
      '<blockquote type="cite" cite="mid:1"><div dir="ltr">x<br></div></blockquote>',
      '<blockquote><div dir="ltr">x<br></div></blockquote>',
    ],
    ['Outlook', '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><!--[if mso]><table><![endif]-->', '<p>\u00a0</p>'],
    [
      'font elements',
      '<font color="#ff0000" face="Arial, sans-serif" size="+1">x</font>',
      '<font color="#ff0000" face="Arial, sans-serif" size="+1">x</font>',
    ],
    ['preformatted text', '<pre>a\n  b\r\nc</pre>', '<pre>a\n  b\nc</pre>'],
    [
      'lengths with units',
      '<td width=5><table height="10.5px"><td width="5em">x',
      '<table height="10"><td>x</td></table>',
    ],
    [
      'a style of many kinds',
      '<p style="COLOR: Red; margin: 0/**/auto !important; background: #fff; mso-line-height-rule: exactly; ' +
        'font-family: &quot;Segoe UI&quot;, Arial; width:50%;border:1px solid rgba(0, 0, 0, .5)">x</p>',
      "<p style=\"color: Red; margin: 0 auto !important; background-color: #fff; font-family: 'Segoe UI', Arial; width: 50%; " +
        'border: 1px solid rgba(0, 0, 0, .5)">x</p>',
    ],
    ['a style with nothing left', '<p style="position:absolute;top:0">x</p>', '<p>x</p>'],
    ['void elements', 'a<br/>b<hr size=1>c</br>d<wbr>', 'a<br>b<hr size="1">c<br>d<wbr>'],
    ['control characters and NUL', 'a\0b\x1b[31mc&#27;&#x9f;d\u009b', 'ab[31mcŸd'],
    ['unknown elements keep their text', '<custom>a<blink>b</blink></custom>', 'ab'],
  ];
  for (const [name, html, expected] of cases) {
    it(name, () => {
      assert.equal(local(html), expected);
      checkAll(html);
    });
  }
});

describe('sanitise: colours that belong together', () => {
  const cases: [name: string, html: string, expected: string][] = [
    [
      'the colours of the body',
      '<body bgcolor="#222222" text="#ffffff"><p>a</p><font color="#ffffff">b</font></body>',
      '<div style="background-color: #222222; color: #ffffff"><p>a</p><font color="#ffffff">b</font></div>',
    ],
    [
      'the style of the body, and old colours without a mark',
      '<body bgcolor=222222 style="background:#000 url(x);color:#fff">a',
      '<div style="background-color: #222222; background-color: #000; color: #fff">a</div>',
    ],
    [
      'a colour beside a picture',
      '<p style="background:#0b3d5c url(http://x/b.png) no-repeat;color:#ffffff">a</p>',
      '<p style="background-color: #0b3d5c; color: #ffffff">a</p>',
    ],
    [
      'the first colour of a gradient',
      '<p style="background:linear-gradient(#00c,#008);color:#ffffff;padding:10px">a</p>',
      '<p style="background-color: #00c; color: #ffffff; padding: 10px">a</p>',
    ],
    ['white text whose picture is gone', '<p style="background:url(x) center;color:#fff">a</p>', '<p>a</p>'],
    [
      'the same further in',
      '<table background="x"><td><font color=White size=2>a</font></table>',
      '<table><td><font size="2">a</font></td></table>',
    ],
    [
      'the same, with other declarations',
      '<p style="color:rgb(250 250 250);background-image:url(x);margin:1px">a</p>',
      '<p style="margin: 1px">a</p>',
    ],
    [
      'dark text whose picture is gone',
      '<p style="background:url(x);color:#333">a</p>',
      '<p style="color: #333">a</p>',
    ],
    [
      'white text on what remains of a dark ground',
      '<table bgcolor=black><td style="background:url(x);color:#fff">a</table>',
      '<table bgcolor="black"><td style="color: #fff">a</td></table>',
    ],
    [
      'text that inherits a colour from outside of the lost ground',
      '<div style="color:#fff"><p style="background:url(x)">a</p></div>',
      '<div style="color: #fff"><p style="color: black">a</p></div>',
    ],
    [
      'white text behind the lost ground',
      '<p style="background:url(x)">a</p><p style="color:#fff">b</p>',
      '<p>a</p><p style="color: #fff">b</p>',
    ],
    [
      'white text whose ground may be in a style sheet that is not kept',
      '<style>@import "x.css"</style><a class=b href="http://x.example/" style="color:#ffffff">a</a>',
      `<a href="http://x.example/" ${LINK}>a</a>`,
    ],
  ];
  for (const [name, html, expected] of cases) {
    it(name, () => {
      assert.equal(local(html), expected);
      checkAll(html);
    });
  }

  it('keeps a picture of the message itself as a ground, and the text on it', () => {
    const shown = (html: string): string => {
      const safe = sanitise(html, { remote: false, partUrl }).html;
      checkSafe(safe);
      return safe;
    };
    assert.equal(
      shown('<td></td><table><td background="cid:a">x</table>'),
      `<table><td style="background-image: url('/part/a')">x</td></table>`,
    );
    assert.equal(
      shown(`<p style="background:#012 url('cid:a') no-repeat;color:#fff">x</p>`),
      `<p style="background-color: #012; background-image: url('/part/a'); background-repeat: no-repeat; color: #fff">x</p>`,
    );
    assert.equal(shown('<p style="background:url(cid:missing);color:#fff">x</p>'), '<p>x</p>');
    const odd = sanitise('<p style="background:url(cid:a)">x</p>', { remote: false, partUrl: () => `/p/');x:"\\(` });
    assert.equal(odd.html, `<p style="background-image: url('/p/%27%29;x:%22%5c%28')">x</p>`);
  });
});

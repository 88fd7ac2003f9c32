// Messages as they are shown, their header fields, and HTML. Nothing that could be executed is left, no field of ours
// begins a line that is not its own.

import assert from 'node:assert/strict';
import { enrichedToHtml, textToHtml } from '../../../src/html/from-text.ts';
import { sanitise } from '../../../src/html/sanitise.ts';
import { htmlToText } from '../../../src/html/to-text.ts';
import { senderOf, splitAddresses } from '../../../src/mime/addresses.ts';
import {
  decodeHeaderText,
  formatContentDisposition,
  formatContentType,
  formatHeader,
  parseHeaders,
  parseParameters,
} from '../../../src/mime/headers.ts';
import { contentParts } from '../../../src/mime/part.ts';
import { decompressRtf, readRtf } from '../../../src/mime/rtf.ts';
import { unpack } from '../../../src/mime/unpack.ts';
import { walk } from '../../../src/mime/walk.ts';
import { readMessage } from '../../../src/render/message.ts';
import { checkSafe } from '../../html/html-safety.ts';
import { VECTORS } from '../../html/html-vectors.ts';
import { STYLE_VECTORS, styledPage } from '../../html/style-vectors.ts';
import { mailBytes, mailNames } from '../../support/mails.ts';
import type { Target } from '../engine.ts';

const mails = mailNames().map(mailBytes);
/** folded lines, in ASCII; a field may fold right after its name: RFC 5322 section 2.2.3 */
const FIELD = /^[!-9;-~]+:(?: [\t -~]*)?(?:\r?\n[ \t][\t -~]*)*\n?$/;

export const message: Target = {
  name: 'message',
  seeds: mails,
  words: (
    'Content-Type:?multipart/mixed;boundary=b Content-Type:?text/html Content-Type:?message/rfc822 --b\n --b--\n ' +
    'Content-Transfer-Encoding:?base64 quoted-printable 8bit charset=utf-16 charset="x" =3D =\n =?utf-8?q?=C3=BC?= ' +
    "Content-Disposition:?attachment;filename*=utf-8''a%0Ab name*0*=x \n\n multipart/alternative multipart/related"
  )
    .split(' ')
    .map((word) => word.replaceAll('?multipart', ' multipart').replaceAll(':?', ': ')),
  run(input) {
    const source = Buffer.from(input.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    const job = { kind: 'message', source, isWhole: true, format: '4', rows: [], path: '/r/x/1', pagesPath: '/r/x/' };
    const words: string[] = [];
    for (const isPlain of [false, true]) {
      const reading = readMessage({ ...job, isPlain, isRemoteLoaded: false, isPacked: false } as never);
      JSON.stringify(reading);
      if (!isPlain) checkShown(reading.text);
      words.push(String(Math.min(reading.parts.length, 5)), reading.text.trim() === '' ? 'nothing' : 'text');
    }
    return words.join(' ');
  },
};

/** winmail.dat, signed data, uuencoded and rich text */
export const unpacked: Target = {
  name: 'unpacked',
  seeds: [
    '789f3e22010001079006000800000004e4040000000000ffff020290060001000000000000020f8006000300000043617400000000',
    '308006092a864886f70d010702a0803080020101310030800609 2a864886f70d010701a080248004036162630000000000000000310000000000',
  ]
    .map((seed) => Buffer.from(seed.replaceAll(' ', ''), 'hex'))
    .concat(
      Buffer.from('a\nbegin 644 a\n#0V%T\n`\nend\nb\n'),
      Buffer.from(
        '{\\rtf1\\fromhtml1{\\*\\htmltag <b>}\\htmlrtf{\\b\\htmlrtf0 \\\'e4\\u9? {\\field{\\*\\fldinst HYPERLINK "a"}',
      ),
      Buffer.from('<bold>a<<<color><param>red</param>b</color>\n\nc'),
    ),
  words: ['begin 644 a\n', '#0V%T\n', 'end\n', '\x30\x80', '\0\0', '<param>', '</param>', '\x1f\0\x07\x37'],
  run(input) {
    const found = ['application/ms-tnef', 'application/pkcs7-mime', 'text/plain'].map((type) => {
      const entity = unpack({ type, name: '', charset: '' }, input);
      return entity ? [...contentParts(walk(entity))].length : 0;
    });
    checkSafe(sanitise(readRtf(decompressRtf(input) ?? input).text, { remote: true }).html);
    checkSafe(sanitise(enrichedToHtml(input.toString()), { remote: true }).html);
    return found.join(' ');
  },
};

export const header: Target = {
  name: 'header',
  seeds: mails.map((mail) => mail.subarray(0, mail.indexOf('\n\n'))),
  words: (
    '=?utf-8?q?=0A?= =?utf-8?b?Cg==?= =?x?b?x?= filename*=utf-8\'\'%0d%0a filename*0="a" filename*1*=%41 ; \\" <a@b> ' +
    '"a,b"?<c@d> (comment) group:; =?iso-2022-jp?b?GyRC?= \r\n\u0020 Bcc: X:'
  ).split(' '),
  run(input) {
    const fields = parseHeaders(input);
    for (const { value } of fields) {
      const text = decodeHeaderText(value);
      assert.match(formatHeader('X-Field', text), FIELD);
      const { params } = parseParameters(value);
      for (const param of params.values()) {
        assert.match(`X: ${formatContentDisposition('attachment', param)}`, FIELD);
        assert.match(`X: ${formatContentType('text/plain', [['name', param]])}`, FIELD);
      }
      senderOf(text);
      splitAddresses(text);
    }
    return `${Math.min(fields.length, 20)} fields`;
  },
};

export const html: Target = {
  name: 'html',
  seeds: Object.values(VECTORS)
    .flat()
    .map((vector) => Buffer.from(vector)),
  words: (
    '<script> </script> <style> <svg> <math> <mtext> <table> <td> <a?href="javascript:x"> <img?src=x?onerror=x> --> ' +
    '<!-- <![CDATA[ ]]> <template> <select> <plaintext> <noscript> style="a:url(x)" &lt; &#x0; <p <b> </b> <br/> \0'
  )
    .split(' ')
    .map((word) => word.replaceAll('?', ' ')),
  run(input) {
    const source = input.toString();
    for (const remote of [false, true]) {
      const safe = sanitise(source, { remote }).html;
      checkSafe(safe);
      assert.equal(sanitise(safe, { remote }).html, safe, 'what is safe stays as it is');
    }
    checkShown(textToHtml(htmlToText(source)));
    return 'shown';
  },
};

/** Style elements: no rule of theirs is for anything but the message. */
export const styles: Target = {
  name: 'styles',
  seeds: [
    ...Object.values(STYLE_VECTORS).flat(),
    'p.MsoNormal, li.MsoNormal{margin:0cm;font-family:"Calibri",sans-serif}@media only screen and (max-width:600px){.full{width:100%!important}}',
    'body > .x:nth-child(2n+1) + td[class~="y"]:hover::before, #z{content:"a";background:#fff url(cid:a) no-repeat}',
  ].map((css) => Buffer.from(css)),
  words: (
    '{ } [ ] ( ) : :: ; , . # > + ~ * | & @media @import @font-face @supports url( url(" </style> <!-- --> /* */ \\ \\65 \\22 ' +
    '.OUTSIDE #OUTSIDE body html :root :visited :not( :has( :nth-child(2n+1) [class= [href^= !important color:red ' +
    'background:url(cid:a) content:"x" .m-mail-000000000000 " \' \0 \ud800 m- x p'
  ).split(' '),
  run(input) {
    const safe = sanitise(styledPage(input.toString()), { remote: true }).html;
    checkSafe(safe.replace(/src="[^"]*"/g, 'src="/part/"'));
    assert.equal(sanitise(safe, { remote: true }).html, safe, 'what is safe stays as it is');
    return safe.includes('@media') ? 'media' : safe.includes('<style>') ? 'rules' : 'none';
  },
};

/** Pictures that are parts of the message have addresses of their own. */
function checkShown(text: string): void {
  checkSafe(text.replaceAll('src="/r/x/1/', 'src="/part/').replaceAll('href="/r/x/', 'href="/page/'));
}

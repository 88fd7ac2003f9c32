// `npm run corpus`: what a reader sees of mail that programs send wrong, one small message for each kind.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

interface Seen {
  subject?: string;
  from?: string;
  to?: string[];
  cc?: string[];
  text?: string;
  html?: string;
  /** `number type name`, and the content of those that are named */
  parts?: string[];
  contents?: Record<string, string>;
}

const mixed = (...parts: string[]) =>
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n${parts.join('\n--b\n')}\n--b--\n`;
const TEXT = 'Content-Type: text/plain\n\ntext';
const file = (encoding: string, content: string) =>
  mixed(TEXT, `Content-Type: application/pdf; name=a.bin\nContent-Transfer-Encoding: ${encoding}\n\n${content}`);
const subject = (field: string, rest = '') => `Subject: ${field}\n${rest}\nx\n`;
const CAT = { 'a.bin': 'Cat' };

/** in Latin 1, so that each character is a byte */
const MAILS: Record<string, [source: string, seen: Seen]> = {
  'words of Japanese': [
    subject('=?ISO-2022-JP?B?GyRCOzNFRBsoQg==?=\n =?iso-2022-jp-ms?B?GyRCQkBPOhsoQg==?='),
    { subject: '山田太郎' },
  ],
  'a name of two words': [
    'From: =?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= =?ISO-2022-JP?B?GyRCQkBPOhsoQg==?= <y@example.org>\n\nx\n',
    { from: '山田太郎' },
  ],
  'a name in raw Latin 1': ['From: J\xf6rg <j@example.org>\n\nx\n', { from: 'Jörg' }],
  'a subject in raw Latin 1': [subject('R\xe9union pr\xe9vue'), { subject: 'Réunion prévue' }],
  'a subject in raw UTF-8': [subject('R\xc3\xa9union'), { subject: 'Réunion' }],
  'a subject in the charset of the text': [
    subject('\xf4\xcf', 'Content-Type: text/plain; charset=koi8-r\n'),
    { subject: 'То' },
  ],
  'a subject in the charset of a part': [
    `Subject: \xf4\xcf\n${mixed('Content-Type: text/plain; charset=koi8-r\n\n\xf4\xcf')}`,
    { subject: 'То', text: 'То' },
  ],
  'raw bytes in a word': [subject('=?iso-8859-1?Q?Fr\xfcsche?='), { subject: 'Früsche' }],
  'raw Cyrillic in a word': [subject('=?koi8-r?Q?\xf4\xcf?='), { subject: 'То' }],
  'a word and raw UTF-8': [subject('=?UTF-8?Q?caf=C3=A9?= f\xc3\xbcr alle'), { subject: 'café für alle' }],
  'a word in no charset': [subject('=?unknown-8bit?B?R3LDvMOfZQ==?='), { subject: 'Grüße' }],
  'a word with a wrong label': [subject('=?utf-8?Q?Gr=FC=DFe?='), { subject: 'Grüße' }],
  'a text in a charset by another name': [
    'Content-Type: text/plain; charset="win-1251"\nContent-Transfer-Encoding: base64\n\nz/Do4uXy\n',
    { text: 'Привет' },
  ],
  'the name of a file': [
    mixed(
      TEXT,
      'Content-Type: application/pdf\nContent-Disposition: attachment; filename*="=?UTF-8?B?w7wucGRm?="\n\nx',
    ),
    { parts: ['1 text/plain', '2 application/pdf ü.pdf'] },
  ],
  'a raw name of a file': [
    mixed(TEXT, 'Content-Type: application/pdf; name="\xfc.pdf"\n\nx'),
    { parts: ['1 text/plain', '2 application/pdf ü.pdf'] },
  ],
  ...Object.fromEntries(
    [
      ['7-bit', 'Cat'],
      ['none', 'Cat'],
      ['utf-8', 'Cat'],
      ['"base64"', 'Q2F0'],
      ['base64 (comment)', 'Q2F0'],
      ['quoted-printable;', 'C=61t'],
      ['x-uuencode', 'begin 644 a.bin\n#0V%T\n`\nend'],
      ['base64', 'Q2E=\ndA=='],
    ].map(([encoding, content]): [string, [string, Seen]] => [
      `the encoding ${encoding}`,
      [file(encoding!, content!), { contents: CAT }],
    ]),
  ),
  'a line of a mailbox file in the header': [
    `>From ann@example.org Mon Feb  2\n${mixed(TEXT, 'Content-Type: application/pdf; name=a.bin\n\nCat')}`,
    { text: 'text', contents: CAT },
  ],
  'a parameter that lost its indentation': [
    'Content-Type: multipart/mixed;\nboundary="b"\n\n--b\nContent-Type: text/html\n\n<i>a</i>\n--b--\n',
    { html: '<i>a</i>' },
  ],
  'the same before other fields': [
    'Content-Type: multipart/mixed;\nboundary="b"\nX-Other: 1\n\n--b\nContent-Type: text/html\n\n<i>a</i>\n--b--\n',
    { html: '<i>a</i>' },
  ],
  'such a line in a message inside': [
    mixed(
      TEXT,
      'Content-Type: message/rfc822\n\nFrom - Mon Feb 02\nFrom: c@example.org\nContent-Type: multipart/mixed; boundary=i\n\n' +
        '--i\nContent-Type: text/html\n\n<b>x</b>\n--i\nContent-Type: application/pdf; name=a.bin\n\nCat\n--i--\n',
    ),
    { contents: CAT },
  ],
  'a text that begins like a mailbox file': ['Subject: x\n\nFrom the start\n', { text: 'From the start\n' }],
  'a type without a semicolon': ['Content-Type: text/html charset=utf-8\n\n<b>\xc3\xbc</b>\n', { html: '<b>ü</b>\n' }],
  'a type of one word': ['Content-Type: html\n\n<b>x</b>\n', { html: '<b>x</b>\n' }],
  'a report whose text is not its first part': [
    'Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n' +
      '--b\nContent-Type: text/plain\n\nhuman words\n--b--\n',
    { text: 'human words' },
  ],
  'enriched text': [
    'Content-Type: text/enriched\n\n<bold>Hi</bold> <<there\n\n<color><param>red</param>second</color>\n',
    { text: 'Hi <there\nsecond\n', html: '<b>Hi</b> &lt;there<br><font color="red">second</font> ' },
  ],
  'a uuencoded file in the text': [
    'Subject: s\n\nHere.\nbegin 644 a.bin\n#0V%T\n`\nend\nBye\n',
    {
      text: 'Here.\nBye\n',
      contents: CAT,
      parts: ['1 text/plain', '1.1.1 text/plain', '1.1.2 application/octet-stream a.bin'],
    },
  ],
  'a name that reverses its direction': [
    mixed(
      TEXT,
      "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''a%E2%80%AEfdp.exe\n\nx",
    ),
    { parts: ['1 text/plain', '2 application/pdf afdp.exe'] },
  ],
  'a picture by its place': [
    mixed(
      'Content-Type: text/html\n\n<img src="http://example.org/a.png"><img src="b.png"><img src="c.png">',
      'Content-Type: image/png\nContent-Location: http://example.org/a.png\n\nx',
      'Content-Type: image/png\nContent-ID: <b.png>\n\nx',
      'Content-Type: image/png; name=c.png\n\nx',
    ),
    { html: '<img src="@/2"><img src="@/3"><img src="@/4">' },
  ],
  groups: [
    'To: Undisclosed recipients:;\nCc: Team: bob@example.org, "Carol, C" <c@example.org>;, d@example.org\n\nx\n',
    { to: [], cc: ['bob@example.org', '"Carol, C" <c@example.org>', 'd@example.org'] },
  ],
};

/** `/svc/r/Lobby/12` → `@` */
const withoutPath = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll(/\/svc\/r\/Lobby\/\d+/g, '@') : value;

describe('npm run corpus', () => {
  it('shows what was meant', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vestibule-corpus-'));
    t.after(() => rm(folder, { recursive: true }));
    const names = Object.keys(MAILS);
    for (const [i, name] of names.entries()) {
      const [source] = MAILS[name]!;
      const head = source.includes('From: ') ? '' : 'From: Ann <ann@example.org>\n';
      await writeFile(join(folder, `${i}.eml`), Buffer.from(head + source, 'latin1'));
    }
    const script = join(import.meta.dirname, '../../scripts/corpus.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder]);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, names.length);
    for (const line of lines) {
      const seen = JSON.parse(line);
      const name = names[Number.parseInt(seen.file, 10)]!;
      const { parts, contents = {}, ...fields } = MAILS[name]![1];
      for (const [key, value] of Object.entries(fields))
        assert.deepEqual(withoutPath(seen[key]), value, `${name}: ${key} in ${line}`);
      const listed = (seen.parts as { number: string; name: string; type: string; sha256?: string }[]) ?? [];
      if (parts)
        assert.deepEqual(
          listed.map((part) => `${part.number} ${part.type} ${part.name}`.trim()),
          parts,
          name,
        );
      for (const [file, content] of Object.entries(contents)) {
        assert.equal(listed.find((part) => part.name === file)?.sha256, hash('sha256', content), `${name}: ${line}`);
      }
    }
  });
});

// `npm run corpus -- FOLDER --page FILE`: HTML mails as they were sent and as the web client shows them, side by side.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const all = { words: 1, alignments: 1, colours: 1 };

/** each with the shares that agree */
const MAILS: Record<string, [html: string, shares: Record<string, number>]> = {
  'as it is.eml': [
    '<p>Some <font color="#ff0000">red</font> text</p><table align=center><td align=right>to the right</table>',
    all,
  ],
  'outlook.eml': [
    '<style><!--\n@font-face\n\t{font-family:Calibri;}\np.MsoNormal, li.MsoNormal\n\t{margin:0cm;\n\ttext-align:right;}\n' +
      'a:link, span.MsoHyperlink\n\t{mso-style-priority:99;\n\tcolor:#0563C1;}\n--></style><div class=WordSection1>' +
      '<p class=MsoNormal>Hello <a href="http://example.org/">there</a><o:p></o:p></p></div>',
    all,
  ],
  // the frame is narrower than 600 pixels
  'newsletter.eml': [
    '<style>body{background:#eeeeee} .card{background-color:#123456;color:#fff!important} .card td{text-align:right}' +
      '@media only screen and (max-width:600px){.wide{display:none!important} td[class=narrow]{text-align:center!important}}' +
      '@media only screen and (min-width:900px){.card{color:red!important}}</style>' +
      '<table class=card width="100%"><tr><td class=narrow>Autumn news<td style="color:#ffff00">now<td class=wide>more</table>',
    all,
  ],
  // a rule that is not kept, for the half of the words; text on a picture that is not shown
  'otherwise.eml': [
    '<style>b ~ i{color:red;text-align:right}</style><b>one</b> <i>two</i>',
    { words: 1, alignments: 0.5, colours: 0.5 },
  ],
  'picture.eml': [
    '<style>.a{color:#fff;background:url(http://example.org/x.png)}</style><p class=a>one two</p>',
    { ...all, colours: 0 },
  ],
};

describe('npm run corpus -- --page', () => {
  it('shows each HTML mail twice, and what agrees', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vestibule-fidelity-'));
    t.after(() => rm(folder, { recursive: true }));
    const head = 'From: Ann <ann@example.org>\nMIME-Version: 1.0\nSubject: x\n';
    for (const [name, [html]] of Object.entries(MAILS))
      await writeFile(join(folder, name), `${head}Content-Type: text/html; charset=utf-8\n\n${html}\n`);
    await writeFile(join(folder, 'plain.eml'), `${head}\ntext without HTML\n`);
    const page = join(folder, 'page.html');
    const script = join(import.meta.dirname, '../../scripts/corpus.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder, '--page', page]);
    const seen = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => {
          const { file, ...shares } = JSON.parse(line);
          return [file, shares];
        }),
    );
    assert.deepEqual(seen, Object.fromEntries(Object.entries(MAILS).map(([name, [, shares]]) => [name, shares])));
    const written = await readFile(page, 'utf8');
    assert.equal(
      written.match(/<img src="data:image\/png;base64,[\w+/]{500,}/g)?.length,
      2 * Object.keys(MAILS).length,
    );
    assert.match(written, /<th>all<td>100\.0 %<td>90\.0 %<td>70\.0 %/);
  });
});

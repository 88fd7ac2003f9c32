// What comments cite is there: sections and quirks of the line protocol in src/protocol, decisions. And so are the
// files that READMEs name.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { citableIn, citationFaults, fileNameFaults } from './support/reference-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'test', 'scripts', 'static'];

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const textIfThere = (path: string) => (existsSync(join(ROOT, path)) ? textOf(path) : '');

/** Paths from the root of the sources and of what is written beside them. */
function texts(): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const isOurs = (path: string) => !/^test\/(fixtures|references\.test)|node_modules/.test(path);
  const paths = ['README.md', 'CONTRIBUTING.md', ...inFolders.filter(isOurs)];
  return paths.filter((path) => /\.(ts|js|cjs|css|html|md)$/.test(path));
}

function recordings(): string[] {
  return ['transcripts', 'quirks'].flatMap((folder) => readdirSync(join(ROOT, 'test/fixtures', folder)));
}

const CITABLE = citableIn(
  {
    protocol: textOf('src/protocol/PROTOCOL.md'),
    quirks: textOf('src/protocol/QUIRKS.md'),
    decisions: textIfThere('src/README.md'),
    http: textIfThere('src/api/DECISIONS.md'),
  },
  recordings(),
);

describe('references', () => {
  it('of comments and documents lead to a section, a quirk, a decision or a recording that is there', () => {
    const paths = texts();
    assert.ok(paths.length > 300, 'the sources were found');
    assert.deepEqual(
      paths.flatMap((path) => citationFaults(path, textOf(path), CITABLE)),
      [],
    );
  });

  it('of documents name files that are there', () => {
    const documents = texts().filter((path) => path.endsWith('.md'));
    const exists = (path: string) => existsSync(join(ROOT, path));
    assert.deepEqual(
      documents.flatMap((path) => fileNameFaults(path, textOf(path), exists)),
      [],
    );
  });

  it('find every quirk from the first to the last, and each section once', () => {
    const numbers = [...CITABLE.quirks].map((quirk) => Number.parseInt(quirk.slice(1), 10));
    const last = Math.max(...numbers);
    assert.deepEqual(
      Array.from({ length: last }, (_, i) => i + 1).filter((number) => !numbers.includes(number)),
      [],
    );
    const written = textOf('src/protocol/PROTOCOL.md').match(/^#{2,4} \d+(\.\d+)*/gm)!;
    assert.equal(written.length, new Set(written.map((heading) => heading.replace(/^#+ /, ''))).size);
  });
});

describe('the check of references', () => {
  const citable = citableIn(
    {
      protocol: '## 1. Connection\n\n### 17.2 Cards\n\n## 18. Verbs\n',
      quirks: '#### Q5 Rights\n\n#### Q5a One\n',
      decisions: '| 6 | text |\n\n5. Five\n\n4 winds\n',
      http: '## Decisions\n\n**12. Twelve.** It says\n13 times.\n',
    },
    ['25-room-kinds.txt'],
  );
  const faults = (text: string, path = 'src/a.ts') => citationFaults(path, text, citable);

  it('takes what is named and there', () => {
    for (const text of [
      '// (protocol section 17.2), (protocol sections 1 and 18), protocol sections 1 to 18, protocol sections 1, 17.2',
      '// RFC 9110 section 99.9 and RFC 2046 sections 5.1 and 6, HTML section 13.2.5',
      '// quirk Q5a, quirks Q5, Q5a; decision 6, decision 5, HTTP decision 12',
      "assert.equal(reply, '571 Section 9 not found.');",
      '<section class="room">',
    ]) {
      assert.deepEqual(faults(text), [], text);
    }
    assert.deepEqual(faults('See section 17.2, Q5 and [25].', 'src/protocol/QUIRKS.md'), []);
    assert.deepEqual(faults('See section 3 below.', 'src/client/README.md'), []);
  });

  for (const [text, fault] of [
    ['a\n// (protocol section 17.3)', 'src/a.ts:2: there is no protocol section 17.3'],
    ['// (protocol sections 1 and 99)', 'src/a.ts:1: there is no protocol section 99'],
    ['// (section 1)', 'src/a.ts:1: section 1 of which document?'],
    ['// (spec section 1)', 'src/a.ts:1: section 1 of which document?'],
    ['// RFC 9110\n// section 1', 'src/a.ts:2: section 1 of which document?'],
    ['/**\n * as RFC 9110 section\n * 8.8 says\n */', 'src/a.ts:2: section\n * 8.8 of which document?'],
    ['// RFC 9110 section 1, and section 2', 'src/a.ts:1: section 2 of which document?'],
    ['// (quirk Q6)', 'src/a.ts:1: there is no quirk Q6'],
    ["reason: 'No line is cut (Q5b).'", 'src/a.ts:1: there is no quirk Q5b'],
    ['// decision 12', 'src/a.ts:1: there is no decision 12'],
    ['// decision 4', 'src/a.ts:1: there is no decision 4'],
    ['// HTTP decision 6', 'src/a.ts:1: there is no HTTP decision 6'],
    ['// HTTP decision 13', 'src/a.ts:1: there is no HTTP decision 13'],
  ] as const) {
    it(`says: ${fault.replace('\n', ' ')}`, () => assert.deepEqual(faults(text), [fault]));
  }

  it('looks at the sections and recordings of the reference itself', () => {
    assert.deepEqual(faults('section 2 [26]', 'src/protocol/PROTOCOL.md'), [
      'src/protocol/PROTOCOL.md:1: there is no protocol section 2',
      'src/protocol/PROTOCOL.md:1: there is no recording 26',
    ]);
    assert.deepEqual(faults('protocol section 2, quirk Q7', 'src/client/README.md'), [
      'src/client/README.md:1: there is no protocol section 2',
      'src/client/README.md:1: there is no quirk Q7',
    ]);
  });

  const there = new Set(['src/client/', 'src/client/pool.ts', 'src/main.ts', 'test/a.test.ts', 'src/client/README.md']);
  const names = (text: string, path = 'src/client/README.md') => fileNameFaults(path, text, (one) => there.has(one));

  it('finds the files that a README names', () => {
    for (const text of [
      '`pool.ts` and `src/main.ts`, which `client/pool.ts` calls; `main.ts`.',
      'See src/main.ts. Also src/client/<part>.ts, `src/client/*.ts` and test/a.test.ts.',
      'https://example.org/src/none.ts, Node.js, `$U/s/none.js`, [itself](README.md#here)',
    ]) {
      assert.deepEqual(names(text), [], text);
    }
    assert.deepEqual(names('| `src/client/README.md`, `pool.ts` |', 'README.md'), []);
  });

  for (const [text, name] of [
    ['`none.ts`', 'none.ts'],
    ['`client/none.ts`', 'client/none.ts'],
    ['in src/client/none.ts, too', 'src/client/none.ts'],
    ['`src/none/<part>.ts`', 'src/none/'],
    ['```\nsrc/client/   none.ts does it\n```', 'none.ts'],
    ['[more](MORE.md)', 'MORE.md'],
  ] as const) {
    it(`says that there is no ${name} (${text.replaceAll('\n', ' ')})`, () => {
      assert.deepEqual(
        names(`first\n\n${text}`).map((fault) => fault.replace(/:\d+:/, ':')),
        [`src/client/README.md: there is no ${name}`],
      );
    });
  }

  it('tells the line, and takes a bare name for one of the same paragraph only', () => {
    assert.deepEqual(names('`src/client/pool.ts`\n\n`pool.ts`\n', 'README.md'), ['README.md:3: there is no pool.ts']);
  });
});

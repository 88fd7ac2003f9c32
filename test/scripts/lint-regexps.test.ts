// npm run lint refuses regular expressions that are not linear.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const SCRIPT = join(import.meta.dirname, '../../scripts/lint-regexps.ts');

/** Runs it on a tree with these files. */
function lint(files: Record<string, string>): { status: number | null; faults: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', SCRIPT, '--folder', folder],
      { encoding: 'utf8' },
    );
    return { status, faults: stderr.split('\n').filter((line) => line !== '') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the check of regular expressions', () => {
  it('refuses what is exponential, polynomial, or polynomial as a search, and tells where it is', () => {
    const { status, faults } = lint({
      'static/a.js': String.raw`export const line = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)*):(.*)$/;`,
      'src/b.ts': 'const a: string = "";\n\nexport const cut = a.replace(/\\ufffd+$/, "");\n',
      'src/c/d.ts': 'export const pattern = /^\\s*,?\\s*$/;\n',
      'src/e.ts': "export const pattern = new RegExp('(a+)+$', 'i');\n",
      'src/f.ts': `const word = '[a-z]+';\nexport const pattern = RegExp(\`^\${word}(?:x|\${word})*$\`);\n`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source
      'src/h.ts': 'const word = String.raw`\\w+`;\nexport const p = new RegExp(String.raw`^(?:${word})*` + "$");\n',
      'scripts/g.ts': 'export const f = (word: string) => new RegExp(word);\n',
    });
    assert.equal(status, 1);
    const expected = [
      /^scripts\/g\.ts:1: .* is put together at run time$/,
      /^src\/b\.ts:3: \/\\ufffd\+\$\/ 2nd degree polynomial/,
      /^src\/c\/d\.ts:1: .* 2nd degree polynomial/,
      /^src\/e\.ts:1: \/\(a\+\)\+\$\/i exponential/,
      /^src\/f\.ts:2: .* exponential/,
      /^src\/h\.ts:2: \/\^\(\?:\\w\+\)\*\$\/ exponential/,
      /^static\/a\.js:1: .* exponential/,
    ];
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const [i, pattern] of expected.entries()) assert.match(faults[i]!, pattern);
  });

  it('passes what is linear, and texts and divisions that look like expressions', () => {
    const source = [
      'export const patterns = [/^a+b+$/, /"[^"]*"/g, /[ \\t]+/y, /^(?:ab|ac)*$/m, /(?=x)x{1,40}/u];',
      "export const text = '/(a+)+$/'; // /(a+)+$/",
      'export const ratio = (a: number, b: number, c: number) => a / (b+c) / c;',
      "const name = '[a-z]';",
      `export const made = new RegExp(\`\${name}+\`, 'y');`,
    ].join('\n');
    const { status, faults } = lint({ 'src/a.ts': source });
    assert.deepEqual(faults, []);
    assert.equal(status, 0);
  });
});

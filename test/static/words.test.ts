// The catalogues of the web client: each text that it shows is there in every language, with the same names to fill in.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const STATIC = join(import.meta.dirname, '../../static');
const LANGUAGES = ['en', 'de', 'fr', 'es'];

type Words = Record<string, string | Record<string, string>>;
const catalogues = new Map(
  await Promise.all(
    LANGUAGES.map(async (language) => {
      const { words } = (await import(join(STATIC, 'words', `${language}.js`))) as { words: Words };
      return [language, words] as const;
    }),
  ),
);
const english = catalogues.get('en')!;
/** what is to be filled in, in any of its forms */
const namesIn = (text: Words[string]) =>
  [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].filter((name) => name !== '{count}').sort();

describe('words of the web client', () => {
  it('are known by every name that the modules ask for', () => {
    const asked = globSync('**/*.js', { cwd: STATIC }).flatMap((file) => {
      const source = readFileSync(join(STATIC, file), 'utf8');
      return [...source.matchAll(/\bt\(\s*'([\w.-]+)'/g)].map(([, name]) => name!);
    });
    assert.ok(asked.length > 200);
    assert.deepEqual(
      asked.filter((name) => !(name in english)),
      [],
    );
  });

  for (const [language, words] of catalogues) {
    it(`are all there in ${language}, in the order of their names`, () => {
      const names = Object.keys(words);
      assert.deepEqual(names, Object.keys(english).sort());
      const wrong = names.filter((name) => namesIn(words[name]!).join() !== namesIn(english[name]!).join());
      assert.deepEqual(wrong, []);
    });
  }
});

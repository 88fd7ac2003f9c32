// The counter of steps sees what grows faster than its input, whatever hides it, and nothing in what does not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countMatch } from './steps/regexp-steps.ts';
import { countSteps } from './steps.ts';

/** How much more four times as much costs: 4 is linear, 16 quadratic. */
async function growth(run: (size: number) => unknown, size = 200): Promise<number> {
  const [once, four] = [await countSteps(() => run(size)), await countSteps(() => run(4 * size))];
  return four / once;
}

const within = (pattern: RegExp, make: (size: number) => string) => (size: number) => pattern.exec(make(size));

const LINEAR: Record<string, (size: number) => unknown> = {
  'a loop over characters': (size) => {
    const text = 'a'.repeat(size);
    let found = 0;
    for (const character of text) if (character === 'b') found++;
    return found;
  },
  'indexOf from where the last one was': (size) => {
    const text = 'a;'.repeat(size);
    for (let at = text.indexOf(';'); at >= 0; at = text.indexOf(';', at + 1));
  },
  'splitting, joining': (size) => 'a b '.repeat(size).split(' ').join('-'),
  'a global replacement': (size) => 'a b '.repeat(size).replace(/ +/g, '-'),
  'a sticky expression': (size) => {
    const token = /[a-z]+ /y;
    const text = 'ab '.repeat(size);
    while (token.exec(text));
  },
  'pieces put together once': (size) => Buffer.concat(Array.from({ length: size }, () => Buffer.from('a'))),
};

const QUADRATIC: Record<string, (size: number) => unknown> = {
  'a loop in a loop': (size) => {
    let sum = 0;
    for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) sum += j;
    return sum;
  },
  'an expression that looks for the end at each place': within(/\ufffd+$/, (size) => `${'\ufffd'.repeat(size)}a`),
  'the same in a replacement': (size) => `${' '.repeat(size)}a`.replace(/[ \t]+$/, ''),
  'two repetitions side by side': within(/^\s*\s*a/, (size) => ' '.repeat(size)),
  'the rest cut off and looked through each time': (size) => {
    let rest = 'a;'.repeat(size);
    for (let at = 0; at >= 0; rest = rest.slice(at + 1)) {
      at = rest.indexOf(';');
      if (rest.includes('"')) return;
    }
  },
  'bytes put together again and again': (size) => {
    let whole = Buffer.alloc(0);
    for (let i = 0; i < size; i++) whole = Buffer.concat([whole, Buffer.from('a')]);
  },
  'a list that is shifted': (size) => {
    const list = Array.from({ length: size }, () => 0);
    while (list.length > 0) list.shift();
  },
  'a list that is spread': (size) => {
    let list: number[] = [];
    for (let i = 0; i < size; i++) list = [...list, i];
  },
  'a list that is looked through for each of its elements': (size) => {
    const list = Array.from({ length: size }, (_, i) => i);
    for (let i = 0; i < size; i++) list.find((one) => one < 0);
  },
  'lower case of the whole for each piece': (size) => {
    const text = 'A;'.repeat(size);
    for (let i = 0; i < size; i++) text.toLowerCase();
  },
  'what fails to be decoded, from each place': (size) => {
    const text = `${'%20'.repeat(size)}%`;
    for (let i = 0; i < size; i++) {
      try {
        decodeURIComponent(text);
      } catch {}
    }
  },
  'waiting in between': async (size) => {
    const text = 'a'.repeat(size);
    for (let i = 0; i < size; i++) await text.indexOf('b');
  },
};

describe('countSteps', () => {
  for (const [name, run] of Object.entries(LINEAR)) {
    it(`finds linear: ${name}`, async () => {
      const found = await growth(run);
      assert.ok(found > 3 && found < 4.5, String(found));
    });
  }

  for (const [name, run] of Object.entries(QUADRATIC)) {
    it(`finds quadratic: ${name}`, async () => {
      const found = await growth(run);
      assert.ok(found > 10, String(found));
    });
  }

  it('ends what is exponential, also where the code catches it', async () => {
    const pattern = /^((?:;(?:"[^"]*"|[^":])*)*):/;
    await assert.rejects(
      countSteps(() => pattern.exec(';'.repeat(40))),
      /takes more than/,
    );
    await assert.rejects(
      countSteps(() => {
        try {
          ';'.repeat(40).replace(pattern, '');
        } catch {}
      }),
      /takes more than/,
    );
  });

  it('gives the same number each time', async () => {
    const run = () =>
      'a b "c" '
        .repeat(100)
        .split(/ +/)
        .map((word) => word.toLowerCase());
    assert.equal(await countSteps(run), await countSteps(run));
  });

  it('throws what is thrown, and puts the built-in functions back', async () => {
    const { exec } = RegExp.prototype;
    const { indexOf } = String.prototype;
    await assert.rejects(
      countSteps(() => {
        throw new Error('so');
      }),
      /^Error: so$/,
    );
    assert.equal(RegExp.prototype.exec, exec);
    assert.equal(String.prototype.indexOf, indexOf);
  });

  it('matches as the engine does', () => {
    const texts = ['', 'aab', 'foo=1;bar', 'A\nb\u2028C', '\ud83d\ude00x', 'xaxbxc', '  a  ', '"a\\"b"', 'abcabc'];
    const patterns = [
      /a*?b/,
      /(?:a|ab)(?:c|bcd)*$/,
      /(?<=x)[abc](?!x)/g,
      /(?<!o{1,2})=\d/,
      /^b$/m,
      /\bx\B/,
      /(?:a{0,2}){2,3}b?/,
      /(?:)*x/,
      /\p{L}+/gu,
      /[\p{L}--[a-c]]/v,
      /./gu,
      /.$/su,
      /[\s\S]{2,3}?/g,
      /"(?:[^"\\]|\\.)*"/,
      /A|(?:b*)*C/i,
      /(?=(a+))a/y,
    ];
    for (const text of texts) {
      for (const pattern of patterns) {
        pattern.lastIndex = 0;
        const { found } = countMatch(pattern, text);
        const match = pattern.exec(text);
        const expected = match ? { index: match.index, end: match.index + match[0].length } : undefined;
        assert.deepEqual(found, expected, `${pattern} on ${JSON.stringify(text)}`);
      }
    }
  });
});

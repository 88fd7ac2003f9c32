// The table of characters that look like others: what must hold for names to be compared by it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOOK_ALIKES, PAIRS } from '../../src/protocol/name-rules.ts';

/** Each character as the table has it, once and for all: what a second look would make of it. */
function seen(text: string): string {
  return [...text].map((character) => LOOK_ALIKES.get(character) ?? character).join('');
}

describe('the table of look-alikes', () => {
  it('needs one look only: what stands for others stands for itself', () => {
    for (const [character, target] of LOOK_ALIKES) {
      const again = LOOK_ALIKES.get(target);
      assert.ok(again === undefined || again === target, `${character} → ${target} → ${again}`);
    }
  });

  it('changes no ASCII letter and no digit but what looks like a letter', () => {
    for (const character of 'abcdefghijklmnopqrstuvwxyz') assert.equal(seen(character), character);
    assert.equal(seen('123456789'), '123456789');
    assert.equal(seen('0'), 'o');
  });

  it('knows words of other alphabets that look like Latin ones', () => {
    for (const [written, read] of [
      ['аԁміп', 'adміп'],
      ['ѕсоре', 'scope'],
      ['οΟ०٥', 'oooo'],
      ['ꮃꮃꮃ', 'www'],
    ] as const) {
      assert.equal(seen(written.toLowerCase()), seen(read), written);
    }
  });

  it('has both cases of what it names, since names are compared in small letters', () => {
    for (const character of LOOK_ALIKES.keys()) {
      assert.ok(LOOK_ALIKES.has(character.toLowerCase()), character);
    }
  });

  it('has pairs that become one letter, which is none of a pair again', () => {
    for (const [pair, letter] of PAIRS) {
      assert.equal([...pair].length, 2);
      assert.ok(
        PAIRS.every(([other]) => !other.includes(letter)),
        letter,
      );
      assert.equal(seen(letter), letter);
    }
  });
});
